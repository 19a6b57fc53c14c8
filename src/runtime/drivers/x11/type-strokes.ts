// Typing strokes into the window that has the focus: in chunks, each into that same window, with a look for a cancel
// between them. A character that may move the focus ends its chunk.
import type { Hand } from "../gestures/hand.js";
import { awaitFocus, requireFocus } from "./focus.js";
import type { XDisplay } from "./x-display.js";

const CHUNK_CHARACTERS = 20;
const CHUNK_GAP_MS = 5;
/** A character that moves the focus needs time before the next look at it. */
const MOVE_MS = 60;

/** Who types, and where. */
export interface Typist<S> {
  readonly display: XDisplay;
  readonly hand: Pick<Hand<unknown>, "sent" | "checkpoint" | "pause">;
  send(strokes: readonly S[]): Promise<void>;
}

/** Types into the focused window `focused`; answers which window has the focus afterwards. */
export async function typeStrokes<S extends { readonly moves: boolean }>(
  { display, hand, send }: Typist<S>,
  strokes: readonly S[],
  focused: number,
): Promise<number> {
  let window = focused;
  for (let at = 0; at < strokes.length; ) {
    hand.checkpoint();
    await requireFocus(display, window, hand.sent);
    const end = chunkEnd(strokes, at);
    await send(strokes.slice(at, end));
    const moved = strokes[end - 1]?.moves === true && end < strokes.length;
    await hand.pause(moved ? MOVE_MS : CHUNK_GAP_MS);
    if (moved) window = await awaitFocus(display, (ms) => hand.pause(ms));
    at = end;
  }
  return window;
}

/** A chunk ends after the characters that fit, or after one that may move the focus. */
function chunkEnd(strokes: readonly { readonly moves: boolean }[], start: number): number {
  const last = Math.min(strokes.length, start + CHUNK_CHARACTERS);
  for (let n = start; n < last; n++) if (strokes[n]?.moves) return n + 1;
  return last;
}
