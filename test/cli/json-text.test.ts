import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonDocument, jsonLine } from "../../src/cli/json-text.js";
import { parseStrictJson } from "../../src/cli/strict-json.js";

const bytes = (text: string) => Buffer.from(text, "utf8");

describe("JSON for standard output", () => {
  it("says the same to a parser, and nothing to a terminal", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        for (const print of [jsonLine, jsonDocument]) {
          const printed = print({ value, text, ["\u202e"]: 1 });
          expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify({ value, text, ["\u202e"]: 1 })));
          expect(printed.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        }
      }),
    );
  });

  it("keeps letters of any script readable", () => {
    expect(jsonLine({ text: "é日本" })).toBe('{"text":"é日本"}');
  });
});

describe("parseStrictJson", () => {
  it("reads what JSON.parse reads, where no name occurs twice", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseStrictJson(bytes(text))).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it.each([
    ['{"a":1,"a":1}', "a"],
    ['{"a":{"b":1},"c":[{"d":1,"d":2}]}', "d"],
    ['{"a":"x\\"","b":1,"\\u0061":2}', "a"],
    ['{"":1,"":2}', ""],
    ['{"a":[],"b":{},"a":[]}', "a"],
  ])("refuses %s", (text, name) => {
    expect(parseStrictJson(bytes(text))).toEqual({
      ok: false,
      reason: `the name ${JSON.stringify(name)} occurs twice`,
    });
  });

  it.each(['{"a":{"a":1}}', '[{"a":1},{"a":2}]', '{"a":"a","b":["a","a"]}', '{"a\\\\":1,"a":2}'])(
    "takes %s, where names only look alike",
    (text) => {
      expect(parseStrictJson(bytes(text)).ok).toBe(true);
    },
  );
});
