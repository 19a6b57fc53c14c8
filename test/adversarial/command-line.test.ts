// Every vector as a line of `capuchin gate`: one verdict a line, nothing executed, nothing unescaped.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../cli/fake-io.js";
import { ALL_VECTORS } from "./all-vectors.js";
import { CALL_VECTORS } from "./calls.js";
import { specText } from "./fixtures.js";
import { Score, type Step, type Vector } from "./vector.js";
import { wireText } from "./wire.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capuchin-gate-"));
  writeFileSync(join(folder, "computer-use.json"), specText(), { mode: 0o600 });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Line {
  readonly verdict: string;
  readonly code?: string;
  readonly reason?: string;
}

async function judge(
  lines: readonly string[],
  cap: string,
  cursor?: { x: number; y: number },
): Promise<Line[]> {
  const flags = ["gate", "--spec", "computer-use.json", "--agent", `Cap_${cap}`];
  if (cursor) flags.push("--cursor", `${cursor.x},${cursor.y}`);
  const ran = await runCli(flags, { cwd: folder, stdin: lines.map((line) => `${line}\n`).join("") });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toMatch(/^[\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}\n]*$/u);
  const answers = ran.stdout.split("\n").slice(0, -1);
  expect(answers).toHaveLength(lines.length);
  return answers.map((answer) => JSON.parse(answer) as Line);
}

const textOf = (step: Step) => wireText(step, step.json.length % 2 === 0 ? "single" : "toolset");

/** Vectors that can share one process: the same cap and pointer, no steps before. */
function batches(of: (vector: Vector) => { key: string; alone: boolean }, size: number): Vector[][] {
  const groups = new Map<string, Vector[][]>();
  ALL_VECTORS.forEach((vector, index) => {
    const { key, alone } = of(vector);
    const id = alone ? `${key} ${index}` : key;
    const list = groups.get(id) ?? [];
    groups.set(id, list);
    const last = list.at(-1);
    if (last && last.length < size) last.push(vector);
    else list.push([vector]);
  });
  return [...groups.values()].flat();
}

const score = new Score();
afterAll(() => score.print("capuchin gate"));

describe("capuchin gate", () => {
  const attempts = batches(
    (vector) => ({ key: `${vector.cap} ${JSON.stringify(vector.pointer)}`, alone: vector.before.length > 0 }),
    1000,
  );
  it.each(attempts.map((batch) => [batch.length, batch[0]?.id, batch[0]?.label, batch] as const))(
    "refuses %i lines, from %s %s",
    async (_count, _id, _label, batch) => {
      const [first] = batch;
      if (!first) throw new Error("an empty batch");
      const lines = [...first.before, ...batch.map((vector) => vector.step)].map(textOf);
      const answers = await judge(lines, first.cap, first.pointer);
      const before = answers.splice(0, first.before.length);
      expect(before.every((answer) => answer.verdict === "allow")).toBe(true);
      batch.forEach((vector, index) => {
        const { verdict, code, reason } = answers[index] ?? { verdict: "none" };
        score.attempt(vector, { allowed: verdict !== "deny", code, reason });
        expect(verdict, vector.label).toBe("deny");
        // A line is strict JSON: numbers beyond a double and repeated keys are refused as such.
        expect([...vector.codes, "E_SCHEMA"], vector.label).toContain(code);
      });
    },
  );

  const twins = batches(
    (vector) => ({
      key: `${vector.twinCap} ${JSON.stringify(vector.twinPointer)}`,
      alone:
        vector.before.length > 0 || vector.twin.action.startsWith("left_mouse") || vector.twinCap === "Q",
    }),
    // The caps allow 20 actions, and 10,000 events.
    20,
  );
  it("allows every twin", async () => {
    for (const batch of twins) {
      const [first] = batch;
      if (!first) continue;
      const isLong = (vector: Vector) => vector.twin.json.length > 5000;
      for (const part of [
        batch.filter((vector) => !isLong(vector)),
        ...batch.filter(isLong).map((one) => [one]),
      ]) {
        if (part.length === 0) continue;
        const lines = [...first.before, ...part.map((vector) => vector.twin)].map(textOf);
        const answers = (await judge(lines, first.twinCap, first.twinPointer)).slice(first.before.length);
        part.forEach((vector, index) => {
          const { verdict, code, reason } = answers[index] ?? { verdict: "none" };
          score.twin(vector, { allowed: verdict === "allow", code, reason });
        });
      }
    }
    expect(score.falseDenials).toEqual([]);
    expect(score.twins).toBe(ALL_VECTORS.length);
  });

  const calls = CALL_VECTORS.filter((call) => call.styles.length > 0);
  it("refuses calls that are none, in either style", async () => {
    // Both styles are accepted here, so a member of the other style is no attempt.
    const tried = calls.filter((call) => !(call.id === "L-003" && call.styles.length === 1));
    const answers = await judge(
      tried.map((call) => JSON.stringify(call.block)),
      "A",
    );
    tried.forEach((call, index) => {
      expect(answers[index]?.verdict, JSON.stringify(call.block)).toBe("deny");
      expect(call.codes, JSON.stringify(call.block)).toContain(answers[index]?.code);
    });
  });

  it.each([
    ["L-004", '{"name":"screenshot","toolset_name":"computer","input":{},"input":{}}', ["E_SCHEMA"]],
    ["B-020", '{"name":"computer","input":{"action":"screenshot","action":"type","text":"x"}}', ["E_SCHEMA"]],
    [
      "L-007",
      '{"id":5,"name":"screenshot","toolset_name":"computer","input":{}}',
      ["E_SCHEMA", "E_PROTOCOL"],
    ],
    [
      "L-017",
      '{"name":"screenshot","toolset_name":"computer","input":{},"caller":{"type":"code_execution_20250825","tool_id":"x"}}',
      ["E_PROTOCOL"],
    ],
    ["L-028", "\ufeff{}", ["E_SCHEMA"]],
    ["L-028", '{"name":"wait","toolset_name":"computer","input":{"duration":NaN}}', ["E_SCHEMA"]],
    ["L-028", "<html></html>", ["E_SCHEMA"]],
    ["L-028", '{"name":"screenshot","toolset_name":"computer","input":{', ["E_SCHEMA"]],
  ])("%s refuses the line %s", async (_id, line, codes) => {
    const [answer] = await judge([line], "A");
    expect(answer?.verdict).toBe("deny");
    expect(codes).toContain(answer?.code);
  });

  it("B-024 a click at the pointer is judged where an allowed action put it", async () => {
    const click = { action: "left_click", json: "{}" };
    const move = { action: "mouse_move", json: '{"coordinate":[200,200]}' };
    const verdicts = (await judge([click, move, click].map(textOf), "A")).map((answer) => answer.verdict);
    expect(verdicts).toEqual(["deny", "allow", "allow"]);
  });
});

it("had no escape", () => {
  expect(score.escapes).toEqual([]);
  expect(score.attempts).toBe(ALL_VECTORS.length);
});
