// Where a run ends by itself: turns, quotas, time, tokens, no progress; and what pause and stop do to it.
import { afterEach, describe, expect, test } from "vitest";
import type { Clock } from "../../../src/base/clock.js";
import { STOPPED_TEXT } from "../../../src/runtime/dispatch/answer.js";
import { answersOf, bench, call, closeAll, instantClock, recorded, say, textOfResult } from "./setup.js";

afterEach(closeAll);

const white = {
  width: 400,
  height: 300,
  data: new Uint8Array(400 * 300 * 4).fill(255),
  channels: 4 as const,
};
const still = { fake: { screens: () => white } };

describe("turns and quotas", () => {
  test("a quota of none executes nothing [Q-018]", async () => {
    const { dispatcher, desktop } = bench(recorded([[call("left_click", { coordinate: [1, 1] })]]), {
      maxActions: 0,
    });
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "budget", actions: 0 });
    expect(desktop.events).toEqual([]);
  });

  test("events are a quota too", async () => {
    const { dispatcher, desktop } = bench(recorded([[call("type", { text: "abcdef" })]]), { maxEvents: 5 });
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "budget", error: { code: "E_QUOTA" } });
    expect(desktop.text).toBe("");
  });

  test("two dispatchers share no counter [Q-017]", async () => {
    const clicks = () =>
      Array.from({ length: 3 }, (_, index) => call("left_click", { coordinate: [index, 7] }));
    const results = await Promise.all(
      [1, 2].map(() => bench(recorded([clicks()]), { maxActions: 3 }).dispatcher.run("go")),
    );
    expect(results.map((result) => [result.outcome, result.actions])).toEqual([
      ["completed", 3],
      ["completed", 3],
    ]);
  });
});

describe("tokens", () => {
  const usage = (input: unknown, output: unknown) => ({
    content: [call("screenshot")],
    usage: { input_tokens: input, output_tokens: output },
  });

  test("a run stops once its tokens are used", async () => {
    const model = recorded(() => usage(60, 40) as never);
    const { dispatcher } = bench(model, { maxTokens: 250 });
    expect(await dispatcher.run("go")).toMatchObject({
      outcome: "budget",
      error: { code: "E_QUOTA" },
      turns: 3,
      usage: { inputTokens: 180, outputTokens: 120 },
    });
  });

  test("cached tokens count", async () => {
    const model = recorded(
      () =>
        ({
          content: [call("screenshot")],
          usage: {
            input_tokens: 1,
            output_tokens: 1,
            cache_read_input_tokens: 100,
            cache_creation_input_tokens: 100,
          },
        }) as never,
    );
    expect(await bench(model, { maxTokens: 400 }).dispatcher.run("go")).toMatchObject({ turns: 2 });
  });
});

describe("time", () => {
  test("waiting is bounded by the run's wall time [Q-005]", async () => {
    const clock = instantClock();
    // Only the run's own waits move the clock: the timer of the wall time never fires by itself here.
    const held: Clock = {
      now: clock.now,
      monotonic: clock.monotonic,
      sleep: async (ms, signal) => {
        if (ms === 30_000) return new Promise(() => {});
        await clock.sleep(ms, signal);
      },
    };
    const model = recorded(() => [call("wait", { duration: 10 })]);
    const { dispatcher } = bench(model, { maxSeconds: 30, maxTurns: 100 }, { clock: held });
    const result = await dispatcher.run("go");
    expect(result).toMatchObject({ outcome: "budget", error: { code: "E_QUOTA" }, turns: 3 });
  });

  test("the wall time ends a request that is under way", async () => {
    let fire = () => {};
    const clock = instantClock();
    const held: Clock = {
      now: clock.now,
      monotonic: clock.monotonic,
      sleep: (ms, signal) =>
        ms === 30_000 ? new Promise((resolve) => (fire = resolve)) : clock.sleep(ms, signal),
    };
    const model = recorded(() => {
      fire();
      return new Promise(() => {});
    });
    const { dispatcher } = bench(model, { maxSeconds: 30 }, { clock: held });
    expect(await dispatcher.run("go")).toMatchObject({
      outcome: "budget",
      error: { code: "E_QUOTA", message: expect.stringContaining("30 seconds") },
    });
  });
});

