// SHA-256 digests in one written form: `sha256:` and 64 lower-case hexadecimal digits.
import { createHash, createHmac, randomBytes } from "node:crypto";
import { canonicalJson } from "./canonical-json.js";

export type Digest = `sha256:${string}`;

export const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

/** The digest of some bytes; a string is taken as UTF-8. */
export function digestBytes(data: Uint8Array | string): Digest {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}

/** The digest of a JSON value's canonical text, so that the order of keys does not matter. */
export function digestJson(value: unknown): Digest {
  return digestBytes(canonicalJson(value));
}

/** A key for `keyedDigest`: 32 random bytes. */
export function randomKey(): Uint8Array {
  return randomBytes(32);
}

/** The digest of a text under a key: without the key nobody can tell which text it is of, however few there are. */
export function keyedDigest(key: Uint8Array, text: string): Digest {
  return `sha256:${createHmac("sha256", key).update(text).digest("hex")}`;
}

/** A random identifier with 128 bits of entropy: `prefix-` and 32 hexadecimal digits. */
export function randomId(prefix: string): string {
  return `${prefix}-${randomBytes(16).toString("hex")}`;
}
