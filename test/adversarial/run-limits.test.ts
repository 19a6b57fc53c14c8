// Turns, quotas, token numbers and a pause under a hostile model, in every way that a reply can come. Names in brackets
// are rows of the catalogue.
import { afterEach, describe, expect, test } from "vitest";
import { HALT_TEXT, STALE_TEXT } from "../../src/runtime/dispatch/answer.js";
import { answersOf, call, closeAll, resultsOf, say, textOfResult } from "../runtime/dispatch/setup.js";
import { MODES, play, stage } from "./wire-modes.js";

afterEach(closeAll);

const looks = () => [call("screenshot")] as never;

describe.each(MODES)("$name:", (mode) => {
  test.each([1, 2, 30])("a model that always looks gets exactly %i turns [Q-019]", async (maxTurns) => {
    const { result, model } = await play(mode, looks, maxTurns === 30 ? {} : { maxTurns });
    expect(result).toMatchObject({ outcome: "turn_limit", error: { code: "E_TURNS" }, turns: maxTurns });
    expect(model.requests).toBe(maxTurns);
  });

  test("25 calls under a quota of 3: three run in order, 22 are answered [Q-001, Q-010]", async () => {
    const clicks = Array.from({ length: 25 }, (_, index) => call("left_click", { coordinate: [index, 7] }));
    const { result, journal, dispatcher, events } = await play(mode, [clicks as never], { maxActions: 3 });
    expect(result).toMatchObject({ outcome: "budget", error: { code: "E_QUOTA" }, actions: 3 });
    const verdicts = journal.ofKind("action").map((record) => record.data.verdict);
    expect(verdicts).toEqual([...Array(3).fill("allow"), "deny", ...Array(21).fill("not_executed")]);
    const pressed = events.filter((event) => event.type === "button" && event.down);
    expect(pressed.map((event) => (event.type === "button" ? event.x : -1))).toEqual([0, 1, 2]);
    const last = answersOf(dispatcher.conversation());
    expect(last).toHaveLength(25);
    expect(last.slice(4).every((block) => block.content[0]?.text === HALT_TEXT)).toBe(true);
  });

  test.each<[string, unknown]>([
    ["missing", {}],
    ["negative", { input_tokens: -5, output_tokens: 1 }],
    ["absurd", { input_tokens: 1, output_tokens: 1e12 }],
    ["texts", { input_tokens: "1", output_tokens: "1" }],
    ["fractions", { input_tokens: 1.5, output_tokens: 1 }],
    ["null", { input_tokens: null, output_tokens: null }],
    ["lists", { input_tokens: [], output_tokens: {} }],
  ])("numbers that are %s do not switch the token budget off [Q-023]", async (_name, usage) => {
    const reply = () => ({ content: looks(), usage });
    const { result } = await play(mode, reply, { maxTokens: 20_000 });
    expect(result).toMatchObject({ outcome: "budget", error: { code: "E_QUOTA" } });
    // Each such reply is charged with at least the tokens it was allowed, 8192.
    expect(result.turns).toBeLessThanOrEqual(3);
    expect(result.usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
  });

  test("what was decided before a pause is not carried out after it; the screen is shown anew [L-034]", async () => {
    let notePaused = () => {};
    const isPaused = new Promise<void>((resolve) => {
      notePaused = resolve;
    });
    const { dispatcher, desktop, model } = stage(mode, async (_request, { turn }) => {
      if (turn > 1) return [say("ok")];
      await dispatcher.pause("let me look");
      notePaused();
      return [call("left_click", { coordinate: [5, 5] }), call("type", { text: "x" })] as never;
    });
    const running = dispatcher.run("go");
    await isPaused;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(desktop.events).toEqual([]);
    expect(model.requests).toBe(1);
    await dispatcher.resume("go on");
    expect(await running).toMatchObject({ outcome: "completed", actions: 0 });
    expect(desktop.events).toEqual([]);
    expect(resultsOf(model.seen[1]).map(textOfResult)).toEqual([STALE_TEXT, STALE_TEXT]);
    expect(JSON.stringify(model.seen[1]?.messages.at(-1)).match(/"type":"image"/g)).toHaveLength(1);
  });
});
