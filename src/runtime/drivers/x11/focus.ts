// Where typed text would go. A window must have the keyboard focus, and keep it while text is typed.
import { DriverError } from "../../../diagnostics/errors.js";
import type { XDisplay } from "./x-display.js";

const NONE = 0;
const POINTER_ROOT = 1;
const LOOK_AGAIN_MS = 30;
const TRIES = 34;

/** The window that holds the focus; undefined when what is typed would reach no program. */
async function focusedWindow(display: XDisplay): Promise<number | undefined> {
  const window = await display.focus();
  if (window === NONE || window === display.root) return undefined;
  // Without a window manager the keyboard follows the pointer.
  if (window === POINTER_ROOT) return (await display.pointer()).over || undefined;
  // A window manager parks the focus on its own window while no program has it.
  const check = await display.connection.property(display.root, "_NET_SUPPORTING_WM_CHECK");
  return check && check.length >= 4 && check.readUInt32LE(0) === window ? undefined : window;
}

/**
 * Waits briefly until one window has the focus at two looks in a row: right after a click or an activation it may
 * still be on its way.
 * @throws DriverError E_STATE when no window gets it.
 */
export async function awaitFocus(display: XDisplay, pause: (ms: number) => Promise<void>): Promise<number> {
  let last: number | undefined;
  for (let n = 0; n < TRIES; n++) {
    const window = await focusedWindow(display);
    if (window !== undefined && window === last) return window;
    last = window;
    await pause(LOOK_AGAIN_MS);
  }
  throw new DriverError("E_STATE", "no window has the keyboard focus: click into one before typing", 0);
}

/** @throws DriverError E_INDETERMINATE when the focus left the window while text was typed. */
export async function requireFocus(display: XDisplay, window: number, sent: number): Promise<void> {
  if ((await focusedWindow(display)) === window) return;
  throw new DriverError(
    "E_INDETERMINATE",
    `the keyboard focus left the window after ${sent} events: the rest was not typed`,
    sent,
  );
}
