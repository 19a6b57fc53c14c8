// The nut driver as a program. Nothing of nut-js is loaded here: only its own process does that.
import { z } from "zod";
import { type Size, sizeSchema } from "../../../contract/geometry.js";
import { ConfigurationError } from "../../../diagnostics/errors.js";
import type { DriverProgram } from "../session/driver-link.js";
import { type DisplayAddress, displayEnvironment, X11_RELEASE } from "../x11/program.js";
import { requireNutInstalled, requireNutMachine, thisMachine } from "./nut-package.js";

const FILE = new URL("./driver-process.js", import.meta.url);

export const nutOptionsSchema = z.strictObject({
  /** The display's size in the units in which the pointer moves, when the caller declared it. */
  declared: sizeSchema.optional(),
});

export interface NutOptions {
  readonly declared?: Size | undefined;
}

/** On X11. Another process, which needs no nut-js, lets go of what a dead one held. */
export function nutOnX11Program(address: DisplayAddress, { declared }: NutOptions = {}): DriverProgram {
  requireNutMachine(thisMachine());
  requireNutInstalled();
  return { serve: serve({ declared }), release: X11_RELEASE, env: displayEnvironment(address) };
}

/**
 * On macOS and Windows.
 * @param unproved whether the caller accepts that nothing of it was ever proved there
 */
export function nutProgram({ declared, unproved }: NutOptions & { unproved: boolean }): DriverProgram {
  const { platform } = thisMachine();
  if (!unproved) {
    throw new ConfigurationError(
      "E_UNSUPPORTED",
      `the nut driver was never proved on ${platform}: keys, clicks and text may come out wrong, unnoticed (docs/platforms.md); allow it with --unproved (hostDesktop: unproved: true), or use the fake desktop`,
    );
  }
  requireNutInstalled();
  return { serve: serve({ declared }), release: { file: FILE, args: ["release"] }, env: {} };
}

function serve({ declared }: NutOptions): DriverProgram["serve"] {
  const options = declared ? { declared: { width: declared.width, height: declared.height } } : {};
  return { file: FILE, args: ["serve", JSON.stringify(options)] };
}
