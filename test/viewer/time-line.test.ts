import { describe, expect, it } from "vitest";
import { readTraceFolder } from "../../src/runtime/store/trace-folder.js";
import { type ActionRow, type Row, TimeLine, type TurnRow } from "../../src/viewer/index.js";
import { MadeTrace, picture } from "./made-trace.js";

async function rowsOf(trace: MadeTrace): Promise<{ rows: Row[]; line: TimeLine }> {
  const rows: Row[] = [];
  const line = new TimeLine((row) => rows.push(row));
  await readTraceFolder(trace.folder, (record) => line.add(record));
  line.finish();
  return { rows, line };
}

const actionsOf = (rows: readonly Row[]) => rows.filter((row): row is ActionRow => row.kind === "action");

describe("the time line of a run", () => {
  it("joins an action with its steps, its frames and what the model was told", async () => {
    const trace = await new MadeTrace().begin();
    const before = picture();
    const after = picture(undefined, [0, 0, 0]);
    const first = await trace.frame(before);
    await trace.turn();
    await trace.action("left_click", { coordinate: { x: 20, y: 30 } }, { before, after, told: "Clicked." });
    await trace.end();
    const { rows, line } = await rowsOf(trace);
    const [action] = actionsOf(rows);
    expect(rows.map((row) => row.kind)).toEqual(["note", "note", "turn", "action", "note", "note"]);
    expect(action).toMatchObject({
      number: 1,
      turn: 1,
      verdict: "allow",
      before: { digest: first, size: { width: 320, height: 240 } },
      receipt: { status: "committed", events: 3 },
      verification: { effect: "confirmed", detail: "the screen changed" },
      told: { text: "Clicked.", isError: false },
    });
    expect(action?.after?.digest).not.toBe(first);
    // One record each 100 ms: action, intent, receipt and verification come after one another.
    expect((action?.end ?? 0) - (action?.at ?? 0)).toBe(300);
    expect(line.totals).toMatchObject({ turns: 1, events: 3, modelMs: 100, actions: { allow: 1, deny: 0 } });
  });

  it("says what an allowed action rested on, from the words, bounds and quotas of the run", async () => {
    const trace = await new MadeTrace().begin();
    await trace.turn();
    await trace.action("left_click", { coordinate: { x: 20, y: 30 }, text: "ctrl" });
    await trace.action("key", { text: "ctrl+v" });
    await trace.action("wait", { duration: 10 });
    await trace.end();
    const [click, key, wait] = actionsOf((await rowsOf(trace)).rows).map((row) => row.rule.points);
    expect(click).toEqual([
      { label: "Word", text: "computer.input.pointer is granted by computer.input" },
      { label: "Word", text: "computer.input.keyboard is granted by computer.input, for its modifier" },
      { label: "Bounds", text: "(20, 30) lies in x 0–199, y 0–149" },
      { label: "Keys", text: "ctrl falls under none of the 1 denied chords" },
      { label: "Quota", text: "action 1 of 9; 0 events sent before it; at most 1000 are charged" },
    ]);
    // A run whose words do not hold what the action needs is shown as it is: the report does not explain it away.
    expect(key).toContainEqual({
      label: "Word",
      text: "computer.clipboard.read: the run's capability as recorded does not show it, since the chord pastes",
    });
    expect(wait).toContainEqual({ label: "Word", text: "wait needs no word" });
    expect(wait).toContainEqual({
      label: "Quota",
      text: "action 3 of 9; 6 events sent before it; at most 1000 are charged",
    });
  });

  it("says that the limits are missing where the trace holds none", async () => {
    const trace = await new MadeTrace().begin({}, false);
    await trace.turn();
    await trace.action("left_click", { coordinate: { x: 20, y: 30 } });
    await trace.end();
    const [click] = actionsOf((await rowsOf(trace)).rows);
    expect(click?.rule.points[1]?.text).toMatch(/^this trace does not hold the limits; .* [0-9a-f]{12}$/);
  });

  it("gives a refusal its code, its reason and its violation", async () => {
    const trace = await new MadeTrace().begin();
    await trace.turn();
    const refusal = { verdict: "deny", code: "E_BOUNDS", reason: "(300, 9) is outside" } as const;
    await trace.action("left_click", { coordinate: { x: 300, y: 9 } }, refusal);
    await trace.append("violation", {
      code: "E_BOUNDS",
      violation: "out_of_bounds",
      reason: "r",
      fatal: false,
    });
    await trace.action(
      "left_click",
      { coordinate: { x: 3, y: 9 } },
      { verdict: "not_executed", reason: "earlier" },
    );
    await trace.end();
    const { rows, line } = await rowsOf(trace);
    const [refused, skipped] = actionsOf(rows);
    expect(refused).toMatchObject({
      code: "E_BOUNDS",
      violation: { violation: "out_of_bounds", fatal: false },
    });
    expect(refused?.rule.title).toBe("Refused by E_BOUNDS: outside the allowed region");
    expect(refused?.rule.points).toContainEqual({ label: "Events", text: "none was sent" });
    expect(skipped?.rule).toEqual({ title: "Not executed", points: [{ label: "Reason", text: "earlier" }] });
    expect(line.totals).toMatchObject({ violations: 1, actions: { allow: 0, deny: 1, not_executed: 1 } });
    expect([...line.totals.codes]).toEqual([["E_BOUNDS", 1]]);
  });

  it("gives a turn its retries, prunings, pictures and tokens", async () => {
    const trace = await new MadeTrace().begin();
    const digest = await trace.frame(picture());
    const sent = { frame: digest, digest, size: { width: 320, height: 240 }, bytes: 9, tokens: 103 };
    await trace.append("picture", { ...sent, mediaType: "image/png" });
    await trace.append("history_pruned", { turn: 1, images: 4 });
    await trace.append("retry", { turn: 1, attempt: 1, reason: "overloaded", waitMs: 250 });
    await trace.turn();
    await trace.end();
    const { rows, line } = await rowsOf(trace);
    const turn = rows.find((row): row is TurnRow => row.kind === "turn");
    expect(turn).toMatchObject({
      turn: 1,
      prunedImages: 4,
      retries: [{ reason: "overloaded", waitMs: 250 }],
      pictures: [{ width: 320, height: 240, tokens: 103 }],
      reply: { inputTokens: 1000, outputTokens: 50, calls: ["left_click"] },
    });
    expect(line.totals).toMatchObject({ retries: 1, retryWaitMs: 250, prunedImages: 4, pictureTokens: 103 });
  });

  it("does not take a closer look for the screen that later places are on", async () => {
    const trace = await new MadeTrace().begin();
    const screen = await trace.frame(picture());
    await trace.turn();
    await trace.action("zoom", { region: { x: 0, y: 0, width: 10, height: 10 } });
    const zoomed = await trace.frame(picture({ width: 64, height: 64 }), "model", { width: 64, height: 64 });
    await trace.action("left_click", { coordinate: { x: 1, y: 1 } });
    await trace.end();
    const [zoom, click] = actionsOf((await rowsOf(trace)).rows);
    expect(zoom?.after?.digest).toBe(zoomed);
    expect(click?.before?.digest).toBe(screen);
  });

  it("knows where the pointer was left, for actions that name no place", async () => {
    const trace = await new MadeTrace().begin();
    await trace.turn();
    await trace.action("left_click", {});
    await trace.action("mouse_move", { coordinate: { x: 7, y: 8 } });
    await trace.action("left_click", {});
    await trace.end();
    const [unknown, , known] = actionsOf((await rowsOf(trace)).rows);
    expect(unknown?.pointer).toBeUndefined();
    expect(known?.pointer).toEqual({ x: 7, y: 8 });
  });

  it("V-009: ids such as __proto__ and constructor are ids like any other", async () => {
    const trace = await new MadeTrace().begin();
    await trace.turn();
    for (const id of ["__proto__", "constructor", "hasOwnProperty", "location"]) {
      await trace.action(
        "left_click",
        { coordinate: { x: 1, y: 2 } },
        { actionId: id, callId: id, told: `told ${id}` },
      );
    }
    await trace.end();
    const actions = actionsOf((await rowsOf(trace)).rows);
    expect(actions.map((row) => [row.actionId, row.told?.text, row.receipt?.status])).toEqual(
      ["__proto__", "constructor", "hasOwnProperty", "location"].map((id) => [id, `told ${id}`, "committed"]),
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("told");
  });
});
