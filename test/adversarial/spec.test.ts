// Hostile spec files (rows S), judged by their bytes alone. Whoever edits one can also recompute its digest, so each
// edit is tried sealed and unsealed; the twin is the same file unedited.
import { describe, expect, it } from "vitest";
import { canonicalJsonPretty } from "../../src/base/canonical-json.js";
import { digestJson } from "../../src/base/digest.js";
import { findDrift, readSpecBytes, sealSpec, serialiseSpec } from "../../src/contract/agent-spec.js";
import { checkDeclaration } from "../../src/contract/declaration.js";
import { ComputerCap } from "../../src/runtime/cap/computer-cap.js";
import { CAPS, capEntry, entryOf } from "./fixtures.js";

const GOOD = serialiseSpec(sealSpec("capuchin/test", [capEntry("A")]));
type Json = Record<string, unknown>;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readSpecBytes(bytesOf(text));

/** The spec with one agent edited, written canonically; sealed again unless told otherwise. */
function edited(edit: (agent: Json, spec: Json) => void, seal = true): string {
  const spec = JSON.parse(GOOD) as Json;
  const [agent] = spec["agents"] as [Json];
  edit(agent, spec);
  if (seal) spec["digest"] = digestJson({ ...spec, digest: "" });
  return canonicalJsonPretty(spec);
}

