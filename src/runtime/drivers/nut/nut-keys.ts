// The keys of nut-js that may be pressed: its name for each, and the X11 keysym that it looks up. Keys that end its
// process, do nothing or are rejected are not in this table, so they cannot be asked for. Measured by
// test/e2e/drivers/nut-facts.test.ts.
import type { Modifier } from "../../../contract/keys.js";

const PUNCTUATION: readonly (readonly [string, string])[] = [
  ["Space", " "],
  ["Grave", "`"],
  ["Minus", "-"],
  ["Equal", "="],
  ["LeftBracket", "["],
  ["RightBracket", "]"],
  ["Backslash", "\\"],
  ["Semicolon", ";"],
  // It looks up the double quote, so that on many maps it is another key than the apostrophe.
  ["Quote", '"'],
  ["Comma", ","],
  ["Period", "."],
  ["Slash", "/"],
];

const NAMED: readonly (readonly [string, number])[] = [
  // `Enter` of nut-js is the keypad's.
  ["Return", 0xff0d],
  ["Enter", 0xff8d],
  ["Tab", 0xff09],
  ["Escape", 0xff1b],
  ["Backspace", 0xff08],
  ["Delete", 0xffff],
  ["Insert", 0xff63],
  ["Home", 0xff50],
  ["End", 0xff57],
  ["PageUp", 0xff55],
  ["PageDown", 0xff56],
  ["Up", 0xff52],
  ["Down", 0xff54],
  ["Left", 0xff51],
  ["Right", 0xff53],
  ["Print", 0xff61],
  ["Add", 0xffab],
  ["Subtract", 0xffad],
  ["Multiply", 0xffaa],
  ["Divide", 0xffaf],
  ["Decimal", 0xffae],
  ["NumPadEqual", 0xffbd],
];

export const NUT_MODIFIERS: Readonly<Record<Modifier, string>> = {
  ctrl: "LeftControl",
  alt: "LeftAlt",
  shift: "LeftShift",
  // `LeftCmd` is rejected on Linux; this one is Command on macOS and the Windows key on Windows.
  super: "LeftSuper",
};

const MODIFIER_KEYSYMS: readonly (readonly [string, number])[] = [
  ["LeftControl", 0xffe3],
  ["LeftAlt", 0xffe9],
  ["LeftShift", 0xffe1],
  ["LeftSuper", 0xffeb],
];

function row(characters: string, name: (character: string) => string): [string, number][] {
  return [...characters].map((character) => [name(character), character.charCodeAt(0)]);
}

/** nut-js's name of a key, and the keysym that it asks the X server for. */
export const NUT_KEYS: readonly (readonly [name: string, keysym: number])[] = [
  ...row("abcdefghijklmnopqrstuvwxyz", (letter) => letter.toUpperCase()),
  ...row("0123456789", (digit) => `Num${digit}`),
  ...PUNCTUATION.map(([name, character]) => [name, character.charCodeAt(0)] as const),
  ...NAMED,
  ...Array.from({ length: 12 }, (_, n) => [`F${n + 1}`, 0xffbe + n] as const),
  ...Array.from({ length: 10 }, (_, n) => [`NumPad${n}`, 0xffb0 + n] as const),
  ...MODIFIER_KEYSYMS,
];

/** Why nut-js cannot press a key that the key table knows. */
export function whyNot(id: string): string | undefined {
  if (/^F(1[3-9]|2[0-4])$/.test(id) || ["Clear", "AudioRepeat", "AudioRandom"].includes(id)) {
    return "nut-js ends its process at it";
  }
  if (id === "Pause") return "nut-js reports success and sends nothing";
  if (id === "Menu") return "nut-js rejects it";
  return undefined;
}
