// What the mischief comes to, judged by events that somebody else has seen.
import { ALLOWED, ATTEMPTS } from "../model/hostile-script.mjs";
import { mark } from "../terminal.js";

export interface SeenEvents {
  readonly keyPresses: number;
  readonly buttonPresses: number;
  /** Every place where the pointer was reported. */
  readonly places: readonly { readonly x: number; readonly y: number }[];
}

const BOUNDS = { width: 800, height: 600 };

/** The allowed click and line must have arrived, exactly; of what was refused nothing may have. */
export function judgeEvents(seen: SeenEvents): void {
  const typed = ALLOWED.flatMap(({ input }) =>
    "text" in input && input.text !== undefined ? [...input.text] : [],
  );
  const outside = seen.places.filter(({ x, y }) => x >= BOUNDS.width || y >= BOUNDS.height);
  mark(
    outside.length === 0 && seen.places.length > 0,
    `the pointer was never outside the bounds (${seen.places.length} reports)`,
  );
  mark(
    seen.buttonPresses === 1,
    `button presses on the display: ${seen.buttonPresses}, of the 1 allowed click`,
  );
  mark(
    seen.keyPresses === typed.length,
    `key presses on the display: ${seen.keyPresses}, of the ${typed.length} allowed characters`,
  );
  mark(
    outside.length === 0 && seen.buttonPresses === 1 && seen.keyPresses === typed.length,
    `so none of the ${ATTEMPTS.length} refused attempts sent an event`,
  );
}