/** Sets a member even where the name is a setter of the prototype. */
function put(target: Json, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A shell-like placeholder, built here so that it is never one of ours. */
const dollar = (name: string) => `$\{${name}}`;

const WIDE_BOUNDS = { x: 0, y: 0, width: 1280, height: 800 };

const FIELDS: readonly (readonly [id: string, field: string, value: unknown])[] = [
  ["S-001", "__proto__", { screen: true }],
  ["S-002", "constructor", { prototype: { screen: true } }],
  ["S-002", "prototype", {}],
  ["S-002", "__defineGetter__", 1],
  ["S-004", "denykeys", ["Return"]],
  ["S-004", "deny_keys", ["Return"]],
  ["S-004", "quotas", 3],
  ["S-004", "zzz", null],
  ["S-005", "screen", true],
  ["S-005", "capText", true],
  ["S-005", "capText", 1],
  ["S-005", "capText", null],
  ["S-005", "capText", []],
  ["S-005", "onViolation", "false"],
  ["S-005", "onViolation", true],
  ["S-006", "input", true],
  ["S-006", "input", { mouse: "left" }],
  ["S-006", "capability", "computer.clipboard + computer.input + computer.screen"],
  ["S-006", "capText", "computer.clipboard + computer.input + computer.screen"],
  ["S-006", "capText", "computer.everything"],
  ["S-006", "capText", ""],
  ["S-008", "bounds", []],
  ["S-008", "bounds", {}],
  ["S-008", "bounds", null],
  ["S-008", "bounds", { ...WIDE_BOUNDS, width: 0 }],
  ["S-008", "bounds", { ...WIDE_BOUNDS, width: 1281 }],
  ["S-008", "bounds", { ...WIDE_BOUNDS, x: -1 }],
  ["S-008", "bounds", { ...WIDE_BOUNDS, z: 1 }],
  ["S-012", "extends", "./self.json"],
  ["S-012", "extends", "http://evil/x.json"],
  ["S-012", "$ref", "/etc/passwd"],
  ["S-013", "apiKey", dollar("ANTHROPIC_API_KEY")],
  ["S-013", "model", dollar("HOME")],
  ["S-013", "model", "$(id)"],
  ["S-013", "capText", dollar("CAP")],
  ["S-015", "denyKeys", ["/(a+)+$/"]],
  ["S-015", "denyKeys", ["ctrl+*"]],
  ["S-015", "denyKeys", [""]],
  ["S-015", "denyKeys", ["Ctrl+w"]],
  ["S-015", "denyKeys", ["super", "ctrl+w"]],
  ["S-015", "denyKeys", ["ctrl+w", "ctrl+w"]],
  ["S-015", "denyKeys", null],
  ["S-020", "\u0455creen", true],
  ["S-020", "scre\u200ben", true],
  ["S-020", "denyKeys\u202e", []],
  ["S-022", "width", 99_999],
  ["S-022", "width", 16_385],
  ["S-022", "width", 0],
  ["S-022", "height", -1],
  ["S-022", "width", 1280.5],
  ["S-022", "width", "1280"],
  ["Q-018", "maxActions", -1],
  ["Q-018", "maxActions", 1.5],
  ["Q-018", "maxActions", "20"],
  ["Q-018", "maxActions", null],
  ["Q-018", "maxActions", 9_007_199_254_740_992],
  ["Q-018", "maxTurns", 0],
  ["Q-018", "maxEvents", 0],
];

describe("a spec file", () => {
  it("is read when nobody edited it, and gives a cap", () => {
    const reading = read(GOOD);
    expect(reading).toMatchObject({ ok: true });
    expect(read(edited(() => {}))).toMatchObject({ ok: true });
    const [entry] = reading.ok ? reading.spec.agents : [];
    expect(entry && ComputerCap.fromSpec(entry).capability).toBe("computer.input + computer.screen");
  });

  it.each(FIELDS)("%s is refused with %s set to %j", (_id, field, value) => {
    for (const seal of [true, false]) {
      const reading = read(edited((agent) => put(agent, field, value), seal));
      expect(reading.ok).toBe(false);
      // Shown with everything but ASCII escaped: a look-alike letter must not pass for the real one in review.
      if (!reading.ok) expect(reading.reason).toMatch(/^[\x20-\x7e]*$/);
    }
    expect(({} as Json)["screen"]).toBeUndefined();
    const entry = JSON.parse(edited((agent) => put(agent, field, value))) as { agents: [never] };
    expect(() => ComputerCap.fromSpec(entry.agents[0])).toThrow(expect.objectContaining({ code: "E_SPEC" }));
  });

  it.each([
    "agent",
    "bounds",
    "capText",
    "capability",
    "denyKeys",
    "height",
    "maxEvents",
    "maxTurns",
    "onViolation",
    "sourceHash",
    "tool",
    "uses",
    "width",
  ])("S-008 is refused without %s", (field) => {
    expect(read(edited((agent) => delete agent[field])).ok).toBe(false);
  });

  it("names the unknown field, escaped", () => {
    const reading = read(edited((agent) => put(agent, "scre\u200ben", true)));
    expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining("scre\\u{200b}en") });
    const cyrillic = read(edited((agent) => put(agent, "\u0455creen", true)));
    expect(cyrillic).toMatchObject({ ok: false, reason: expect.stringContaining("\\u{455}creen") });
  });

  it.each([
    ["S-021", (spec: Json) => put(spec, "specVersion", 2)],
    ["S-021", (spec: Json) => put(spec, "specVersion", "1")],
    ["S-021", (spec: Json) => delete spec["specVersion"]],
    ["S-001", (spec: Json) => put(spec, "__proto__", { agents: [] })],
    ["S-012", (spec: Json) => put(spec, "extends", "./other.json")],
    ["S-008", (spec: Json) => put(spec, "agents", {})],
    ["S-008", (spec: Json) => delete spec["agents"]],
    ["S-005", (spec: Json) => put(spec, "generator", "")],
    [
      "two agents of one name",
      (spec: Json) => put(spec, "agents", [...(spec["agents"] as []), ...(spec["agents"] as [])]),
    ],
  ])("%s is refused with its top level edited", (_id, edit) => {
    expect(read(edited((_agent, spec) => void edit(spec))).ok).toBe(false);
  });

  it.each([
    ["S-009 a comment", `// reviewed\n${GOOD}`],
    ["S-009 a trailing comma", GOOD.replace(/\n\}\n$/, ",\n}\n")],
    ["S-009 JSON5", GOOD.replace('"specVersion"', "specVersion")],
    ["S-009 a byte order mark", `\ufeff${GOOD}`],
    ["S-009 a NUL", GOOD.replace("1280", "1280\0")],
    ["S-009 a NUL at the end", `${GOOD}\0`],
    ["other spacing", GOOD.replace(/\n {2}/g, "\n   ")],
    ["no closing newline", GOOD.trimEnd()],
    ["two closing newlines", `${GOOD}\n`],
    ["Windows line ends", GOOD.replaceAll("\n", "\r\n")],
    ["another form of a number", GOOD.replace('"width": 1280', '"width": 1.28e3')],
    ["an escaped letter", GOOD.replace('"capText"', '"\\u0063apText"')],
    ["a repeated key", GOOD.replace('"maxTurns": 10', '"maxTurns": 10000,\n      "maxTurns": 10')],
    ["another order of keys", GOOD.replace(/( +"height": 800,\n)( +"maxActions": 20,\n)/, "$2$1")],
    ["two documents", `${GOOD}${GOOD}`],
    ["nothing", ""],
    ["null", "null\n"],
    ["a list", "[]\n"],
    ["deep nesting", "[".repeat(100_000)],
    ["an infinite limit", GOOD.replace('"maxActions": 20', '"maxActions": 1e400')],
  ])("is refused with %s", (_what, text) => {
    expect(text).not.toBe(GOOD);
    expect(read(text).ok).toBe(false);
  });

  it("S-009 is refused as UTF-16 and as broken UTF-8", () => {
    expect(readSpecBytes(new Uint8Array(Buffer.from(GOOD, "utf16le"))).ok).toBe(false);
    const bytes = bytesOf(GOOD);
    const at = GOOD.indexOf("Operator");
    bytes[at] = 0xff;
    expect(readSpecBytes(bytes)).toMatchObject({ ok: false, reason: "is not UTF-8" });
  });

  it("is refused above 4 MiB before it is parsed", () => {
    const reading = readSpecBytes(new Uint8Array(4 * 1024 * 1024 + 1));
    expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining("4194304") });
    expect(readSpecBytes(new Uint8Array(4 * 1024 * 1024))).toMatchObject({
      ok: false,
      reason: "is not JSON",
    });
  });

  it("is refused with any one byte changed", () => {
    const bytes = bytesOf(GOOD);
    const passed: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [0x01, 0x20]) {
        const changed = bytes.slice();
        changed[at] = (changed[at] ?? 0) ^ flip;
        if (readSpecBytes(changed).ok) passed.push(at);
      }
    }
    expect(passed).toEqual([]);
  });

  it("S-013 expands nothing: a dollar in a name stays one", () => {
    const reading = read(edited((agent) => put(agent, "file", `${dollar("HOME")}/$(id).ts`)));
    expect(reading).toMatchObject({ ok: true, spec: { agents: [{ file: `${dollar("HOME")}/$(id).ts` }] } });
  });
});

