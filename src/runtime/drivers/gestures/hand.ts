// What the gestures need of a display: single input events, and the facts that are read back between them. The X11
// driver and the fake desktop each have one hand, and share everything above it. Methods that send an event never
// look at the cancel mark by themselves, so that a release always goes through; gestures call `checkpoint` instead.

import type { Point, Size } from "../../../contract/geometry.js";
import type { Modifier } from "../../../contract/keys.js";

/** The keys of one chord, found before the first event. */
export interface ChordPlan<Key> {
  /** In the order in which they are pressed. */
  readonly modifiers: readonly Key[];
  readonly key?: Key;
  /** Gives back what was borrowed to make the chord possible. Called after the last release. */
  finish(): Promise<void>;
}

export interface Hand<Key> {
  readonly size: Size;
  /** Events sent for the action under way. */
  readonly sent: number;
  /** Fails when the action was cancelled. */
  checkpoint(): void;
  /** Waits; fails as soon as the action is cancelled. */
  pause(ms: number): Promise<void>;

  pointer(): Promise<Point>;
  /** Sends one motion and answers where the pointer was directly afterwards. */
  motion(to: Point): Promise<Point>;
  /** Presses only while the pointer is at the point; answers where it was. */
  pressAt(button: number, at: Point): Promise<Point>;
  release(button: number): Promise<void>;
  heldButtons(): Promise<readonly number[]>;

  /** Fails with E_STATE when a key is down that this driver did not press, E_ENV_DRIFT when a lock is on. */
  requireKeysUp(): Promise<void>;
  /** Fails with E_KEY_UNSUPPORTED before any event when a key cannot be pressed here. */
  planChord(modifiers: readonly Modifier[], key: string | undefined): Promise<ChordPlan<Key>>;
  keyDown(key: Key): Promise<void>;
  keyUp(key: Key): Promise<void>;
  /** Types the text exactly, or fails with E_TEXT_UNSUPPORTED before any event. */
  type(text: string): Promise<void>;
}
