// The keyboard map of a server, read as it is now: which key and level gives which keysym in the active group.
// Pure: the driver reads, this file answers.
import type { Buffer } from "node:buffer";

export interface KeyPosition {
  readonly keycode: number;
  /** Whether Shift must be down for it. */
  readonly shift: boolean;
}

/** Unicode keysyms are a code point plus this. */
const UNICODE_KEYSYM = 0x01000000;

/** The keysym of a character: Latin-1 has its own, everything else the Unicode one. */
export function keysymOfCharacter(codePoint: number): number {
  const latin1 = (codePoint >= 0x20 && codePoint <= 0x7e) || (codePoint >= 0xa0 && codePoint <= 0xff);
  return latin1 ? codePoint : UNICODE_KEYSYM + codePoint;
}

/** Whether a keysym stands for a character, so that Shift may choose it; function and keypad keys do not. */
function isCharacter(keysym: number): boolean {
  return keysym < 0xff00 || keysym >= UNICODE_KEYSYM;
}

export class Keymap {
  readonly first: number;
  /** The keysyms of each keycode from `first`, all groups and levels, without trailing NoSymbol. */
  readonly rows: readonly (readonly number[])[];
  /** The modifier mask of each keycode that is a modifier. */
  readonly modifiers: ReadonlyMap<number, number>;
  readonly group: number;
  readonly #positions = new Map<number, KeyPosition>();

  constructor(
    first: number,
    rows: readonly (readonly number[])[],
    modifiers: ReadonlyMap<number, number>,
    group: number,
  ) {
    this.first = first;
    this.rows = rows;
    this.modifiers = modifiers;
    this.group = group;
    this.#index();
  }

  #index(): void {
    for (const shift of [false, true]) {
      this.rows.forEach((_, index) => {
        const keycode = this.first + index;
        const keysym = this.keysymAt(keycode, shift);
        if (keysym === undefined || this.#positions.has(keysym)) return;
        this.#positions.set(keysym, { keycode, shift });
      });
    }
  }

  /** What a key gives in the active group, without or with Shift; undefined when that is nothing or not known. */
  keysymAt(keycode: number, shift: boolean): number | undefined {
    // The core map shows levels 1 and 2 of two groups; positions in a later group are not known, so none are used.
    if (this.group > 1) return undefined;
    const row = this.keysymsOf(keycode);
    const keysym = row[2 * this.#groupOf(row) + (shift ? 1 : 0)] ?? 0;
    if (keysym === 0) return undefined;
    // Other levels of function and keypad keys hang on other modifiers than Shift.
    if (shift && (!isCharacter(keysym) || this.modifiers.has(keycode))) return undefined;
    return keysym;
  }

  /** A key without the active group takes its keysyms from the first one. */
  #groupOf(row: readonly number[]): number {
    return this.group === 1 && ((row[2] ?? 0) !== 0 || (row[3] ?? 0) !== 0) ? 1 : 0;
  }

  find(keysym: number): KeyPosition | undefined {
    return this.#positions.get(keysym);
  }

  keysymsOf(keycode: number): readonly number[] {
    return this.rows[keycode - this.first] ?? [];
  }

  /** Keycodes without any keysym, which may be lent; the lowest, which some programs reserve, comes last. */
  spares(): number[] {
    const free: number[] = [];
    this.rows.forEach((row, index) => {
      if (row.length === 0 && !this.modifiers.has(this.first + index)) free.push(this.first + index);
    });
    return free[0] === this.first ? [...free.slice(1), free[0]] : free;
  }

  /** Equal for equal maps. */
  get fingerprint(): string {
    const modifiers = [...this.modifiers].sort(([a], [b]) => a - b);
    return JSON.stringify([this.first, this.rows, modifiers, this.group]);
  }
}

/** Rows of keysyms from the body of a GetKeyboardMapping reply. */
export function readRows(body: Buffer, perKeycode: number): number[][] {
  const rows: number[][] = [];
  const words = (body.length - 24) / 4;
  for (let at = 0; at + perKeycode <= words; at += perKeycode) {
    const row = Array.from({ length: perKeycode }, (_, n) => body.readUInt32LE(24 + 4 * (at + n)));
    rows.push(row.slice(0, row.findLastIndex((keysym) => keysym !== 0) + 1));
  }
  return rows;
}

/** Modifier keycodes from the body of a GetModifierMapping reply. */
export function readModifiers(body: Buffer, perModifier: number): Map<number, number> {
  const modifiers = new Map<number, number>();
  for (let n = 0; n < 8 * perModifier; n++) {
    const keycode = body.readUInt8(24 + n);
    if (keycode === 0) continue;
    modifiers.set(keycode, (modifiers.get(keycode) ?? 0) | (1 << Math.floor(n / perModifier)));
  }
  return modifiers;
}
