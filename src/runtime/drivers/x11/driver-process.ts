// Entry of the X11 driver's process: `node driver-process.js` serves the display of DISPLAY; with the argument
// `release` it lets go of everything there, whichever driver held it.
import process from "node:process";
import type { Released } from "../../../contract/driver-protocol.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { runDriverProcess } from "../session/driver-process.js";
import { releaseEverything } from "./neutral-state.js";
import { XDisplay } from "./x-display.js";
import { XDriver } from "./x-driver.js";

function displayName(): string {
  const name = process.env["DISPLAY"];
  if (!name) throw new DriverError("E_UNSUPPORTED", "no display is named: DISPLAY is not set", 0);
  return name;
}

async function release(): Promise<Released> {
  const display = await XDisplay.open(displayName());
  // The dead driver may have been inside a server grab of somebody else's; a release must get through.
  display.ignoreGrabs(true);
  const released = await releaseEverything(display);
  display.ignoreGrabs(false);
  await display.connection.sync();
  return released;
}

await runDriverProcess({ open: () => XDriver.open(displayName()), release });
