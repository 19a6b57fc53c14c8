// Asking again: whatever fails between two replies, no turn is lost and no action is done twice; every wait and every
// request ends with a stop; and no server can keep a run going by failing. CAPUCHIN_LONG=1 tries more schedules.
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { RETRY_LIMITS } from "../../src/runtime/dispatch/ask-model.js";
import { ManualClock } from "../../src/runtime/testing/manual-clock.js";
import type { ScriptReply } from "../../src/runtime/testing/script-reply.js";
import type { ScriptWire } from "../../src/runtime/testing/script-wire.js";
import { call, closeAll, instantClock, say } from "../runtime/dispatch/setup.js";
import { play, stage, TRANSPORTS } from "./wire-modes.js";

afterEach(closeAll);

const SEED = Number(process.env["CAPUCHIN_SEED"] ?? 20_261_130);
const RUNS = process.env["CAPUCHIN_LONG"] ? 500 : 25;

const usage = { input_tokens: 10, output_tokens: 5 };
/** A run of four turns; its actions and tokens can be told apart. */
const TURNS: readonly { readonly content: never[]; readonly usage: object }[] = [
  [call("type", { text: "one" }, { id: "a" })],
  [call("left_click", { coordinate: [3, 4] }, { id: "b" }), call("type", { text: "two" }, { id: "c" })],
  [say("looking"), call("screenshot", {}, { id: "d" }), call("key", { text: "x" }, { id: "e" })],
  [say("all done")],
].map((content) => ({ content: content as never[], usage }));

type Fault =
  | { readonly kind: "wire"; readonly wire: ScriptWire }
  | { readonly kind: "status"; readonly reply: ScriptReply };

/** No reply of a run is shorter than this, so that a cut there cuts. */
const SHORTEST = 150;
const bytes = fc.record({ bytes: fc.integer({ min: 0, max: SHORTEST }) });
const place = (stream: boolean) =>
  fc.oneof(
    fc.constantFrom("before_headers" as const, "after_headers" as const),
    bytes,
    ...(stream ? [fc.record({ events: fc.integer({ min: 0, max: 5 }) })] : []),
  );
const transient = (stream: boolean): fc.Arbitrary<Fault> =>
  fc.oneof(
    place(stream).map((reset) => ({ kind: "wire" as const, wire: { reset } })),
    fc
      .record({
        status: fc.constantFrom(408, 409, 429, 500, 502, 503, 504, 529),
        wait: fc.constantFrom(undefined, "0", "1", "60", "soon", "-1"),
      })
      .map(({ status, wait }) => ({
        kind: "status" as const,
        reply: { status, headers: wait === undefined ? {} : { "retry-after": wait }, body: {} },
      })),
    ...(stream
      ? [
          fc
            .record({
              events: fc.integer({ min: 0, max: 5 }),
              type: fc.constantFrom("overloaded_error", "api_error", "rate_limit_error"),
            })
            .map((error) => ({ kind: "wire" as const, wire: { error } })),
        ]
      : []),
  );
const malformed: fc.Arbitrary<Fault> = fc.oneof(
  bytes.map((cut) => ({ kind: "wire" as const, wire: { cut } })),
  fc.constantFrom("", "<html>", "{", "null", "[]", '{"type":"message"}').map((body) => ({
    kind: "status" as const,
    reply: { status: 200, body },
  })),
);

/** Faults before one turn that the limits allow, in any order. */
const within = (stream: boolean) =>
  fc
    .tuple(fc.array(transient(stream), { maxLength: 2 }), fc.array(malformed, { maxLength: 2 }))
    .chain(([some, others]) => fc.shuffledSubarray([...some, ...others]));

/** The script: each turn's faults, and then its reply. */
function scripted(schedule: readonly (readonly Fault[])[]): ScriptReply[] {
  return TURNS.flatMap((turn, index) => [
    ...(schedule[index] ?? []).map(
      (fault): ScriptReply => (fault.kind === "status" ? fault.reply : { ...turn, wire: fault.wire }),
    ),
    turn,
  ]);
}

const quick = () => ({ clock: instantClock(), retryLimits: RETRY_LIMITS });

/** How often each call of a conversation is answered. */
function answersByCall(conversation: readonly { readonly content: readonly unknown[] }[]) {
  const blocks = conversation.flatMap(
    ({ content }) => content as { type: string; id?: string; tool_use_id?: string }[],
  );
  const results = blocks.filter((block) => block.type === "tool_result").map((block) => block.tool_use_id);
  return blocks
    .filter((block) => block.type === "tool_use")
    .map((block) => [block.id, results.filter((id) => id === block.id).length]);
}

