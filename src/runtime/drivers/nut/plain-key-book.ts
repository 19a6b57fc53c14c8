// The key book of macOS and Windows, where the keyboard map cannot be looked at: keys that nut-js has under one name on
// every map, and letters, digits and blanks as text. Nothing of it was ever proved there.
import type { Modifier } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { cannotType, requireTypable } from "../gestures/typable.js";
import type { KeyBook, NutKey, NutStroke } from "./key-book.js";
import { NUT_MODIFIERS, whyNot } from "./nut-keys.js";

const NAMES = new Map<string, string>([
  ["space", "Space"],
  ["Return", "Return"],
  ["Tab", "Tab"],
  ["Escape", "Escape"],
  ["BackSpace", "Backspace"],
  ["Delete", "Delete"],
  ["Home", "Home"],
  ["End", "End"],
  ["Page_Up", "PageUp"],
  ["Page_Down", "PageDown"],
  ["Up", "Up"],
  ["Down", "Down"],
  ["Left", "Left"],
  ["Right", "Right"],
]);
for (const letter of "abcdefghijklmnopqrstuvwxyz") NAMES.set(letter, letter.toUpperCase());
for (const digit of "0123456789") NAMES.set(digit, `Num${digit}`);
for (let n = 1; n <= 12; n++) NAMES.set(`F${n}`, `F${n}`);

const TEXT_KEYS: Readonly<Record<string, string>> = { " ": "space", "\n": "Return", "\t": "Tab" };

export const plainKeyBook: KeyBook = {
  modifier: (modifier: Modifier): NutKey => ({ name: NUT_MODIFIERS[modifier] }),
  key(id, sent) {
    const name = NAMES.get(id);
    if (name === undefined || whyNot(id) !== undefined) {
      const why = whyNot(id) ?? "where it lies depends on the keyboard map, which cannot be looked at here";
      throw new DriverError("E_KEY_UNSUPPORTED", `${id} cannot be pressed here: ${why}`, sent);
    }
    return { key: { name }, shift: false };
  },
  strokes(text): readonly NutStroke[] {
    requireTypable(text);
    return [...text].map((character) => {
      const id = TEXT_KEYS[character] ?? (/^[A-Za-z0-9]$/.test(character) ? character.toLowerCase() : "");
      const name = NAMES.get(id);
      if (name === undefined) {
        throw cannotType(
          character.codePointAt(0) ?? 0,
          "nut-js is known to send other characters for it on this platform",
        );
      }
      const moves = character === "\n" || character === "\t";
      return { key: { name }, shift: /^[A-Z]$/.test(character), moves };
    });
  },
};