describe("F-025 a class that differs from its spec", () => {
  const { declaration } = checkDeclaration(CAPS.A);
  if (!declaration) throw new Error("the fixture is no declaration");
  const entry = capEntry("A");

  it("does not differ from its own entry", () => {
    expect(findDrift(declaration, entry)).toEqual([]);
  });

  it.each([
    ["bounds", { ...CAPS.A, bounds: WIDE_BOUNDS }],
    ["denyKeys", { ...CAPS.A, denyKeys: [] }],
    ["allowKeys", { ...CAPS.A, allowKeys: ["alt"] }],
    ["capability", CAPS.paste],
    ["capText", { ...CAPS.A, cap: "computer.input + computer.screen" }],
    ["maxActions", { ...CAPS.A, maxActions: 21 }],
    ["maxTurns", { ...CAPS.A, maxTurns: 11 }],
    ["onViolation", { ...CAPS.A, onViolation: "abort" as const }],
    ["width", { ...CAPS.A, width: 1281 }],
    ["model", { ...CAPS.A, model: "claude-opus-4-7" }],
    ["maxSeconds", { ...CAPS.A, maxSeconds: 5 }],
    ["display", { ...CAPS.A, display: { width: 640, height: 400 } }],
  ])("names %s", (field, options) => {
    expect(findDrift(declaration, entryOf(options))).toContain(field);
  });
});
