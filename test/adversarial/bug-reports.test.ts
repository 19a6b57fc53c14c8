// Public bug reports against other agents, sections "Loop and API" and "Lifecycle" and what of "Screenshots" concerns
// the loop, played against ours: replies whole and streamed, over HTTP and the real SDK. Which report is played where,
// and which cannot occur here, is in bug-coverage.test.ts.
import { afterEach, describe, expect, test } from "vitest";
import { HALT_TEXT } from "../../src/runtime/dispatch/answer.js";
import { anthropic } from "../../src/runtime/dispatch/anthropic.js";
import { closeSocketServers, socketServer } from "../runtime/dispatch/raw-socket.js";
import { bench, call, closeAll, resultsOf, say, textOfResult } from "../runtime/dispatch/setup.js";
import { MODES, play, stage, TRANSPORTS } from "./wire-modes.js";

afterEach(async () => {
  await closeAll();
  await closeSocketServers();
});

const click = (x = 30) => call("left_click", { coordinate: [x, 40] });
const picture = (value: unknown) => JSON.stringify(value).split('"type":"image"').length - 1;
const white = {
  width: 400,
  height: 300,
  data: new Uint8Array(400 * 300 * 3).fill(255),
  channels: 3 as const,
};

describe.each(MODES)("$name:", (mode) => {
  test("L5 a model that only looks about ends at the turn limit, and the goal may not be blank", async () => {
    const { result, model } = await play(mode, () => [call("screenshot")] as never, { maxTurns: 6 });
    expect(result).toMatchObject({ outcome: "turn_limit", error: { code: "E_TURNS" }, turns: 6 });
    expect(model.requests).toBe(6);
    const { dispatcher } = stage(mode, []);
    await expect(dispatcher.run(" \n")).rejects.toMatchObject({ code: "E_SCHEMA" });
  });

  test("L6 L8 the same click for ever without a change is stuck, and so is one that is refused for ever", async () => {
    const still = { fake: { screens: () => white } };
    expect((await play(mode, () => [click()] as never, {}, still)).result).toMatchObject({
      outcome: "stuck",
      actions: 8,
    });
    const outside = await play(
      mode,
      () => [call("left_click", {}), call("left_click", { text: 5 })] as never,
      {
        maxTurns: 100,
      },
    );
    expect(outside.result.turns).toBeLessThanOrEqual(20);
  });

  test("L9 the end is the reply without calls; nothing after it is asked, whatever stands beside the words", async () => {
    const { result, model } = await play(mode, [
      [{ type: "thinking", thinking: "hm", signature: "s" }, say("done"), say("really")] as never,
    ]);
    expect(result).toMatchObject({ outcome: "completed", text: "done\nreally", turns: 1 });
    expect(model.requests).toBe(1);
  });

  test("L10 L11 L13 cut off at the token limit: not run, not asked again alike, not a clean end", async () => {
    const cut = { content: [say("now"), click()] as never[], stop_reason: "max_tokens" };
    const { result, model, events, journal } = await play(mode, () => cut, { maxTurns: 50 });
    expect(result).toMatchObject({
      outcome: "truncated",
      error: {
        code: "E_PROTOCOL",
        message: expect.stringMatching(/cut off at the token limit.*raise maxTokens/),
      },
      turns: 1,
      actions: 0,
    });
    expect(model.requests).toBe(1);
    expect(events).toEqual([]);
    expect(journal.ofKind("model_reply")[0]?.data.stopReason).toBe("max_tokens");
  });

  test("L14 a paused turn is sent back and continued, its blocks as they came", async () => {
    const blocks = [
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
      say("going on"),
    ];
    const paused = { content: blocks as never[], stop_reason: "pause_turn" };
    const { result, model } = await play(mode, [paused, paused, [click()] as never, [say("ok")]]);
    expect(result).toMatchObject({ outcome: "completed", turns: 4, actions: 1 });
    expect(model.seen[1]?.messages.at(-1)).toMatchObject({ role: "assistant", content: blocks });
    expect(model.seen[2]?.messages.slice(-2).map((message) => message.role)).toEqual([
      "assistant",
      "assistant",
    ]);
  });

  test.each([
    ["end_turn", "completed"],
    ["stop_sequence", "completed"],
    ["max_tokens", "truncated"],
    ["refusal", "model_refused"],
    ["model_context_window_exceeded", "truncated"],
    ["pause_turn", "turn_limit"],
    ["tool_use", "failed"],
    ["surprise", "failed"],
    [null, "failed"],
  ])("L13 L15 L16 stop reason %j is %s, and the reason is told where it is no end", async (stop, outcome) => {
    const { result, events, journal } = await play(
      mode,
      () => ({ content: [say("x")], stop_reason: stop }) as never,
      { maxTurns: 9 },
    );
    expect(result.outcome).toBe(outcome);
    if (result.outcome !== "completed") expect(result.error.message).toMatch(/.{20}/);
    expect(journal.ofKind("model_reply").at(-1)?.data.stopReason).toBe(stop ?? "none");
    expect(events).toEqual([]);
  });

  test("L17 a call that is announced and missing is asked for, three times at most", async () => {
    const empty = { content: [], stop_reason: "tool_use" };
    const recovered = await play(mode, [empty, empty, [click()] as never, [say("ok")]]);
    expect(recovered.result).toMatchObject({ outcome: "completed", actions: 1, turns: 4 });
    const never = await play(mode, () => empty, { maxTurns: 50 });
    expect(never.result).toMatchObject({ outcome: "failed", turns: 4 });
  });

  test("L22 L24 L25 thinking goes back byte for byte, turn after turn", async () => {
    const thought = (n: number) => ({
      type: "thinking",
      thinking: `\ud83d\ude00 n=${n}  \u0000 "quoted" \\ é\n`,
      signature: `c2lnbmF0dXJl${n}==`,
    });
    const hidden = { type: "redacted_thinking", data: "AAECAw==" };
    const replies = [1, 2, 3, 4].map((n) => [thought(n), hidden, click(n)] as never);
    const { result, model } = await play(mode, replies);
    expect(result).toMatchObject({ outcome: "completed", actions: 4 });
    const assistants = model.seen.at(-1)?.messages.filter((message) => message.role === "assistant") ?? [];
    expect(assistants.map((message) => message.content.slice(0, 2))).toEqual(
      [1, 2, 3, 4].map((n) => [thought(n), hidden]),
    );
  });

  test("L28 a request holds no empty list and no null", async () => {
    const { model } = await play(mode, [
      [click(), click(31)] as never,
      { content: [], stop_reason: "tool_use" },
    ]);
    const empty: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (value === null || (Array.isArray(value) && value.length === 0)) empty.push(path);
      if (typeof value !== "object" || value === null) return;
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
    };
    for (const [index, request] of model.seen.entries()) walk(request, String(index));
    expect(model.seen.length).toBeGreaterThan(2);
    expect(empty).toEqual([]);
  });

  test("I23 one capture for one look, and the order of calls is kept", async () => {
    const looked = await play(mode, [[call("screenshot")] as never, [say("ok")]]);
    expect(picture(looked.model.seen[1]?.messages.at(-1))).toBe(1);
    const both = await play(mode, [[call("screenshot"), click()] as never, [say("ok")]]);
    expect(both.journal.ofKind("action").map((record) => record.data.name)).toEqual([
      "screenshot",
      "left_click",
    ]);
    expect(resultsOf(both.model.seen[1])).toHaveLength(2);
  });

  test("I24 the picture after an action shows what the action did, under a frame of its own", async () => {
    // Each action darkens the screen; a picture from before it would be lighter.
    const screens = ({ actions }: { readonly actions: number }) => ({
      ...white,
      data: new Uint8Array(white.data.length).fill(255 - actions * 10),
    });
    const { journal } = await play(mode, [[click()] as never, [say("ok")]], {}, { fake: { screens } });
    const frames = journal.ofKind("frame").map((record) => record.data.digest);
    expect(new Set(frames).size).toBe(2);
    const told = journal.ofKind("answers")[0]?.data.answers ?? [];
    expect(told.map((one) => one.frame).filter((frame) => frame !== undefined)).not.toContain(frames[0]);
  });

  test("I25 an unchanged screen is said as what was seen, not as no effect", async () => {
    const { model } = await play(
      mode,
      [[click()] as never, [say("ok")]],
      {},
      { fake: { screens: () => white } },
    );
    expect(textOfResult(resultsOf(model.seen[1])[0])).toMatch(/No change seen on the screen/);
  });

  test("I30 I31 a failed call's result is text alone, and the picture follows it", async () => {
    const bounds = { x: 0, y: 0, width: 100, height: 100 };
    const outside = call("left_click", { coordinate: [390, 290] });
    const options = { bounds, onViolation: "refuse" } as const;
    const { model, result } = await play(mode, [[click(), outside, click()] as never, [say("ok")]], options);
    const results = resultsOf(model.seen[1]);
    expect(results.map((one) => one.is_error === true)).toEqual([false, true, true]);
    expect(textOfResult(results[2])).toBe(HALT_TEXT);
    expect(picture(results)).toBe(0);
    expect(picture(model.seen[1]?.messages.at(-1))).toBe(1);
    expect(result.outcome).toBe("completed");
  });
});

