// The spec: what a declaration becomes, and back. (Hostile files: test/adversarial/spec.test.ts.)
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/base/canonical-json.js";
import { digestBytes } from "../../src/base/digest.js";
import {
  type AgentEntry,
  declarationOf,
  declaredFields,
  findDrift,
  readSpecBytes,
  readSpecValue,
  sealSpec,
  serialiseSpec,
} from "../../src/contract/agent-spec.js";
import { CAPABILITY_WORD_LIST } from "../../src/contract/capability.js";
import { type ComputerUseOptions, checkDeclaration } from "../../src/contract/declaration.js";
import { pressableKeys } from "../../src/contract/keys.js";
import { ComputerCap } from "../../src/runtime/cap/computer-cap.js";
import { entryOf } from "../adversarial/fixtures.js";

const words = fc.subarray([...CAPABILITY_WORD_LIST], { minLength: 1 });
const keys = fc.array(
  fc
    .tuple(fc.subarray(["ctrl", "alt", "shift", "Super_L"]), fc.constantFrom(...pressableKeys()))
    .map(([modifiers, key]) => [...modifiers, key].join("+")),
  { maxLength: 6 },
);
const options: fc.Arbitrary<ComputerUseOptions> = fc
  .record({
    cap: words.map((list) => list.join(" + ")),
    size: fc.record({
      width: fc.integer({ min: 1, max: 16_384 }),
      height: fc.integer({ min: 1, max: 16_384 }),
    }),
    corner: fc.record({
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      y: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    more: fc.record(
      {
        model: fc.constantFrom("claude-opus-5-5", "claude-opus-4-7", "claude-sonnet-4-5"),
        denyKeys: keys,
        allowKeys: keys,
        maxActions: fc.integer({ min: 0, max: 1_000_000 }),
        maxEvents: fc.integer({ min: 1, max: 100_000 }),
        maxTurns: fc.integer({ min: 1, max: 10_000 }),
        maxSeconds: fc.integer({ min: 1, max: 1000 }),
        maxTokens: fc.integer({ min: 1, max: 1_000_000 }),
        onViolation: fc.constantFrom("abort" as const, "refuse" as const),
        display: fc.constant({ width: 1920, height: 1080 }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ cap, size, corner, more }) => {
    const x = Math.floor(corner.x * (size.width - 1));
    const y = Math.floor(corner.y * (size.height - 1));
    return { cap, ...size, bounds: { x, y, width: size.width - x, height: size.height - y }, ...more };
  });

describe("a spec", () => {
  it("says of every declaration all that it said, through bytes and back", () => {
    fc.assert(
      fc.property(options, (given) => {
        const entry = entryOf(given);
        const text = serialiseSpec(sealSpec("capuchin/test", [entry]));
        const reading = readSpecBytes(new TextEncoder().encode(text));
        expect(reading.ok ? "" : reading.reason).toBe("");
        if (!reading.ok) return;
        const [back] = reading.spec.agents;
        expect(canonicalJson(back)).toBe(canonicalJson(entry));
        const { declaration } = checkDeclaration(given);
        if (!declaration || !back) throw new Error("no declaration");
        expect(findDrift(declaration, back)).toEqual([]);
        expect(canonicalJson(declaredFields(declarationOf(back)))).toBe(
          canonicalJson(declaredFields(declaration)),
        );
        const cap = ComputerCap.fromSpec(back);
        expect(cap.capability).toBe(declaration.capability);
        expect(cap.denyKeys).toEqual(declaration.denyKeys);
      }),
      { numRuns: 150 },
    );
  });

  it("is the same bytes whatever the order of agents and of keys", () => {
    const a = entryOf({ cap: "computer.screen" }, "Alpha");
    const b = entryOf({ cap: "computer.input" }, "Beta");
    const shuffled = Object.fromEntries(Object.entries(a).reverse()) as unknown as AgentEntry;
    const text = serialiseSpec(sealSpec("capuchin/test", [b, shuffled]));
    expect(text).toBe(serialiseSpec(sealSpec("capuchin/test", [a, b])));
    expect(text.endsWith("}\n")).toBe(true);
    expect(text.indexOf("Alpha")).toBeLessThan(text.indexOf("Beta"));
  });

  it("has a digest over its canonical text with an empty digest", () => {
    const spec = sealSpec("capuchin/test", [entryOf({ cap: "computer.screen" })]);
    expect(spec.digest).toBe(digestBytes(canonicalJson({ ...spec, digest: "" })));
    expect(readSpecValue(spec).ok).toBe(true);
    expect(readSpecValue({ ...spec, generator: "capuchin/other" })).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^digest is sha256:/),
    });
  });

  it("keeps the text of cap as written, beside its canonical form", () => {
    const entry = entryOf({ cap: "  computer.screen+computer.input.pointer +computer.input.keyboard" });
    expect(entry.capText).toBe("  computer.screen+computer.input.pointer +computer.input.keyboard");
    expect(entry.capability).toBe("computer.input.keyboard + computer.input.pointer + computer.screen");
  });

  it("gives a cap for a deny-list of the greatest length that may be declared", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz".split("");
    const denyKeys = [
      "ctrl",
      "alt",
      "ctrl+alt",
      "ctrl+shift",
      "alt+shift",
      "shift",
      "ctrl+alt+shift",
      "super",
      "ctrl+super",
      "alt+super",
    ]
      .flatMap((modifiers) => letters.map((letter) => `${modifiers}+${letter}`))
      .slice(0, 256);
    const cap = ComputerCap.fromSpec(entryOf({ cap: "computer.input", denyKeys }));
    expect(cap.denyKeys).toHaveLength(256 + 19);
  });
});
