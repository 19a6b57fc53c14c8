// Every vector played on the gate itself, in both wire styles.
import { afterAll, describe, expect, it } from "vitest";
import { type ParsedAction, parseToolCall, type WireStyle } from "../../src/contract/parse-action.js";
import { ComputerCap, createGate } from "../../src/runtime/cap/computer-cap.js";
import { BOUNDS_VECTORS, EXACT_CLICKS } from "./bounds.js";
import { CALL_VECTORS } from "./calls.js";
import { CAPS, type CapName, capEntry } from "./fixtures.js";
import { KEY_VECTORS } from "./keys.js";
import { LIMIT_VECTORS } from "./limits.js";
import { EXACT_TEXTS, TEXT_VECTORS } from "./text.js";
import { type Judged, raw, Score, type Step, type Vector } from "./vector.js";
import { wireCall } from "./wire.js";

const STYLES = ["single", "toolset"] as const;
const caps = new Map(
  (Object.keys(CAPS) as CapName[]).map((name) => [name, ComputerCap.fromSpec(capEntry(name))]),
);

function parse(step: Step, style: WireStyle): ParsedAction {
  return parseToolCall(wireCall(step, style), [style]);
}

/** Plays the steps on a fresh gate; the last one's verdict counts, the others must be allowed. */
function play(vector: Vector, which: "attempt" | "twin", style: WireStyle): Judged {
  const name = which === "attempt" ? vector.cap : vector.twinCap;
  const cap = caps.get(name);
  if (!cap) throw new Error(`no cap ${name}`);
  const gate = createGate(cap, cap.viewport);
  const context = { pointer: which === "attempt" ? vector.pointer : vector.twinPointer };
  for (const step of vector.before) {
    const parsed = parse(step, style);
    expect(parsed.ok && gate.commit(parsed.action, context).ok, `before: ${step.action} ${step.json}`).toBe(
      true,
    );
  }
  const used = gate.usage();
  const parsed = parse(which === "attempt" ? vector.step : vector.twin, style);
  if (!parsed.ok) return { allowed: false, code: parsed.code, reason: parsed.reason };
  const decided = gate.commit(parsed.action, context);
  if (!decided.ok) {
    expect(gate.usage(), "a refused action costs nothing").toEqual(used);
    return { allowed: false, code: decided.code, reason: decided.reason };
  }
  return { allowed: true, code: undefined, reason: undefined };
}

const VECTORS = [...KEY_VECTORS, ...TEXT_VECTORS, ...BOUNDS_VECTORS, ...LIMIT_VECTORS];
const score = new Score();
afterAll(() => score.print("gate"));

describe.each(STYLES)("the gate, %s style", (style) => {
  it.each(VECTORS.map((vector) => [vector.id, vector.label, vector] as const))(
    "%s refuses %s",
    (_id, _label, vector) => {
      const judged = play(vector, "attempt", style);
      score.attempt(vector, judged);
      expect(judged.allowed).toBe(false);
      expect(vector.codes).toContain(judged.code);
      // What is shown to people holds no raw control, bidi or invisible character.
      expect(judged.reason).toMatch(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u);
      const twin = play(vector, "twin", style);
      score.twin(vector, twin);
      expect(twin, `twin: ${vector.twin.action} ${vector.twin.json.slice(0, 200)}`).toMatchObject({
        allowed: true,
      });
    },
  );

  it.each(
    CALL_VECTORS.filter((call) => call.styles.includes(style)).map(
      (call) => [call.id, JSON.stringify(call.block), call] as const,
    ),
  )("%s refuses the call %s", (_id, _label, call) => {
    const parsed = parseToolCall(call.block as { name: unknown }, [style]);
    expect(parsed.ok ? "allowed" : parsed.code).toBeOneOf([...call.codes]);
    const twin = parseToolCall(call.twin as { name: unknown }, STYLES);
    expect(twin.ok).toBe(true);
  });

  it.each(EXACT_CLICKS)("%s clicks %s exactly there", (_id, json, [x, y]) => {
    const parsed = parse(raw("left_click", `{"coordinate":${json}}`), style);
    const gate = createGate(ComputerCap.fromSpec(capEntry("A")), { width: 1280, height: 800 });
    const decided = parsed.ok ? gate.check(parsed.action, { pointer: undefined }) : parsed;
    expect(decided).toMatchObject({
      ok: true,
      plan: { kind: "click", at: { x, y }, count: 1, button: "left" },
    });
  });

  it.each(EXACT_TEXTS)("%s passes text on unchanged: %j", (_id, text) => {
    const parsed = parse({ action: "type", json: JSON.stringify({ text }) }, style);
    const gate = createGate(ComputerCap.fromSpec(capEntry("A")), { width: 1280, height: 800 });
    const decided = parsed.ok ? gate.check(parsed.action, { pointer: undefined }) : parsed;
    expect(decided).toMatchObject({ ok: true, plan: { kind: "type", text }, events: [...text].length });
  });
});

it("had no escape and no false denial", () => {
  expect(score.escapes).toEqual([]);
  expect(score.falseDenials).toEqual([]);
  expect(score.attempts).toBe(2 * VECTORS.length);
  expect(score.twins).toBe(score.attempts);
});
