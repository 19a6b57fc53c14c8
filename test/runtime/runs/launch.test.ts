import { describe, expect, test } from "vitest";
import {
  ComputerCap,
  computer,
  computerUse,
  launch,
  MissingCapError,
  NoRunError,
  SandboxViolation,
} from "../../../src/index.js";
import { MemoryJournal } from "../../../src/runtime/control/memory-journal.js";
import type { ModelPort } from "../../../src/runtime/dispatch/model-port.js";
import { fakeDesktop } from "../../../src/runtime/drivers/index.js";

/** A model that answers with these messages in order. */
function modelOf(
  ...replies: { content: unknown[]; stop_reason: string }[]
): ModelPort & { requests: unknown[] } {
  const requests: unknown[] = [];
  return {
    id: "test",
    requests,
    async ask(request) {
      requests.push(structuredClone(request));
      const reply = replies[requests.length - 1] ?? {
        content: [{ type: "text", text: "done" }],
        stop_reason: "end_turn",
      };
      return {
        id: `msg_${requests.length}`,
        type: "message",
        role: "assistant",
        model: "test",
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 5 },
        ...reply,
      };
    },
    async close() {},
  };
}

let nextId = 1;
function call(name: string, input: object) {
  return { type: "tool_use", id: `toolu_${nextId++}`, name, toolset_name: "computer", input };
}

@computerUse({ width: 640, height: 400, cap: "computer.screen + computer.input" })
class Operator {
  async run(goal: string) {
    const text = await computer.run(this, goal);
    return text.matching(/.*/s);
  }
}

@computerUse({ width: 640, height: 400, cap: "computer.screen + computer.input.pointer" })
class Pointer {
  async run() {
    return computer.click(this, { x: 10, y: 10 });
  }
  async typeIt() {
    return computer.type(this, "x");
  }
  async outside() {
    try {
      await computer.click(this, { x: 640, y: 10 });
    } catch (error) {
      expect(error).toBeInstanceOf(SandboxViolation);
    }
    return "caught";
  }
}

test("a run from goal to completion leaves a whole trace", async () => {
  const journal = new MemoryJournal();
  const desktop = fakeDesktop();
  const model = modelOf({ content: [call("left_click", { coordinate: [20, 30] })], stop_reason: "tool_use" });
  const result = await launch(Operator, { goal: "click it", derive: true, model, desktop, trace: journal });
  expect(result).toMatchObject({ outcome: "completed", value: "done", turns: 2, actions: 1 });
  expect(journal.records.map((record) => record.kind)).toEqual([
    "run_started",
    "desktop_opened",
    "frame",
    "picture",
    "model_request",
    "model_reply",
    "action",
    "intent",
    "receipt",
    "verification",
    "frame",
    "picture",
    "answers",
    "model_request",
    "model_reply",
    "released",
    "run_ended",
  ]);
  expect(model.requests).toHaveLength(2);
});

describe("the run API", () => {
  test("outside a run it says launch", () => {
    expect(() => computer.cap(new Pointer())).toThrow(NoRunError);
    expect(() => computer.cap(new Pointer())).toThrow(/launch/);
  });

  test("acts for the agent of the run", async () => {
    const result = await launch(Pointer, { goal: "g", derive: true });
    expect(result).toMatchObject({
      outcome: "completed",
      value: { effect: "confirmed" },
      actions: 1,
      turns: 0,
    });
  });

  test("without the word it is MissingCapError", async () => {
    const result = await launch(Pointer, { goal: "g", derive: true, method: "typeIt" });
    expect(result).toMatchObject({ outcome: "failed", error: { code: "E_GRANT" } });
    expect(MissingCapError.name).toBe("MissingCapError");
  });

  test("a violation under abort ends the run even when the agent catches it", async () => {
    const result = await launch(Pointer, { goal: "g", derive: true, method: "outside" });
    expect(result).toMatchObject({ outcome: "violation", error: { code: "E_BOUNDS" } });
  });
});

test.each(["toString", "constructor", "hasOwnProperty", "nothing", "__proto__"])(
  "%s is no method to call",
  async (method) => {
    const result = await launch(Pointer, { goal: "g", derive: true, method });
    expect(result).toMatchObject({ outcome: "failed", error: { code: "E_SPEC" } });
  },
);

test("what an agent throws that is no error is told", async () => {
  const create = () => Object.assign(new Pointer(), { run: () => Promise.reject("no such form") });
  const result = await launch(Pointer, { goal: "g", derive: true, create });
  expect(result).toMatchObject({ outcome: "failed", error: { code: "E_STATE" } });
  expect(result).toHaveProperty("error.message", expect.stringContaining("no such form"));
});

test("launch refuses a class without a spec", async () => {
  const result = await launch(Pointer, { goal: "g" });
  expect(result).toMatchObject({ outcome: "failed", error: { code: "E_SPEC" } });
});

test("a stop ends a run whose agent never comes back", async () => {
  @computerUse({ cap: "computer.screen" })
  class Sleeper {
    async run() {
      await new Promise(() => {});
    }
  }
  const run = launch(Sleeper, { goal: "g", derive: true });
  await run.stop("enough");
  expect(await run).toMatchObject({ outcome: "stopped", error: { code: "E_STATE" } });
});

test("two agents in one process never mix", async () => {
  const [a, b] = await Promise.all([
    launch(Pointer, { goal: "a", derive: true }),
    launch(Pointer, { goal: "b", derive: true, method: "typeIt" }),
  ]);
  expect([a.outcome, b.outcome]).toEqual(["completed", "failed"]);
});

test("a misspelt option is refused, with what was meant", async () => {
  const misspelt = { goal: "g", derive: true, maxTurn: 3 };
  const result = await launch(Pointer, misspelt);
  expect(result).toMatchObject({ outcome: "failed", error: { code: "E_SPEC" } });
  expect("error" in result && result.error.message).toContain('"maxTurn"; did you mean maxTurns?');
});

test("a builder's cap can leave violations to the model", async () => {
  const lenient = ComputerCap.builder().allowScreen().allowInput().onViolation("refuse").build();
  @computerUse({ width: 640, height: 400, cap: "computer.input.pointer", onViolation: "refuse" })
  class Clumsy {
    async run() {
      await computer.click(this, { x: 640, y: 10 }).catch(() => {});
      return (await computer.click(this, { x: 10, y: 10 })).effect;
    }
  }
  expect(await launch(Clumsy, { goal: "g", derive: true, cap: lenient })).toMatchObject({
    outcome: "completed",
  });
  const strict = ComputerCap.builder().allowScreen().allowInput().build();
  expect(await launch(Clumsy, { goal: "g", derive: true, cap: strict })).toMatchObject({
    outcome: "violation",
  });
});
