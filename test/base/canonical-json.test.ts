// Canonical JSON and digests. Vectors: RFC 8785's sorting example, FIPS 180-4's test values of SHA-256.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, canonicalJsonPretty } from "../../src/base/canonical-json.js";
import { DIGEST_PATTERN, digestBytes, digestJson, randomId } from "../../src/base/digest.js";

describe("canonicalJson", () => {
  it("sorts keys by UTF-16 code units, as RFC 8785 section 3.2.3 shows", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\u{1f600}": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    const keys = [...canonicalJson(value).matchAll(/"((?:[^"\\]|\\.)*)":/g)].map((match) => match[1]);
    expect(keys).toEqual(["\\r", "1", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\ufb33"]);
  });

  it("sorts keys that look like numbers as the texts they are", () => {
    expect(canonicalJson({ 9: 1, 10: 2, "!": 3 })).toBe('{"!":3,"10":2,"9":1}');
  });

  it("lays values out as JSON.stringify does with two spaces", () => {
    for (const value of [{}, [], { a: {}, b: [] }, { a: [1, [2, { b: "c" }]], d: { e: null } }, "x", 5])
      expect(canonicalJsonPretty(value)).toBe(`${JSON.stringify(value, null, 2)}\n`);
  });

  it.each<readonly [unknown, string]>([
    [null, "null"],
    [-0, "0"],
    [1e21, "1e+21"],
    [0.1, "0.1"],
    [[3, [], {}], "[3,[],{}]"],
    [{ b: 1, a: { d: 1, c: [{ z: 1, y: 2 }] } }, '{"a":{"c":[{"y":2,"z":1}],"d":1},"b":1}'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    ['\u2028\u0007"\\', '"\u2028\\u0007\\"\\\\"'],
    [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  ])("writes %j", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each<readonly [string, unknown, string]>([
    ["NaN", { a: [Number.NaN] }, "$.a[0]"],
    ["Infinity", Number.POSITIVE_INFINITY, "$"],
    ["a bigint", { n: 1n }, "$.n"],
    ["a function", { f: () => 1 }, "$.f"],
    ["a symbol", { s: Symbol("x") }, "$.s"],
    ["undefined in a list", [undefined], "$[0]"],
    ["undefined", undefined, "$"],
  ])("refuses %s and names the path", (_what, value, path) => {
    expect(() => canonicalJson(value)).toThrow(new RegExp(`at ${path.replace(/[$[\].]/g, "\\$&")}$`));
  });

  it("is the same text for the same value, whatever the order of its keys", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, (value) => {
        const reversed = (one: unknown): unknown => {
          if (Array.isArray(one)) return one.map(reversed);
          if (typeof one !== "object" || one === null) return one;
          const copy: Record<string, unknown> = Object.create(null);
          for (const key of Object.keys(one).reverse())
            copy[key] = reversed((one as Record<string, unknown>)[key]);
          return copy;
        };
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(JSON.parse(canonicalJsonPretty(value)))).toBe(text);
      }),
    );
  });
});

describe("digests", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("of %j", (text, hash) => {
    expect(digestBytes(text)).toBe(`sha256:${hash}`);
    expect(digestBytes(new TextEncoder().encode(text))).toBe(`sha256:${hash}`);
    expect(digestBytes(text)).toMatch(DIGEST_PATTERN);
  });

  it("of JSON are those of its canonical text", () => {
    expect(digestJson({ b: 1, a: [true] })).toBe(digestBytes('{"a":[true],"b":1}'));
    expect(digestJson({ a: "1" })).not.toBe(digestJson({ a: 1 }));
  });

  it("T-015 tell composed from decomposed characters", () => {
    expect(digestJson({ text: "e\u0301" })).not.toBe(digestJson({ text: "\u00e9" }));
    expect(digestJson({ text: "\ufb01" })).not.toBe(digestJson({ text: "fi" }));
  });

  it("random ids differ and hold 128 bits", () => {
    const ids = new Set(Array.from({ length: 1000 }, () => randomId("run")));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^run-[0-9a-f]{32}$/);
  });
});
