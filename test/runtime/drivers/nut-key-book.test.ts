// Which key of nut-js gives which character, on keyboard maps written by hand. The German and French rows are those of
// X.Org's symbols files.
import { describe, expect, test } from "vitest";
import { XKeyBook } from "../../../src/runtime/drivers/nut/x-key-book.js";
import { Keymap } from "../../../src/runtime/drivers/x11/keymap.js";

const SHIFT = 50;
const CONTROL = 37;

/** A map with the given keycodes, Shift_L and Control_L. */
function book(keys: Readonly<Record<number, readonly number[]>>, group = 0): XKeyBook {
  const all: Record<number, readonly number[]> = { [SHIFT]: [0xffe1], [CONTROL]: [0xffe3], ...keys };
  const rows = Array.from({ length: 248 }, (_, n) => all[8 + n] ?? []);
  const modifiers = new Map([
    [SHIFT, 1],
    [CONTROL, 4],
  ]);
  return new XKeyBook(new Keymap(8, rows, modifiers, group));
}

const us = { 11: [0x32, 0x40], 38: [0x61, 0x41], 59: [0x2c, 0x3c], 94: [0x3c, 0x3e] };
const strokes = (of: XKeyBook, text: string) =>
  of.strokes(text).map(({ key, shift }) => `${shift ? "shift+" : ""}${key.name}`);

test("a symbol is the key below it with Shift, by the map and not by nut-js", () => {
  expect(strokes(book(us), "2@aA,<")).toEqual(["Num2", "shift+Num2", "A", "shift+A", "Comma", "shift+Comma"]);
});

test("what lies only on a key that nut-js has not is refused, and the x11 driver is named", () => {
  expect(() => book(us).strokes("a>")).toThrow(
    expect.objectContaining({
      code: "E_TEXT_UNSUPPORTED",
      events: 0,
      message: expect.stringMatching(/U\+003E cannot be typed here: .*the x11 driver can/) as string,
    }),
  );
});

test("on a French map the digits want Shift, and the keys below them are typed as what they are", () => {
  const french = book({ 10: [0x26, 0x31], 11: [0xe9, 0x32], 24: [0x61, 0x41] });
  expect(strokes(french, "&1é2aA")).toEqual(["Num1", "shift+Num1", "Num2", "shift+Num2", "A", "shift+A"]);
});

test("a dead key is no character", () => {
  const german = book({ 49: [0xfe52, 0xb0], 24: [0x71, 0x51, 0x71, 0x51, 0x40] });
  for (const text of ["^", "@"]) {
    expect(() => german.strokes(text)).toThrow(expect.objectContaining({ code: "E_TEXT_UNSUPPORTED" }));
  }
  expect(strokes(german, "q")).toEqual(["Q"]);
});

describe("keys", () => {
  const keypad = book({ 87: [0xff9c, 0xffb1], 36: [0xff0d], 104: [0xff8d], 133: [0xffeb] });

  test("Return and the keypad's Enter are two", () => {
    expect(keypad.key("Return", 0).key).toEqual({ name: "Return", keycode: 36 });
    expect(keypad.key("KP_Enter", 0).key).toEqual({ name: "Enter", keycode: 104 });
  });

  test("a number key of the keypad is what it is without Num Lock", () => {
    expect(keypad.key("KP_End", 0).key.name).toBe("NumPad1");
    expect(() => keypad.key("KP_1", 0)).toThrow(expect.objectContaining({ code: "E_KEY_UNSUPPORTED" }));
  });

  test("a key whose keycode does not exist in the map is refused: nut-js would end its process", () => {
    expect(() => keypad.key("F5", 3)).toThrow(
      expect.objectContaining({ code: "E_KEY_UNSUPPORTED", events: 3 }),
    );
    expect(() => keypad.key("Hyperspace", 0)).toThrow(/not in the key table/);
    expect(() => keypad.key("F13", 0)).toThrow(/ends its process/);
  });

  test("a modifier is one only where the map says so", () => {
    expect(keypad.modifier("ctrl", 0)).toEqual({ name: "LeftControl", keycode: CONTROL });
    for (const modifier of ["super", "alt"] as const) {
      expect(() => keypad.modifier(modifier, 0)).toThrow(/no such modifier/);
    }
  });
});

test("in a second group only its own characters are there, and in a third none", () => {
  const keys = { 38: [0x61, 0x41, 0x6c6, 0x6e6], 11: [0x32, 0x40] };
  expect(strokes(book(keys, 1), "2@")).toEqual(["Num2", "shift+Num2"]);
  expect(() => book(keys, 1).strokes("a")).toThrow(expect.objectContaining({ code: "E_TEXT_UNSUPPORTED" }));
  expect(() => book(keys, 2).strokes("2")).toThrow(expect.objectContaining({ code: "E_TEXT_UNSUPPORTED" }));
});