describe("stuck", () => {
  const same = () => call("left_click", { coordinate: [5, 5] });

  test("eight identical actions without a change end the run; the ninth does not run", async () => {
    const model = recorded(() => [same()]);
    const { dispatcher } = bench(model, {}, still);
    expect(await dispatcher.run("go")).toMatchObject({
      outcome: "stuck",
      error: { code: "E_STUCK" },
      actions: 8,
      turns: 8,
    });
  });

  test("within one reply too, and the rest is answered", async () => {
    const { dispatcher } = bench(recorded([Array.from({ length: 10 }, same)]), {}, still);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "stuck", actions: 8 });
    expect(dispatcher.conversation().at(-1)?.content).toHaveLength(10);
  });

  test("looking and waiting in between neither count nor interrupt", async () => {
    const model = recorded(() => [call("wait", { duration: 0 }), same(), call("screenshot")]);
    expect(await bench(model, {}, still).dispatcher.run("go")).toMatchObject({ outcome: "stuck", turns: 8 });
  });

  test("seven, then another action, is not stuck (benign twin)", async () => {
    let turn = 0;
    const model = recorded(() => {
      turn += 1;
      return turn % 8 === 0 ? [call("left_click", { coordinate: [6, 6] })] : [same()];
    });
    expect(await bench(model, { maxTurns: 20 }, still).dispatcher.run("go")).toMatchObject({
      outcome: "turn_limit",
    });
  });

  test("the same action with a change each time is not stuck (benign twin)", async () => {
    const model = recorded(() => [
      call("scroll", { coordinate: [5, 5], scroll_direction: "down", scroll_amount: 1 }),
    ]);
    const screens = (view: { readonly actions: number }) => ({
      ...white,
      data: new Uint8Array(400 * 300 * 4).fill(255 - (view.actions % 100)),
    });
    expect(await bench(model, { maxTurns: 12 }, { fake: { screens } }).dispatcher.run("go")).toMatchObject({
      outcome: "turn_limit",
    });
  });

  test("looking for ever is for the turn limit, not stuck", async () => {
    const model = recorded(() => [call("screenshot")]);
    expect(await bench(model, { maxTurns: 12 }, still).dispatcher.run("go")).toMatchObject({
      outcome: "turn_limit",
    });
  });
});

describe("pause and stop", () => {
  test("a stop between two calls answers the rest and ends the run", async () => {
    const model = recorded([[call("left_click", { coordinate: [5, 5] }), call("type", { text: "x" })]]);
    const { dispatcher, desktop } = bench(
      model,
      {},
      {
        onEvent: (event) => {
          if (event.type === "action" && event.name === "left_click") void dispatcher.stop("enough");
        },
      },
    );
    expect(await dispatcher.run("go")).toMatchObject({
      outcome: "stopped",
      error: { code: "E_STATE", message: expect.stringContaining("enough") },
    });
    expect(desktop.text).toBe("");
    const last = answersOf(dispatcher.conversation());
    expect(last).toHaveLength(2);
    expect(last[1]?.content[0]?.text).toBe(STOPPED_TEXT);
  });

  test("a stop during an action is a stop, whatever became of the action", async () => {
    const model = recorded([[call("left_click", { coordinate: [5, 5] }), call("type", { text: "x" })]]);
    const { dispatcher, desktop } = bench(
      model,
      {},
      {
        fake: {
          fault: (action) => {
            if (action.kind !== "click") return undefined;
            void dispatcher.stop("enough");
            return "hang";
          },
        },
      },
    );
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "stopped", error: { code: "E_STATE" } });
    expect(desktop.text).toBe("");
    expect(answersOf(dispatcher.conversation()).map(textOfResult)).toEqual([
      expect.stringMatching(/./),
      STOPPED_TEXT,
    ]);
  });

  test("closing cuts a loop short and waits for its last records", async () => {
    const model = recorded(() => new Promise(() => {}));
    const { dispatcher, desktop, journal } = bench(model);
    const running = dispatcher.run("go");
    while (model.requests === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await dispatcher.close();
    expect(await running).toMatchObject({ outcome: "stopped" });
    expect(desktop.openSessions).toBe(0);
    expect(journal.records.at(-1)?.kind).toBe("released");
    await expect(dispatcher.run("again")).rejects.toMatchObject({ code: "E_STATE" });
  });

  test("the caller's signal ends a loop; the next goal may run", async () => {
    const controller = new AbortController();
    const model = recorded((_request, { turn }) => {
      if (turn === 1) controller.abort(new Error("not now"));
      return [say("ok")];
    });
    const { dispatcher } = bench(model);
    expect(await dispatcher.run("go", { signal: controller.signal })).toMatchObject({
      outcome: "stopped",
      error: { message: expect.stringContaining("not now") },
    });
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
  });

  test("an aborted signal sends nothing", async () => {
    const model = recorded([]);
    const { dispatcher } = bench(model);
    expect(await dispatcher.run("go", { signal: AbortSignal.abort() })).toMatchObject({ outcome: "stopped" });
    expect(model.requests).toBe(0);
  });

  test("a trace that cannot be kept ends the run before anything is executed", async () => {
    const model = recorded([[call("left_click", { coordinate: [5, 5] }), call("type", { text: "x" })]]);
    const { dispatcher, desktop, journal } = bench(
      model,
      {},
      {
        onEvent: (event) => {
          if (event.type === "reply") journal.fail();
        },
      },
    );
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "failed", error: { code: "E_AUDIT" } });
    expect(desktop.events).toEqual([]);
    expect(answersOf(dispatcher.conversation())).toHaveLength(2);
    await expect(dispatcher.close()).rejects.toMatchObject({ code: "E_AUDIT" });
    expect(desktop.openSessions).toBe(0);
  });

  test("a lost display ends the run", async () => {
    const model = recorded([[call("left_click", { coordinate: [5, 5] }), call("type", { text: "x" })]]);
    const { dispatcher, desktop } = bench(
      model,
      {},
      {
        fake: { fault: (action) => (action.kind === "click" ? "lost" : undefined) },
      },
    );
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "failed" });
    expect(desktop.text).toBe("");
    expect(model.requests).toBe(1);
  });

  test("a listener that throws changes nothing", async () => {
    const { dispatcher } = bench(
      recorded([]),
      {},
      {
        onEvent: () => {
          throw new Error("mine");
        },
      },
    );
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
  });
});
