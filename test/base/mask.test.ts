import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Mask } from "../../src/base/mask.js";

const mask = (...words: string[]) => new Mask("[x]", words);

describe("a mask", () => {
  it("replaces every occurrence and nothing else", () => {
    expect(mask("secret").apply("a secret, two secrets, no Secret, no secre")).toBe(
      "a [x], two [x]s, no Secret, no secre",
    );
    expect(mask().apply("anything")).toBe("anything");
  });

  it("covers what overlapping and touching words cover together with one mark", () => {
    expect(mask("abcdef", "defghi").apply("-abcdefghi-")).toBe("-[x]-");
    expect(mask("abab").apply("-ababab-")).toBe("-[x]-");
    expect(mask("abcd", "efgh").apply("abcdefgh")).toBe("[x]");
    expect(mask("abcd", "abcdefgh").apply("abcdefgh abcdef")).toBe("[x] [x]ef");
  });

  it("takes no word that is shorter than four units", () => {
    expect(mask("abc").apply("abc")).toBe("abc");
    expect(mask("abc").isEmpty).toBe(true);
  });

  it("masks what a cut left of a word, four units or more", () => {
    expect(mask("password").apply("it is pass…")).toBe("it is [x]…");
    expect(mask("password").apply('it is "passwo"… (90 characters)')).toBe('it is "[x]"… (90 characters)');
    expect(mask("password").apply("it is pas…")).toBe("it is pas…");
    expect(mask("password").apply("it is pass")).toBe("it is pass");
  });

  it("masks a word that goes from one text into the next, in both", () => {
    expect(mask("password").applyTogether(["my pass", "", "word is", "x"])).toEqual([
      "my [x]",
      "",
      "[x] is",
      "x",
    ]);
    expect(mask("password").applyTogether(["pass ", "word"])).toEqual(["pass ", "word"]);
  });

  it("masks in a stream whatever the pieces, and holds back no more than it must", () => {
    const stream = mask("password", "passage").stream();
    expect(stream.push("no pa")).toBe("no ");
    expect(stream.push("ssw")).toBe("");
    expect(stream.push("ord, pas")).toBe("[x], ");
    expect(stream.push("t")).toBe("past");
    expect(stream.push(" passa")).toBe(" ");
    expect(stream.flush()).toBe("passa");
    expect(stream.flush()).toBe("");
  });

  it("says the same of a text and of its pieces", () => {
    const words = ["aabb", "bbaab", "abab", "baba"];
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 6 }), (pieces) => {
        const stream = mask(...words).stream();
        const shown = pieces.map((piece) => stream.push(piece)).join("") + stream.flush();
        // A mark at the end of one piece and one at the beginning of the next are one in the whole text.
        const once = (text: string) => text.replaceAll(/(\[x\])+/g, "[x]");
        expect(once(shown)).toBe(once(mask(...words).apply(pieces.join(""))));
      }),
    );
  });

  it("leaves no word in any text", () => {
    const words = ["aabb", "bbaab", "abab"];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 }), (text) => {
        const masked = mask(...words).apply(text);
        for (const word of words) expect(masked).not.toContain(word);
      }),
    );
  });
});
