import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeValue, escapeText, quoteText } from "../../src/base/escape.js";

describe("escapeText", () => {
  it.each([
    ["plain ASCII ~!@#", "plain ASCII ~!@#"],
    [
      "caf\u00e9 \u4f60\u597d \u{1f600} \u0440\u0443\u0441",
      "caf\u00e9 \u4f60\u597d \u{1f600} \u0440\u0443\u0441",
    ],
    ["a\u001b[31mred", "a\\u{1b}[31mred"],
    ["\u202egnp.exe", "\\u{202e}gnp.exe"],
    ["\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["a\u200bb\ufeff", "a\\u{200b}b\\u{feff}"],
    ["line\nfeed\r\t", "line\\u{a}feed\\u{d}\\u{9}"],
    ["\u009b2J", "\\u{9b}2J"],
    ["\ud800x", "\\u{d800}x"],
    ["\u{e0041}", "\\u{e0041}"],
    ["a\u00a0b\u3000c\u2028", "a\\u{a0}b\\u{3000}c\\u{2028}"],
    ["a\u034fb", "a\\u{34f}b"],
  ])("shows %j as %j", (text, shown) => {
    expect(escapeText(text)).toBe(shown);
  });

  it("leaves nothing that a terminal or an eye could be fooled by, and shows the plain space only as blank", () => {
    const hidden = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u;
    for (let code = 0; code <= 0x10ffff; code++) {
      const shown = escapeText(String.fromCodePoint(code)).replaceAll(" ", "");
      if (hidden.test(shown)) throw new Error(`U+${code.toString(16)} stays`);
    }
  });

  it("loses nothing: what is shown tells which character it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const back = escapeText(text).replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        );
        fc.pre(!/\\u\{/.test(text));
        expect(back).toBe(text);
      }),
    );
  });
});

describe("quoteText", () => {
  it("escapes quotes and backslashes, so that where the text ends is never in doubt", () => {
    expect(quoteText('a"b\\c')).toBe('"a\\"b\\\\c"');
  });
  it("cuts by code points and says how long the text was", () => {
    expect(quoteText("\u{1f600}".repeat(100), 3)).toBe(`"${"\u{1f600}".repeat(3)}"… (100 characters)`);
    expect(quoteText("abc", 3)).toBe('"abc"');
  });
});

describe("describeValue", () => {
  it.each<readonly [unknown, string]>([
    [undefined, "undefined"],
    [null, "null"],
    [5, "5"],
    [Number.NaN, "NaN"],
    [5n, "5n"],
    [true, "true"],
    [Symbol("x"), "a symbol"],
    [() => 1, "a function"],
    [[1, 2], "an array of 2"],
    [{ toString: 1 }, "an object"],
    ["a\nb", '"a\\u{a}b"'],
  ])("describes %o", (value, text) => {
    expect(describeValue(value)).toBe(text);
  });

  it("runs no code of the value", () => {
    const trap = new Proxy(
      {},
      {
        get() {
          throw new Error("read");
        },
        ownKeys() {
          throw new Error("listed");
        },
      },
    );
    expect(describeValue(trap)).toBe("an object");
  });
});
