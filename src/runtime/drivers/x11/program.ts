// The X11 driver as a program: what is started for a display, and what lets everything go there afterwards.
import type { DriverProgram, Entry } from "../session/driver-link.js";

export interface DisplayAddress {
  readonly display: string;
  /** The cookie file; without it the one in the home directory is used. */
  readonly authority?: string | undefined;
}

const FILE = new URL("./driver-process.js", import.meta.url);

/** Serves whichever driver has died on an X display. */
export const X11_RELEASE: Entry = { file: FILE, args: ["release"] };

export function displayEnvironment({ display, authority }: DisplayAddress): DriverProgram["env"] {
  return { DISPLAY: display, XAUTHORITY: authority };
}

export function x11Program(address: DisplayAddress): DriverProgram {
  return { serve: { file: FILE, args: [] }, release: X11_RELEASE, env: displayEnvironment(address) };
}
