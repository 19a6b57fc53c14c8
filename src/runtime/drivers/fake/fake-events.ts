// What a fake desktop records: every input event, in the order it was sent, as an X server would see it.
import type { Point } from "../../../contract/geometry.js";
import type { Modifier } from "../../../contract/keys.js";

/** An input event as a fake desktop recorded it. */
export type FakeEvent =
  | { readonly type: "motion"; readonly x: number; readonly y: number }
  | {
      readonly type: "button";
      /** 1 left, 2 middle, 3 right, 4 wheel up, 5 down, 6 left, 7 right. */
      readonly button: number;
      readonly down: boolean;
      readonly x: number;
      readonly y: number;
      readonly modifiers: readonly Modifier[];
    }
  | {
      readonly type: "key";
      /** Canonical id of a pressed key or modifier; for typed text the character itself, Return or Tab. */
      readonly key: string;
      readonly down: boolean;
      readonly modifiers: readonly Modifier[];
    };

/** The state of a fake display, as screens and tests see it. */
export interface FakeView {
  readonly size: { readonly width: number; readonly height: number };
  readonly pointer: Point;
  readonly heldButtons: readonly number[];
  readonly heldKeys: readonly string[];
  readonly events: readonly FakeEvent[];
  /** Everything typed so far by `type`, and by keys that stand for a character. */
  readonly text: string;
  /** Input actions finished so far, and captures taken. */
  readonly actions: number;
  readonly captures: number;
}
