// Entry of the nut driver's process: `node driver-process.js serve OPTIONS`. The display is that of DISPLAY, fixed
// here for good: nut-js takes pictures of the one named now, and sends events to the one named at its first call.
// On X11 the display is opened without nut-js first, which would end the process if it could not be opened.
import process from "node:process";
import type { Released } from "../../../contract/driver-protocol.js";
import type { Size } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { runDriverProcess } from "../session/driver-process.js";
import { NutDriver } from "./nut-driver.js";
import { loadNut } from "./nut-package.js";
import { PlainSurroundings, releaseBlindly } from "./plain-surroundings.js";
import { nutOptionsSchema } from "./program.js";
import { XSurroundings } from "./x-surroundings.js";

const { platform } = process;

function declaredSize(): Size | undefined {
  return nutOptionsSchema.parse(JSON.parse(process.argv[3] ?? "{}")).declared;
}

async function open(): Promise<NutDriver> {
  const declared = declaredSize();
  if (platform !== "linux") {
    const nut = loadNut();
    return NutDriver.open(nut, await PlainSurroundings.open(nut, platform), { platform, declared });
  }
  const display = process.env["DISPLAY"];
  if (!display) throw new DriverError("E_UNSUPPORTED", "no display is named: DISPLAY is not set", 0);
  const around = await XSurroundings.open(display);
  return NutDriver.open(loadNut(), around, { platform, declared });
}

async function release(): Promise<Released> {
  // On X11 the X11 driver's process does it, exactly.
  if (platform === "linux") throw new DriverError("E_UNSUPPORTED", "the X11 driver releases on X11", 0);
  return releaseBlindly(loadNut(), platform);
}

await runDriverProcess({ open, release });
