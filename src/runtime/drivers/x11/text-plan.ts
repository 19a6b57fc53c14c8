// The plan of a text: for every character a key that gives it, found before the first event. What the keyboard map
// lacks gets a spare keycode; when there are more such characters than spare places, the text is cut into batches.
import { cannotType } from "../gestures/typable.js";
import type { Loan } from "./borrowed-keys.js";
import { type Keymap, type KeyPosition, keysymOfCharacter } from "./keymap.js";

const RETURN = 0xff0d;
const TAB = 0xff09;

export interface Stroke extends KeyPosition {
  /** Whether the character may move the keyboard focus to another window. */
  readonly moves: boolean;
}

export interface TextBatch {
  readonly loans: readonly Loan[];
  readonly strokes: readonly Stroke[];
}

/** Collects characters for the spare keycodes: first each one's plain level, then the shifted ones. */
class Loans {
  readonly #spares: readonly number[];
  readonly #places = new Map<number, KeyPosition>();

  constructor(spares: readonly number[]) {
    this.#spares = spares;
  }

  /** The place of the keysym; undefined when all places are taken. */
  place(keysym: number): KeyPosition | undefined {
    const known = this.#places.get(keysym);
    if (known) return known;
    const index = this.#places.size;
    const keycode = this.#spares[index % this.#spares.length];
    if (keycode === undefined || index >= 2 * this.#spares.length) return undefined;
    const place = { keycode, shift: index >= this.#spares.length };
    this.#places.set(keysym, place);
    return place;
  }

  loans(): Loan[] {
    const byKeycode = new Map<number, [number, number]>();
    for (const [keysym, { keycode, shift }] of this.#places) {
      const plain = byKeycode.get(keycode)?.[0] ?? keysym;
      // The same keysym on both levels, or else a letter alone would be taken for a pair of cases.
      byKeycode.set(keycode, shift ? [plain, keysym] : [keysym, keysym]);
    }
    return [...byKeycode].map(([keycode, keysyms]) => ({ keycode, keysyms }));
  }
}

/** @throws DriverError E_TEXT_UNSUPPORTED when a character has no key and no spare keycode is left for it. */
export function planText(text: string, keymap: Keymap): TextBatch[] {
  const spares = keymap.spares();
  const batches: TextBatch[] = [];
  let loans = new Loans(spares);
  let strokes: Stroke[] = [];
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const moves = character === "\n" || character === "\t";
    const keysym = character === "\n" ? RETURN : moves ? TAB : keysymOfCharacter(codePoint);
    const known = keymap.find(keysym);
    let place = known ?? loans.place(keysym);
    if (!place) {
      batches.push({ loans: loans.loans(), strokes });
      loans = new Loans(spares);
      strokes = [];
      place = loans.place(keysym);
    }
    if (!place) throw cannotType(codePoint, "no key gives it and the keyboard map has no spare keycode");
    strokes.push({ keycode: place.keycode, shift: place.shift, moves });
  }
  batches.push({ loans: loans.loans(), strokes });
  return batches;
}