describe.each(TRANSPORTS)("$name:", (mode) => {
  test("L31 an error that ends a run ends it with an outcome, and the conversation is whole", async () => {
    const { result, dispatcher, model } = await play(mode, [[click()] as never, { status: 403, body: {} }]);
    expect(result).toMatchObject({
      outcome: "failed",
      error: { retryable: false, message: expect.stringContaining("ask for access") },
      turns: 2,
      actions: 1,
    });
    expect(dispatcher.conversation().at(-1)?.role).toBe("user");
    expect(model.requests).toBe(2);
  });

  test("L33 an interrupted goal leaves nothing behind for the next one", async () => {
    const controller = new AbortController();
    let turn = 0;
    const { dispatcher, model } = stage(mode, () => {
      turn += 1;
      if (turn === 1) return [click()] as never;
      if (turn > 2) return [say("ok")];
      setTimeout(() => controller.abort(new Error("not now")), 10);
      return { content: [call("type", { text: "x" })] as never[], wire: { stall: { bytes: 60 } } };
    });
    expect(await dispatcher.run("one", { signal: controller.signal })).toMatchObject({ outcome: "stopped" });
    expect(await dispatcher.run("two")).toMatchObject({ outcome: "completed" });
    expect(model.seen.at(-1)?.messages.map((message) => message.role)).toEqual(["user"]);
    expect(JSON.stringify(model.seen.at(-1))).not.toContain('"one"');
  });

  test("L36 two runs in one process know nothing of each other", async () => {
    const runs = await Promise.all(
      [1, 2].map((n) =>
        play(mode, [[call("type", { text: `run ${n}` })] as never, [say(`end ${n}`)]], { maxTurns: n + 1 }),
      ),
    );
    expect(runs.map(({ desktop }) => desktop.text)).toEqual(["run 1", "run 2"]);
    expect(runs.map(({ result }) => (result.outcome === "completed" ? result.text : ""))).toEqual([
      "end 1",
      "end 2",
    ]);
  });

  test("Y17 after a stop no event follows, though the reply held more calls", async () => {
    const calls = [click(), ...Array.from({ length: 20 }, (_, n) => call("type", { text: `${n}` }))];
    const { dispatcher, desktop } = stage(
      mode,
      [calls as never],
      {},
      {
        onEvent: (event) => {
          if (event.type === "action" && event.name === "left_click") void dispatcher.stop("enough");
        },
      },
    );
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "stopped" });
    const events = desktop.events.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(desktop.text).toBe("");
    expect(desktop.events.length).toBe(events);
  });

  test("Y23 a wait of ten seconds ends with the stop", async () => {
    const made = stage(mode, [[call("wait", { duration: 10 }), click()] as never]);
    const { dispatcher, desktop, journal } = made;
    const running = dispatcher.run("go");
    while (journal.ofKind("intent").length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await dispatcher.stop("enough");
    expect(await running).toMatchObject({ outcome: "stopped" });
    expect(desktop.events).toEqual([]);
  }, 9_000);
});

test("L20 529 a few times, from a peer that closes each connection, is asked again", async () => {
  const body = '{"type":"error","error":{"type":"overloaded_error","message":"x"}}';
  const good = '{"type":"message","role":"assistant","content":[],"stop_reason":"end_turn"}';
  const server = await socketServer((socket, count) => {
    const [status, text] = count <= 3 ? ["529 Overloaded", body] : ["200 OK", good];
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
  });
  const { dispatcher } = bench(anthropic({ apiKey: "sk-test", baseURL: server.url }));
  expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", turns: 1 });
  expect(server.requests).toBe(4);
});
