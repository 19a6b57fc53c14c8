import { describe, expect, it, test } from "vitest";
import { computer, computerUse, launch } from "../../../src/index.js";
import type { ModelPort } from "../../../src/runtime/dispatch/model-port.js";

let asked = 0;
/** A model that waits in every turn and never ends. */
const waiting: ModelPort = {
  id: "test",
  async ask() {
    asked += 1;
    return {
      id: `msg_${asked}`,
      type: "message",
      role: "assistant",
      content: [
        {
          type: "tool_use",
          id: `toolu_${asked}`,
          name: "wait",
          toolset_name: "computer",
          input: { duration: 0 },
        },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  },
  async close() {},
};

@computerUse({ width: 64, height: 48, cap: "computer.screen", maxTurns: 4 })
class Waiter {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}

describe("launch with maxTurns", () => {
  it("ends after the fewer turns", async () => {
    for (const maxTurns of [2, undefined]) {
      const options = maxTurns === undefined ? {} : { maxTurns };
      const result = await launch(Waiter, { goal: "wait", model: waiting, derive: true, ...options });
      expect(result).toMatchObject({ outcome: "turn_limit", turns: maxTurns ?? 4 });
    }
  });

  it.each([5, 0, 1.5, Number.NaN])(
    "refuses %d where the spec allows 4, before anything is asked",
    async (maxTurns) => {
      asked = 0;
      const result = await launch(Waiter, { goal: "wait", model: waiting, derive: true, maxTurns });
      expect(result).toMatchObject({ outcome: "failed", error: { code: "E_CAP_WIDEN" }, turns: 0 });
      expect(asked).toBe(0);
    },
  );
});

test("the loop's own options reach it: an unchanged screen is answered in words", async () => {
  const pictures: number[] = [];
  let turn = 0;
  const looking: ModelPort = {
    ...waiting,
    async ask(request) {
      pictures.push(JSON.stringify(request.messages).split('"type":"image"').length - 1);
      turn += 1;
      const look = {
        type: "tool_use",
        id: `toolu_look_${turn}`,
        name: "screenshot",
        toolset_name: "computer",
      };
      return {
        type: "message",
        role: "assistant",
        content: turn % 3 === 0 ? [] : [{ ...look, input: {} }],
        stop_reason: turn % 3 === 0 ? "end_turn" : "tool_use",
      };
    },
  };
  await launch(Waiter, { goal: "look", model: looking, derive: true, unchangedScreens: "text" });
  await launch(Waiter, { goal: "look", model: looking, derive: true });
  expect(pictures).toEqual([1, 1, 1, 1, 2, 3]);
});
