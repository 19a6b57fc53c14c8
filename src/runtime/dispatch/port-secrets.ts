// Which secrets a model port holds: its API key. Kept beside the port and not on it, so that printing or copying a
// port shows none.
import type { ModelPort } from "./model-port.js";

const held = new WeakMap<ModelPort, readonly string[]>();

/** The port, known to hold these secrets. */
export function withSecrets(port: ModelPort, secrets: readonly string[]): ModelPort {
  held.set(port, secrets);
  return port;
}

/** The secrets that a port is known to hold. */
export function secretsOf(port: ModelPort): readonly string[] {
  return held.get(port) ?? [];
}