describe.each(TRANSPORTS)("$name: a random schedule of faults", (mode) => {
  test("within the limits changes nothing but the number of requests", async () => {
    const plain = await play(mode, scripted([]), {}, quick());
    expect(plain.result).toMatchObject({
      outcome: "completed",
      turns: 4,
      actions: 5,
      usage: { inputTokens: 40 },
    });
    const schedule = fc.tuple(
      within(mode.stream),
      within(mode.stream),
      within(mode.stream),
      within(mode.stream),
    );
    await fc.assert(
      fc.asyncProperty(schedule, async (faults) => {
        // The server refuses what the API's rules refuse, so that a completed run had a valid history throughout.
        const made = await play(mode, scripted(faults), {}, quick());
        expect(made.events).toEqual(plain.events);
        expect(made.result).toEqual(plain.result);
        expect(made.model.requests).toBe(4 + faults.flat().length);
        expect(made.journal.ofKind("retry")).toHaveLength(faults.flat().length);
        expect(made.journal.ofKind("model_reply")).toHaveLength(4);
        expect(answersByCall(made.dispatcher.conversation())).toEqual(
          ["a", "b", "c", "d", "e"].map((id) => [id, 1]),
        );
        await closeAll();
      }),
      { numRuns: RUNS, seed: SEED },
    );
  }, 300_000);

  test("of any length ends the run, and what was done is the beginning of what was to do", async () => {
    const plain = await play(mode, scripted([]), {}, quick());
    const many = fc.array(fc.oneof(transient(mode.stream), malformed), { maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(many, many, many, many), async (faults) => {
        const made = await play(mode, scripted(faults), {}, quick());
        expect(made.events).toEqual(plain.events.slice(0, made.events.length));
        expect(made.result.turns).toBeLessThanOrEqual(4);
        if (made.result.outcome === "completed") expect(made.events).toEqual(plain.events);
        else expect(made.result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" } });
        await closeAll();
      }),
      { numRuns: RUNS, seed: SEED },
    );
  }, 300_000);
});

describe.each(TRANSPORTS)("$name: a stop", (mode) => {
  const waiting = { status: 429, headers: { "retry-after": "60" }, body: {} };

  test("during a wait of 60 seconds ends the run at once, by a clock that does not move [L21, L35]", async () => {
    const clock = new ManualClock();
    let asked = () => {};
    const isWaiting = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const onEvent = (event: { type: string }) => {
      if (event.type === "retry") asked();
    };
    const { dispatcher, model } = stage(mode, () => waiting, {}, { ...quick(), clock, onEvent });
    const running = dispatcher.run("go");
    await isWaiting;
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    await dispatcher.stop("enough");
    expect(await running).toMatchObject({ outcome: "stopped", error: { code: "E_STATE" } });
    expect(clock.monotonic()).toBe(0);
    expect(model.requests).toBe(1);
  });

  test("during a wait of 60 seconds ends the run at once, in real time", async () => {
    // The wait itself is longer than the test may take.
    let stop = () => {};
    const onEvent = (event: { type: string }) => {
      if (event.type === "retry") setTimeout(stop, 20);
    };
    const { dispatcher, model } = stage(mode, () => waiting, {}, { retryLimits: RETRY_LIMITS, onEvent });
    stop = () => void dispatcher.stop("enough");
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "stopped" });
    expect(model.requests).toBe(1);
  }, 30_000);

  test.each<[string, ScriptWire]>([
    ["before the headers", { stall: "before_headers" }],
    ["after the headers", { stall: "after_headers" }],
    ["within the body", { stall: { bytes: 100 } }],
    ["within a trickle", { drip: { bytes: 1, pauseMs: 20 } }],
    ...(mode.stream
      ? ([
          ["after a call's first half", { stall: { events: 3 } }],
          ["among pings", { pings: { events: 3, pauseMs: 5 } }],
        ] as [string, ScriptWire][])
      : []),
  ])("%s ends the run at once, and nothing of the reply is done [L-033, Y16, Y17]", async (_where, wire) => {
    const reply = { content: [call("type", { text: "x" })] as never[], wire };
    const { dispatcher, model, desktop } = stage(mode, () => reply);
    const running = dispatcher.run("go");
    while (model.requests === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 30));
    await dispatcher.stop("enough");
    expect(await running).toMatchObject({ outcome: "stopped", actions: 0 });
    expect(desktop.events).toEqual([]);
    expect(model.requests).toBe(1);
  });

  test("in mid-turn, then nothing more is asked; the conversation is one that the API takes [L1, L3]", async () => {
    const calls = [call("left_click", { coordinate: [5, 5] }), call("type", { text: "x" }), call("wait", {})];
    const { dispatcher, model } = stage(
      mode,
      () => calls as never,
      {},
      {
        onEvent: (event) => {
          if (event.type === "action" && event.name === "left_click") void dispatcher.stop("enough");
        },
      },
    );
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "stopped" });
    expect(model.requests).toBe(1);
    expect(answersByCall(dispatcher.conversation()).map(([, count]) => count)).toEqual([1, 1, 1]);
  });
});

