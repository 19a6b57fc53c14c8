// Keyboard maps and text plans, on maps written by hand.
import { describe, expect, test } from "vitest";
import { Keymap, keysymOfCharacter } from "../../../src/runtime/drivers/x11/keymap.js";
import { planText } from "../../../src/runtime/drivers/x11/text-plan.js";

const SHIFT = 50;
/** Keycodes from 48: 1/!, a/A, Shift, an empty one, Return, Tab, keypad 1, another empty one. */
const rows = [[0x31, 0x21], [0x61, 0x41], [0xffe1], [], [0xff0d], [0xff09], [0xff9c, 0xffb1], []];
const keymap = new Keymap(48, rows, new Map([[SHIFT, 1]]), 0);

test("characters take their own key, with Shift for the second level", () => {
  expect(keymap.find(0x31)).toEqual({ keycode: 48, shift: false });
  expect(keymap.find(0x21)).toEqual({ keycode: 48, shift: true });
  expect(keymap.find(0x41)).toEqual({ keycode: 49, shift: true });
});

test("Shift is not taken to choose a keypad digit", () => {
  expect(keymap.find(0xffb1)).toBeUndefined();
});

test("keysyms: Latin-1 directly, everything else by its code point", () => {
  expect(keysymOfCharacter("é".codePointAt(0) ?? 0)).toBe(0xe9);
  expect(keysymOfCharacter("日".codePointAt(0) ?? 0)).toBe(0x010065e5);
  expect(keysymOfCharacter("😀".codePointAt(0) ?? 0)).toBe(0x0101f600);
  // Between the two Latin-1 halves lie controls, which have no keysym of their own.
  expect(keysymOfCharacter(0x80)).toBe(0x01000080);
});

test("only keycodes without any keysym and modifier are lent", () => {
  expect(keymap.spares()).toEqual([51, 55]);
  expect(new Keymap(48, rows, new Map([[51, 1]]), 0).spares()).toEqual([55]);
});

describe("a second group", () => {
  const cyrillic = [
    [0x61, 0x41, 0x6c6, 0x6e6],
    [0x31, 0x21],
  ];

  test("is used when it is active, and keys without one keep their first", () => {
    const second = new Keymap(10, cyrillic, new Map(), 1);
    expect(second.find(0x61)).toBeUndefined();
    expect(second.find(0x6c6)).toEqual({ keycode: 10, shift: false });
    expect(second.find(0x31)).toEqual({ keycode: 11, shift: false });
  });

  test("a third one is not guessed", () => {
    expect(new Keymap(10, cyrillic, new Map(), 2).find(0x61)).toBeUndefined();
  });
});

test("the fingerprint changes with a key, a modifier and the group, and with nothing else", () => {
  const same = new Keymap(48, rows, new Map([[SHIFT, 1]]), 0);
  expect(same.fingerprint).toBe(keymap.fingerprint);
  const others = [
    new Keymap(48, [[0x32], ...rows.slice(1)], new Map([[SHIFT, 1]]), 0),
    new Keymap(48, rows, new Map([[SHIFT, 4]]), 0),
    new Keymap(48, rows, new Map([[SHIFT, 1]]), 1),
  ];
  for (const other of others) expect(other.fingerprint).not.toBe(keymap.fingerprint);
});

describe("the plan of a text", () => {
  test("newline and tab are keys that may move the focus", () => {
    const [batch] = planText("1\n\t", keymap);
    expect(batch?.loans).toEqual([]);
    expect(batch?.strokes).toEqual([
      { keycode: 48, shift: false, moves: false },
      { keycode: 52, shift: false, moves: true },
      { keycode: 53, shift: false, moves: true },
    ]);
  });

  test("missing characters share the spare keycodes, first plain, then with Shift", () => {
    const [batch, more] = planText("日本語a日", keymap);
    expect(more).toBeUndefined();
    expect(batch?.loans).toEqual([
      { keycode: 51, keysyms: [0x010065e5, 0x01008a9e] },
      { keycode: 55, keysyms: [0x0100672c, 0x0100672c] },
    ]);
    expect(batch?.strokes.map(({ keycode, shift }) => [keycode, shift])).toEqual([
      [51, false],
      [55, false],
      [51, true],
      [49, false],
      [51, false],
    ]);
  });

  test("more of them than places make more batches, none of which holds too many", () => {
    const batches = planText("абвгдежз", keymap);
    expect(batches.map((batch) => batch.strokes.length)).toEqual([4, 4]);
    expect(batches.every((batch) => batch.loans.length <= 2)).toBe(true);
  });

  test("an upper-case letter alone is on both levels, so that it is not taken for a pair of cases", () => {
    expect(planText("Я", keymap)[0]?.loans).toEqual([{ keycode: 51, keysyms: [0x0100042f, 0x0100042f] }]);
  });

  test("without spare keycodes the whole text is refused", () => {
    const full = new Keymap(48, rows.slice(0, 3), new Map([[SHIFT, 1]]), 0);
    expect(() => planText("a日", full)).toThrow(
      expect.objectContaining({ code: "E_TEXT_UNSUPPORTED", events: 0 }),
    );
    expect(planText("aA1!", full)).toHaveLength(1);
  });
});
