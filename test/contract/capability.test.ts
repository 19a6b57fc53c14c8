// The capability grammar (after Mighty's, with a closed vocabulary) and the order of its words.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CAPABILITY_WORD_LIST,
  type CapabilityWord,
  canonicalWords,
  formatCapability,
  isCapabilityWord,
  isWithin,
  LEAF_WORDS,
  parseCapability,
  wordCovers,
  wordsCover,
} from "../../src/contract/capability.js";

/** The vocabulary as the design lists it; a change here is a change of what users may write. */
const VOCABULARY = [
  "computer.screen",
  "computer.input",
  "computer.input.pointer",
  "computer.input.keyboard",
  "computer.clipboard",
  "computer.clipboard.read",
  "computer.clipboard.write",
  "computer.windows",
  "computer.spawn",
];

it("has the vocabulary of the design", () => {
  expect(CAPABILITY_WORD_LIST).toEqual(VOCABULARY);
});

describe("grammar", () => {
  it.each([
    ["computer.screen", "computer.screen"],
    ["computer.screen + computer.input", "computer.input + computer.screen"],
    ["computer.input+computer.screen", "computer.input + computer.screen"],
    ["computer.screen   +   computer.input", "computer.input + computer.screen"],
    [" computer.screen ", "computer.screen"],
    ["\tcomputer.screen\n+\r\ncomputer.spawn", "computer.screen + computer.spawn"],
    ["computer.screen + computer.screen", "computer.screen"],
    ["computer.input.pointer + computer.input", "computer.input"],
    ["computer.input.pointer + computer.input.keyboard", "computer.input.keyboard + computer.input.pointer"],
  ])("takes %j", (text, canonical) => {
    expect(parseCapability(text)).toMatchObject({ ok: true, canonical });
  });

  it.each(["", " ", "  ", "\n\t"])("finds %j blank", (text) => {
    expect(parseCapability(text)).toEqual({ ok: false, problem: { kind: "blank" } });
  });

  it.each([
    ["computer.screen +", ""],
    ["+ computer.screen", ""],
    ["computer.screen ++ computer.input", ""],
    ["+", ""],
    ["computer..screen", "computer..screen"],
    [".screen", ".screen"],
    ["computer.", "computer."],
    ["1computer", "1computer"],
    ["computer.1screen", "computer.1screen"],
    ["computer-screen", "computer-screen"],
    ["computer . screen", "computer . screen"],
    ["computer.screen computer.input", "computer.screen computer.input"],
    ["computer.screen, computer.input", "computer.screen, computer.input"],
    ['"computer.screen"', '"computer.screen"'],
    ["computer.screen()", "computer.screen()"],
    ["computer.*", "computer.*"],
    ["*", "*"],
    ["computer.scr\u0435en", "computer.scr\u0435en"],
    ["computer.\u200bscreen", "computer.\u200bscreen"],
    ["123bad", "123bad"],
  ])("refuses %j by its syntax", (text, part) => {
    expect(parseCapability(text)).toEqual({ ok: false, problem: { kind: "syntax", part } });
  });

  it.each([
    ["computer.inptu", "computer.input"],
    ["Computer.screen", "computer.screen"],
    ["COMPUTER.SCREEN", "computer.screen"],
    ["computer.screens", "computer.screen"],
    ["screen", "computer.screen"],
    ["pointer", "computer.input.pointer"],
    ["computer.keyboard", "computer.input.keyboard"],
    ["fs.write", undefined],
    ["nonsense", undefined],
    ["computer", undefined],
    ["__proto__", undefined],
    ["constructor", undefined],
    ["computer.dom", undefined],
  ])("does not know %j", (text, suggestion) => {
    const parsed = parseCapability(text);
    expect(parsed).toMatchObject({ ok: false, problem: { kind: "unknown", part: text } });
    if (suggestion !== undefined) expect(parsed).toMatchObject({ problem: { suggestion } });
  });

  it("reports the first problem from the left", () => {
    expect(parseCapability("nonsense + a-b")).toMatchObject({ problem: { kind: "unknown" } });
    expect(parseCapability("a-b + nonsense")).toMatchObject({ problem: { kind: "syntax" } });
  });

  it("says which words add nothing", () => {
    const parsed = parseCapability(
      "computer.input + computer.input.pointer + computer.screen + computer.screen",
    );
    expect(parsed).toMatchObject({
      redundant: [
        { word: "computer.input.pointer", reason: "covered", by: "computer.input" },
        { word: "computer.screen", reason: "repeated", by: "computer.screen" },
      ],
    });
  });

  it("reads a text of a hundred thousand words", () => {
    const parsed = parseCapability(Array.from({ length: 100_000 }, () => "computer.spawn").join("+"));
    expect(parsed).toMatchObject({ ok: true, canonical: "computer.spawn" });
    expect(parsed.ok && parsed.redundant.length).toBe(99_999);
  });

  it("knows own words only", () => {
    for (const word of ["__proto__", "constructor", "toString", "computer"])
      expect(isCapabilityWord(word)).toBe(false);
  });
});