test.each(TRANSPORTS)("$name: an error whose body never comes is known by its status", async (mode) => {
  const stalled = { status: 529, body: { type: "error" }, wire: { stall: { bytes: 5 } } } as const;
  const { result, journal } = await play(mode, [stalled, [say("ok")]], {}, quick());
  expect(result).toMatchObject({ outcome: "completed", turns: 1 });
  expect(journal.ofKind("retry")[0]?.data.reason).toContain("529");
});

describe("a server that fails for ever", () => {
  const fails = { status: 529, body: {} };
  const looks = () => [call("screenshot")] as never;
  const everySecond = (fault: ScriptReply) => {
    let count = 0;
    return () => {
      count += 1;
      return count % 2 === 1 ? fault : looks();
    };
  };

  test("the limits of a run, as the docs state them", () => {
    expect(RETRY_LIMITS).toMatchObject({
      attempts: 5,
      malformed: 3,
      retryAfterMaxMs: 60_000,
      perRun: 200,
      lostMsPerRun: 3_600_000,
    });
  });

  test.each(TRANSPORTS)("$name: every second request: the run's repeats end", async (mode) => {
    const retryLimits = { ...RETRY_LIMITS, perRun: 12 };
    const { result, model } = await play(
      mode,
      everySecond(fails),
      { maxTurns: 10_000 },
      { ...quick(), retryLimits },
    );
    expect(result).toMatchObject({
      outcome: "failed",
      error: {
        code: "E_PROTOCOL",
        retryable: true,
        message: expect.stringMatching(/asked again 12 times, which is its limit; try again later/),
      },
      turns: 13,
    });
    expect(model.requests).toBe(25);
  });

  test.each(TRANSPORTS)("$name: with long waits the run's lost time ends", async (mode) => {
    const slow = { ...fails, headers: { "retry-after": "60" } };
    const clock = instantClock();
    const limits = { maxTurns: 10_000 };
    const { result } = await play(mode, everySecond(slow), limits, { ...quick(), clock });
    expect(result).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringMatching(/more than 60 minutes; try again later/) },
      turns: 61,
    });
    expect(clock.waits.filter((wait) => wait === 60_000)).toHaveLength(60);
  });

  test("the count is the run's, over all of its goals", async () => {
    const retryLimits = { ...RETRY_LIMITS, perRun: 3 };
    let count = 0;
    const { dispatcher } = stage(
      TRANSPORTS[0] as never,
      () => {
        count += 1;
        return count % 3 === 0 ? [say("ok")] : fails;
      },
      {},
      { ...quick(), retryLimits },
    );
    expect(await dispatcher.run("one")).toMatchObject({ outcome: "completed", turns: 1 });
    expect(await dispatcher.run("two")).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringContaining("asked again 3 times") },
    });
  });

  test.each([
    ["999999", "999999"],
    ["99999999999", "99999999999"],
    ["90.00001", "91"],
  ])("a wait of %s, longer than is waited, is said with both numbers [L-022]", async (asked, said) => {
    const { result, model } = await play(TRANSPORTS[0] as never, () => ({
      ...fails,
      headers: { "retry-after": asked },
    }));
    expect(result).toMatchObject({
      error: {
        retryable: true,
        message: expect.stringContaining(`${said} seconds, and no more than 60 are waited; try again`),
      },
    });
    expect(model.requests).toBe(1);
  });
});

describe("a model that gets nowhere", () => {
  const foreign = () => [{ type: "tool_use", name: "bash", input: { command: "id" } }] as never;

  test.each(TRANSPORTS)("$name: twenty turns of calls that all fail are the end [L6, L8]", async (mode) => {
    for (const reply of [foreign, () => [call("left_click", { coordinate: "here" })] as never]) {
      const { result, desktop } = await play(mode, reply, { maxTurns: 100 });
      expect(result).toMatchObject({ outcome: "stuck", error: { code: "E_STUCK" }, turns: 20, actions: 0 });
      expect(desktop.events).toEqual([]);
    }
  });

  test("nineteen, then one that works, are not (benign twin)", async () => {
    let turn = 0;
    const { result } = await play(
      TRANSPORTS[0] as never,
      () => {
        turn += 1;
        return turn % 20 === 0 ? ([call("screenshot")] as never) : foreign();
      },
      { maxTurns: 45 },
    );
    expect(result).toMatchObject({ outcome: "turn_limit", turns: 45 });
  });
});
