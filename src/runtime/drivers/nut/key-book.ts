// Which key of nut-js gives which key of the table and which character here. What is not in the book is refused
// before the first event, with the reason.
import type { Modifier } from "../../../contract/keys.js";

/** A key of nut-js. */
export interface NutKey {
  /** nut-js's name for it. */
  readonly name: string;
  /** The keycode that it must become, where that is known. */
  readonly keycode?: number;
}

export interface NutStroke {
  readonly key: NutKey;
  /** Whether Shift must be down for it. */
  readonly shift: boolean;
  /** Whether it may move the keyboard focus to another window. */
  readonly moves: boolean;
}

export interface KeyBook {
  /** @throws DriverError E_KEY_UNSUPPORTED */
  modifier(modifier: Modifier, sent: number): NutKey;
  /** @throws DriverError E_KEY_UNSUPPORTED */
  key(id: string, sent: number): { readonly key: NutKey; readonly shift: boolean };
  /** @throws DriverError E_TEXT_UNSUPPORTED at a character that would not come out as it is. */
  strokes(text: string): readonly NutStroke[];
}
