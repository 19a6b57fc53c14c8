// Opening a display for a driver: refused where it cannot be driven faithfully, taken for this driver alone, and made
// neutral, in this order, whoever sends the events. A display that cannot be taken so is closed again.
import type { Released } from "../../../contract/driver-protocol.js";
import { giveBackLeftovers } from "./borrowed-keys.js";
import { requirePixelFormat } from "./capture.js";
import { makeNeutral } from "./neutral-state.js";
import { OpenedState } from "./opened-state.js";
import { takeDisplay } from "./ownership.js";
import { ScreenWatch } from "./screen-watch.js";
import { requireNoWayland } from "./wayland.js";
import { XDisplay } from "./x-display.js";

export interface TakenDisplay {
  readonly display: XDisplay;
  /** How it was when it had been made neutral: what must not have changed before an action. */
  readonly opened: OpenedState;
  readonly watch: ScreenWatch;
  readonly serverId: string;
  /** What was found held or locked, and let go. */
  readonly released: Released;
}

/** Opens a display by name and takes it. @throws DriverError when there is none, it is another's, or cannot be driven. */
export async function openTakenDisplay(name: string): Promise<TakenDisplay> {
  const display = await XDisplay.open(name);
  try {
    await requireNoWayland(display.connection);
    requirePixelFormat(display);
    const serverId = await takeDisplay(display);
    await giveBackLeftovers(display);
    const released = await makeNeutral(display);
    const watch = await ScreenWatch.start(display);
    return { display, opened: await OpenedState.of(display), watch, serverId, released };
  } catch (error) {
    display.connection.close();
    throw error;
  }
}
