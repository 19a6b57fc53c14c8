// Typed text (rows T). What may never be typed is refused whole, before the first character; the twin of each is
// ordinary text of the same shape.
import type { RunCodeName } from "../../src/diagnostics/run-codes.js";
import { raw, step, type Vector, type VectorOptions, vector } from "./vector.js";

function typed(
  id: string,
  texts: readonly string[],
  codes: readonly RunCodeName[],
  twin: string,
  options: VectorOptions = {},
): Vector[] {
  return texts.map((text) =>
    vector(id, step("type", { text }), codes, step("type", { text: twin }), options),
  );
}

const DENIED = ["E_TEXT_DENIED"] as const;

const c0 = Array.from({ length: 32 }, (_, code) => code)
  .filter((code) => code !== 0x09 && code !== 0x0a)
  .map((code) => `a${String.fromCharCode(code)}b`);
const c1 = Array.from({ length: 32 }, (_, index) => `a${String.fromCharCode(0x80 + index)}b`);

export const TEXT_VECTORS: readonly Vector[] = [
  ...typed(
    "T-002",
    ["a\rb", "a\r\nb", "a\u000bb", "a\u000cb", "a\u0085b", "a\u2028b", "a\u2029b"],
    DENIED,
    "a b",
    { cap: "lines" },
  ),
  // With Return denied, the newline that would press it is denied too; with Return allowed it is typed.
  ...typed("T-002", ["a\nb", "\n", "ls\n"], DENIED, "a\nb", { cap: "A", twinCap: "lines" }),
  ...typed("T-002", ["a\tb"], DENIED, "a\tb", { cap: "aliases", twinCap: "A" }),
  ...typed("T-006", ["\u202Egnp.exe", "\u2066x\u2069", "a\u200fb", "a\u061cb"], DENIED, "gnp.exe"),
  ...typed("T-007", ["\u0000rm", "safe\u0000; rm"], DENIED, "safe; rm"),
  ...typed(
    "T-009",
    ["\u0003", "\u0004", "\u001a", "safe\b\b\b\bevil", "\u007f", "\u001b", ...c0],
    DENIED,
    "safe evil",
  ),
  ...typed("T-010", ["\u009b2J", "\u0090q", ...c1], DENIED, "2J"),
  ...typed(
    "T-016",
    ["a".repeat(10_001), "\u{1f600}".repeat(10_001), "b".repeat(100_000)],
    ["E_LIMIT"],
    "a".repeat(10_000),
  ),
  ...["5", "true", "null", '["a"]', '{"length":1}'].map((json) =>
    vector("T-018", raw("type", `{"text":${json}}`), ["E_SCHEMA"], step("type", { text: "5" })),
  ),
  vector("T-018", step("type", {}), ["E_SCHEMA"], step("type", { text: "" })),
  ...typed(
    "T-024",
    [
      "ok\u{e0069}\u{e0064}",
      "\u{e0020}",
      "\u{e007f}",
      "a\ufe0f",
      "a\ufe00b",
      "a\u{e0100}",
      "a\u{e01ef}b",
      "\u180b",
      "a\u200bb",
      "a\u200db",
      "\ufeffa",
      "a\u00adb",
      "a\u2060b",
    ],
    DENIED,
    "ok",
  ),
  ...typed("T-024", ["a\ud800b", "\udc00", "a\ud83d"], DENIED, "a\u{1f600}b"),
];

/** Text that must reach the display exactly as written, or be refused before any event. */
export const EXACT_TEXTS: readonly (readonly [id: string, text: string])[] = [
  ["T-003", "\u010a"],
  ["T-004", "\u0d0a"],
  ["T-004", "\u0109\u0209\u4e0a\u4e09"],
  ["T-005", "\u0172\u016d\u0120\u012d\u0172\u0166"],
  ["T-012", 'A!@#":~_{}|<>?'],
  ["T-013", "caf\u00e9"],
  ["T-013", "\u4f60\u597d"],
  ["T-013", "\u{1f600}"],
  ["T-015", "e\u0301"],
  ["T-015", "\u00e9"],
  ["T-015", "\ufb01"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it must be typed as it is written.
  ["T-021", "{text} %s %n ${API_KEY} {{cap}}"],
  ["T-026", `${" ".repeat(4096)}rm`],
];
