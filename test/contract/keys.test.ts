// The key table. Keysym numbers are compared with X.Org's own header as the x11 package carries it.
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import {
  chordFamily,
  DEFAULT_DENY_KEYS,
  denyListOf,
  effectiveDenyKeys,
  findDenied,
  isPasteChord,
} from "../../src/contract/deny-keys.js";
import {
  canonicalChord,
  formatChord,
  keyOfCharacter,
  keysymOf,
  MODIFIER_KEYSYMS,
  parseChord,
  pressableKeys,
} from "../../src/contract/keys.js";

const load = createRequire(import.meta.url);

interface KeysymEntry {
  readonly code: number;
}

/** X names to numbers, or undefined where the optional package is not installed. */
function xKeysyms(): ReadonlyMap<string, number> | undefined {
  try {
    const table = load("x11/lib/keysyms.js") as Record<string, KeysymEntry | number>;
    return new Map(
      Object.entries(table).map(([name, entry]) => [
        name.replace(/^XK_/, ""),
        typeof entry === "number" ? entry : entry.code,
      ]),
    );
  } catch {
    return undefined;
  }
}

const keysyms = xKeysyms();
/** Where our id is not X's name. */
const X_NAMES: Readonly<Record<string, string>> = {
  AudioRandom: "XF86AudioRandomPlay",
  AudioRepeat: "XF86AudioRepeat",
};

