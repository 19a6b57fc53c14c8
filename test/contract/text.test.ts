// The text policy against Unicode's own properties, over every code point.
import { describe, expect, it } from "vitest";
import { countCodePoints, findForbiddenCharacter } from "../../src/contract/text.js";

/** Every code point whose one-character text is judged so. */
function codePoints(judge: (character: string) => boolean): number[] {
  const found: number[] = [];
  for (let code = 0; code <= 0x10ffff; code++) if (judge(String.fromCodePoint(code))) found.push(code);
  return found;
}
const hex = (code: number) => `U+${code.toString(16).toUpperCase()}`;
const isForbidden = (character: string) => findForbiddenCharacter(character) !== undefined;

describe("what may never be typed", () => {
  it.each<readonly [string, RegExp]>([
    ["controls but newline and tab", /^(?![\n\t])\p{Cc}$/u],
    ["format characters", /^\p{Cf}$/u],
    ["line and paragraph separators", /^[\p{Zl}\p{Zp}]$/u],
    ["lone surrogates", /^\p{Cs}$/u],
    ["bidi controls", /^\p{Bidi_Control}$/u],
    ["join controls", /^\p{Join_Control}$/u],
    ["variation selectors", /^\p{Variation_Selector}$/u],
    ["everything that is invisible unless supported", /^\p{Default_Ignorable_Code_Point}$/u],
    ["noncharacters", /^\p{Noncharacter_Code_Point}$/u],
    ["deprecated characters of format", /^(?=\p{Deprecated})\p{Cf}$/u],
  ])("holds all %s", (_what, property) => {
    const allowed = codePoints((character) => property.test(character) && !isForbidden(character));
    expect(allowed.map(hex)).toEqual([]);
  });

  it("holds no letter, mark, number, punctuation or symbol that can be seen", () => {
    const seen = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
    expect(codePoints((character) => seen.test(character) && isForbidden(character)).map(hex)).toEqual([]);
  });

  it("sets newline, tab and the space aside", () => {
    for (const text of ["\n", "\t", " ", "a\nb\tc d"]) expect(findForbiddenCharacter(text)).toBeUndefined();
  });

  it("says which character and where, counted in code points", () => {
    expect(findForbiddenCharacter("\u{1f600}\u{1f600}\u200b")).toEqual({ codePoint: 0x200b, at: 2 });
    expect(findForbiddenCharacter("a\ud800")).toEqual({ codePoint: 0xd800, at: 1 });
  });
});

describe("counting", () => {
  it.each<readonly [string, number]>([
    ["", 0],
    ["abc", 3],
    ["\u{1f600}", 1],
    ["e\u0301", 2],
    ["\u{1f600}".repeat(10_000), 10_000],
    ["a".repeat(10_001), 10_001],
    ["a".repeat(20_001), 10_001],
    ["a".repeat(10_000_000), 10_001],
  ])("counts code points no further than one past the limit", (text, count) => {
    expect(countCodePoints(text)).toBe(count);
  });
});