/** What a set of words grants, worked out from the texts alone: the leaves that start with a word. */
function leavesOf(words: readonly string[]): Set<string> {
  const leaves = VOCABULARY.filter((word) => !VOCABULARY.some((other) => other.startsWith(`${word}.`)));
  return new Set(leaves.filter((leaf) => words.some((word) => leaf === word || leaf.startsWith(`${word}.`))));
}

const anyWords = fc.subarray([...CAPABILITY_WORD_LIST]);
const anyWord = fc.constantFrom(...CAPABILITY_WORD_LIST);

describe("order", () => {
  it("has the leaves that the vocabulary has", () => {
    expect(new Set(LEAF_WORDS)).toEqual(leavesOf(VOCABULARY));
  });

  it("is the order of the sets of leaves", () => {
    fc.assert(
      fc.property(anyWords, anyWords, (inner, outer) => {
        const expected = [...leavesOf(inner)].every((leaf) => leavesOf(outer).has(leaf));
        expect(isWithin(inner, outer)).toBe(expected);
      }),
    );
  });

  it("covers one word as the sets of leaves do, two halves together making the whole", () => {
    fc.assert(
      fc.property(anyWords, anyWord, (granted, needed) => {
        const have = leavesOf(granted);
        expect(wordsCover(granted, needed)).toBe([...leavesOf([needed])].every((leaf) => have.has(leaf)));
      }),
    );
    expect(wordsCover(["computer.input.pointer", "computer.input.keyboard"], "computer.input")).toBe(true);
    expect(wordsCover(["computer.input.pointer"], "computer.input")).toBe(false);
    expect(wordsCover([], "computer.screen")).toBe(false);
  });

  it("is no matter of text prefixes", () => {
    expect(wordCovers("computer.input", "computer.input.pointer")).toBe(true);
    expect(wordCovers("computer.input.pointer", "computer.input")).toBe(false);
    for (const a of CAPABILITY_WORD_LIST) {
      for (const b of CAPABILITY_WORD_LIST) {
        expect(wordCovers(a, b)).toBe(a === b || b.split(".").slice(0, a.split(".").length).join(".") === a);
      }
    }
  });

  it("has one canonical form for one grant of the same words", () => {
    fc.assert(
      fc.property(
        fc.array(anyWord, { minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom("", " ", "\t")),
        (words, blanks) => {
          const text = words
            .map((word, index) => `${blanks[index] ?? ""}${word}${blanks[index + 1] ?? ""}`)
            .join("+");
          const parsed = parseCapability(text);
          expect(parsed.ok).toBe(true);
          if (!parsed.ok) return;
          expect(parsed.canonical).toBe(formatCapability(words));
          const again = parseCapability(parsed.canonical);
          expect(again).toMatchObject({ ok: true, canonical: parsed.canonical, redundant: [] });
          const kept = canonicalWords(words) as readonly CapabilityWord[];
          expect([...kept].sort()).toEqual(kept);
          expect(leavesOf(kept)).toEqual(leavesOf(words));
        },
      ),
    );
  });
});