function chord(text: string) {
  const parsed = parseChord(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problem.kind}`);
  return parsed.chord;
}

describe("keysyms", () => {
  it.skipIf(!keysyms)("are X's own for every key that can be pressed", () => {
    const keys = pressableKeys();
    expect(keys.length).toBeGreaterThan(120);
    const wrong = keys.filter((key) => keysymOf(key) !== keysyms?.get(X_NAMES[key] ?? key));
    expect(wrong).toEqual([]);
  });

  it.skipIf(!keysyms)("are X's own for the modifiers", () => {
    expect(MODIFIER_KEYSYMS).toEqual({
      ctrl: keysyms?.get("Control_L"),
      alt: keysyms?.get("Alt_L"),
      shift: keysyms?.get("Shift_L"),
      super: keysyms?.get("Super_L"),
    });
  });

  it("are different for different keys, and none is a modifier's", () => {
    const numbers = pressableKeys().map((key) => keysymOf(key));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const modifier of Object.values(MODIFIER_KEYSYMS)) expect(numbers).not.toContain(modifier);
  });
});

describe("names", () => {
  it("lists every key once, and each reads as itself in any letter case", () => {
    const keys = pressableKeys();
    expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(keys.length);
    for (const key of keys) {
      for (const text of [key, key.toLowerCase(), key.toUpperCase()])
        expect(chord(text)).toEqual({ modifiers: [], key });
    }
  });

  it.each([
    ["enter", "Return"],
    ["ESC", "Escape"],
    ["del", "Delete"],
    ["ins", "Insert"],
    ["pgup", "Page_Up"],
    ["PageDown", "Page_Down"],
    ["Prior", "Page_Up"],
    ["next", "Page_Down"],
    ["ArrowLeft", "Left"],
    ["spacebar", "space"],
    ["PrintScreen", "Print"],
    ["KP_F4", "F4"],
    ["KP_Prior", "KP_Page_Up"],
    ["A", "a"],
    ["CTRL+ALT+INSERT", "ctrl+alt+Insert"],
    ["WIN+I", "super+i"],
    ["shift+ctrl+x", "ctrl+shift+x"],
    ["Super_R+Shift_L+Alt_R+Control_R", "ctrl+alt+shift+super"],
    ["meta+q", "super+q"],
    ["option+f4", "alt+F4"],
    ["a+ctrl", "ctrl+a"],
    ["ctrl+ctrl+a", "ctrl+a"],
    ["ctrl+plus", "ctrl+plus"],
    ["BackSpace", "BackSpace"],
    ["back_space", "BackSpace"],
  ])("reads %s as %s", (text, canonical) => {
    expect(canonicalChord(text)).toBe(canonical);
  });

  it("K-022 folds letters as ASCII in any locale", () => {
    // Lower-casing I in Turkish gives a dotless letter; in ours it must not.
    expect("I".toLocaleLowerCase("tr")).toBe("\u0131");
    expect(canonicalChord("CTRL+ALT+INSERT")).toBe("ctrl+alt+Insert");
    expect(canonicalChord("WIN+I")).toBe("super+i");
    expect(parseChord("ctrl+\u0131")).toMatchObject({ ok: false, problem: { kind: "unknown" } });
    expect(parseChord("ctrl+\u0130")).toMatchObject({ ok: false, problem: { kind: "unknown" } });
  });

  it.each([
    ["", "empty"],
    ["a+b", "two_keys"],
    ["F13", "unsupported"],
    ["Pause", "unsupported"],
    ["ctrl+alt+shift+super+a+a", "too_big"],
    [`${"a".repeat(65)}`, "too_big"],
    [`ctrl+${"x".repeat(60)}`, "too_big"],
    ["ctrl+", "unknown"],
    ["hyperspace", "unknown"],
    ["f", undefined],
    ["f999", "unknown"],
    ["10", "unknown"],
    ["ctrl+alt+shift+super+a", undefined],
    [`${"ctrl+".repeat(4)}a`, undefined],
  ])("judges %j as %s", (text, kind) => {
    const parsed = parseChord(text);
    expect(parsed.ok ? undefined : parsed.problem.kind).toBe(kind);
  });
});

describe("characters", () => {
  it("has a key for every printable ASCII character, Return for a newline, Tab for a tab", () => {
    for (let code = 0x20; code < 0x7f; code++) {
      const character = String.fromCharCode(code);
      const found = keyOfCharacter(character);
      expect(found, character).toBeDefined();
      if (!found) continue;
      const upper = character >= "A" && character <= "Z";
      expect(found.shift).toBe(upper);
      // X's numbers for ASCII characters are the characters' own.
      expect(keysymOf(found.key)).toBe(upper ? code + 32 : code);
    }
    expect(keyOfCharacter("\n")).toEqual({ key: "Return", shift: false });
    expect(keyOfCharacter("\t")).toEqual({ key: "Tab", shift: false });
    expect(keyOfCharacter("\u00e9")).toBeUndefined();
  });
});

describe("deny-list", () => {
  /** The default list as the design has it. */
  const DEFAULTS = [
    "Print",
    "Sys_Req",
    "alt+F4",
    "alt+Tab",
    "ctrl+alt+BackSpace",
    "ctrl+alt+Delete",
    ...Array.from({ length: 12 }, (_, index) => `ctrl+alt+F${index + 1}`),
    "super",
  ].sort();

  it("has the defaults of the design, each in canonical form", () => {
    expect([...DEFAULT_DENY_KEYS].sort()).toEqual(DEFAULTS);
    expect(DEFAULT_DENY_KEYS.map(canonicalChord)).toEqual(DEFAULT_DENY_KEYS);
  });

  it("is defaults and own entries less the allowed ones, canonical, sorted, without repeats", () => {
    expect(effectiveDenyKeys([], [])).toEqual(DEFAULTS);
    expect(effectiveDenyKeys(["CTRL+W", "ctrl+w", "alt+f4"], [])).toEqual([...DEFAULTS, "ctrl+w"].sort());
    expect(effectiveDenyKeys([], ["alt+Tab", "WIN"])).toEqual(
      DEFAULTS.filter((key) => key !== "alt+Tab" && key !== "super"),
    );
    expect(effectiveDenyKeys(["Return"], ["Enter"])).toEqual(DEFAULTS);
  });

  it("fails to load a bad entry instead of denying nothing", () => {
    for (const text of ["ctrl+*", "", "/a/", "nonsense", "ctrl+alt+del "]) {
      expect(() => denyListOf([text])).toThrow(RangeError);
    }
  });

  it.each([
    [
      "Return",
      ["Return", "enter", "KP_Enter", "ctrl+m", "ctrl+j", "ctrl+shift+m", "alt+Return", "ctrl+shift+u"],
    ],
    ["Tab", ["Tab", "KP_Tab", "ctrl+i", "shift+Tab", "ctrl+shift+u"]],
    ["Escape", ["Escape", "ctrl+bracketleft", "ctrl+3", "ctrl+braceleft", "ctrl+numbersign", "ctrl+KP_3"]],
    ["BackSpace", ["BackSpace", "ctrl+h", "ctrl+question", "ctrl+8", "ctrl+shift+slash"]],
    ["Delete", ["Delete", "KP_Delete", "KP_Decimal", "ctrl+question"]],
    ["exclam", ["exclam", "shift+1"]],
    ["shift+1", ["exclam", "shift+1", "ctrl+exclam"]],
    ["shift", ["exclam", "plus", "shift+a", "colon", "shift+F1"]],
    ["Up", ["Up", "KP_Up", "KP_8", "shift+Up"]],
    ["ctrl", ["ctrl", "ctrl+c", "ctrl+alt+x"]],
    ["minus", ["minus", "underscore", "KP_Subtract"]],
  ])("denying %s denies every form of it", (entry, texts) => {
    const deny = denyListOf([entry]);
    for (const text of texts) expect(findDenied(chord(text), deny), text).toBe(canonicalChord(entry));
  });

  it.each([
    ["Return", ["m", "j", "ctrl+n", "space", "ctrl+o", "shift+m", "ctrl+u", "KP_Add"]],
    ["ctrl+alt+Delete", ["ctrl+Delete", "alt+Delete", "Delete", "ctrl+alt", "ctrl+alt+a"]],
    ["Escape", ["3", "bracketleft", "ctrl+bracketright", "ctrl+4"]],
    ["shift+1", ["1", "KP_1", "shift+2"]],
    ["exclam", ["1", "ctrl+1"]],
    ["KP_Enter", ["Return", "ctrl+m"]],
    ["super", ["alt+Tab", "ctrl+a"]],
  ])("denying %s denies nothing else", (entry, texts) => {
    const deny = denyListOf([entry]);
    for (const text of texts) expect(findDenied(chord(text), deny), text).toBeUndefined();
  });

  it("counts keys that are down already", () => {
    const deny = denyListOf(["ctrl+w"]);
    expect(findDenied(chord("w"), deny)).toBeUndefined();
    expect(findDenied(chord("w"), deny, ["ctrl"])).toBe("ctrl+w");
  });
});

describe("pasting", () => {
  it.each([
    "ctrl+v",
    "ctrl+shift+v",
    "ctrl+alt+v",
    "shift+Insert",
    "ctrl+shift+Insert",
    "shift+KP_0",
    "super+v",
  ])("%s pastes", (text) => {
    expect(isPasteChord(chord(text))).toBe(true);
  });
  it.each(["v", "shift+v", "alt+v", "ctrl+c", "ctrl+x", "Insert", "ctrl+Insert", "KP_0"])(
    "%s does not",
    (text) => {
      expect(isPasteChord(chord(text))).toBe(false);
    },
  );
});

it("a chord's family always holds the chord itself, and is finite", () => {
  for (const key of pressableKeys()) {
    for (const prefix of ["", "ctrl+", "ctrl+alt+shift+", "shift+"]) {
      const one = chord(`${prefix}${key}`);
      const family = chordFamily(one).map((set) => [...set].sort().join("+"));
      expect(family).toContain(formatChord(one).split("+").sort().join("+"));
      expect(family.length).toBeLessThan(24);
    }
  }
});
