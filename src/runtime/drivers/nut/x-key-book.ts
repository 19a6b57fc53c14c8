// The key book of an X display. nut-js turns a key into a keysym, and the X library that into a keycode: the first that
// carries it in the keyboard map. The same is done here with the map as it is, so that a key is used only when its
// keycode exists and gives, in the active group, exactly what was asked for. Pure.
import { keysymOf, type Modifier } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { cannotType, requireTypable } from "../gestures/typable.js";
import { type Keymap, keysymOfCharacter } from "../x11/keymap.js";
import type { KeyBook, NutKey, NutStroke } from "./key-book.js";
import { NUT_KEYS, NUT_MODIFIERS, whyNot } from "./nut-keys.js";

interface Place {
  readonly key: NutKey;
  readonly shift: boolean;
}

export class XKeyBook implements KeyBook {
  readonly #keymap: Keymap;
  /** Keys of nut-js whose keycode is known to exist, by name. */
  readonly #keys = new Map<string, NutKey & { readonly keycode: number }>();
  readonly #places = new Map<number, Place>();

  constructor(keymap: Keymap) {
    this.#keymap = keymap;
    for (const [name, keysym] of NUT_KEYS) {
      const keycode = keycodeOf(keymap, keysym);
      if (keycode !== undefined) this.#keys.set(name, { name, keycode });
    }
    for (const shift of [false, true]) {
      for (const key of this.#keys.values()) {
        const keysym = keymap.keysymAt(key.keycode, shift);
        if (keysym !== undefined && !this.#places.has(keysym)) this.#places.set(keysym, { key, shift });
      }
    }
  }

  modifier(modifier: Modifier, sent: number): NutKey {
    const key = this.#keys.get(NUT_MODIFIERS[modifier]);
    if (key === undefined || !this.#keymap.modifiers.has(key.keycode)) {
      throw noKey(modifier, "the keyboard map has no such modifier", sent);
    }
    return key;
  }

  key(id: string, sent: number): Place {
    const keysym = keysymOf(id);
    if (keysym === undefined) throw noKey(id, "it is not in the key table", sent);
    const known = whyNot(id);
    if (known !== undefined) throw noKey(id, known, sent);
    const place = this.#places.get(keysym);
    if (!place) throw noKey(id, this.#whyMissing(keysym), sent);
    return place;
  }

  strokes(text: string): readonly NutStroke[] {
    requireTypable(text);
    return [...text].map((character) => {
      const codePoint = character.codePointAt(0) ?? 0;
      const moves = character === "\n" || character === "\t";
      const keysym = character === "\n" ? 0xff0d : character === "\t" ? 0xff09 : keysymOfCharacter(codePoint);
      const place = this.#places.get(keysym);
      if (!place) throw cannotType(codePoint, this.#whyMissing(keysym));
      return { ...place, moves };
    });
  }

  #whyMissing(keysym: number): string {
    return this.#keymap.find(keysym)
      ? "nut-js has no key for it in this keyboard map; the x11 driver can"
      : "this keyboard map has no key for it, and nut-js would send another one; the x11 driver can";
  }
}

/**
 * The keycode that the X library finds for a keysym: unshifted positions of all keys first, then shifted ones. Deeper
 * positions are left out, since their order differs between maps; a key that has only those is not used.
 */
function keycodeOf(keymap: Keymap, keysym: number): number | undefined {
  for (const column of [0, 1]) {
    const index = keymap.rows.findIndex((row) => row[column] === keysym);
    if (index >= 0) return keymap.first + index;
  }
  return undefined;
}

function noKey(id: string, why: string, sent: number): DriverError {
  return new DriverError("E_KEY_UNSUPPORTED", `${id} cannot be pressed here: ${why}`, sent);
}
