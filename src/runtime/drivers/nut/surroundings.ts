// What the nut driver must know of a display, and nut-js cannot tell: what is held, where the focus is, what the
// keyboard map gives. On X11 it is asked of the server over a connection of our own; elsewhere little is known.
import type { DriverAction, Released } from "../../../contract/driver-protocol.js";
import type { Point, Size } from "../../../contract/geometry.js";
import type { Hand } from "../gestures/hand.js";
import type { KeyBook, NutKey, NutStroke } from "./key-book.js";

export interface Surroundings {
  readonly size: Size;
  readonly serverId: string;
  readonly released: Released;
  readonly lost: Promise<string>;
  /** @throws DriverError for an action that cannot be done faithfully here, before its first event. */
  requirePossible(action: DriverAction): Promise<void>;
  /** Fails with E_STATE when a key is down that this driver did not press, E_ENV_DRIFT when a lock is on. */
  requireKeysUp(sent: number): Promise<void>;
  keyBook(sent: number): Promise<KeyBook>;
  pointer(): Promise<Point>;
  /** Where the pointer is once it has come to the point, or after a moment in which it did not. */
  pointerAfterMotion(to: Point): Promise<Point>;
  heldButtons(): Promise<readonly number[]>;
  /** Fails with E_INDETERMINATE unless the key is now what nut-js was told to make it. */
  confirmKey(key: NutKey, down: boolean, sent: number): Promise<void>;
  confirmButton(button: number, down: boolean, sent: number): Promise<void>;
  /** Types into what has the focus. */
  type(
    hand: Hand<NutKey>,
    strokes: readonly NutStroke[],
    send: (strokes: readonly NutStroke[]) => Promise<void>,
  ): Promise<void>;
  settle(
    quietMs: number,
    maxMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly quiet: boolean; readonly waitedMs: number }>;
  releaseAll(): Promise<Released>;
}
