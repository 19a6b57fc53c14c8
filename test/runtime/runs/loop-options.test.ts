import { describe, expect, it } from "vitest";
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

describe("the loop's own options reach it", () => {
  /** Looks in so many turns, then ends; says how many pictures each request had. */
  function looking(turns: number): { model: ModelPort; pictures: number[] } {
    const pictures: number[] = [];
    const ask: ModelPort["ask"] = async (request) => {
      pictures.push(JSON.stringify(request.messages).split('"type":"image"').length - 1);
      const turn = pictures.length;
      const id = `toolu_look_${turn}`;
      const look = { type: "tool_use", id, name: "screenshot", toolset_name: "computer", input: {} };
      return {
        type: "message",
        role: "assistant",
        content: turn === turns ? [] : [look],
        stop_reason: turn === turns ? "end_turn" : "tool_use",
      };
    };
    return { model: { ...waiting, ask }, pictures };
  }

  it.each([
    ["none", {}, 3, [1, 2, 3]],
    ["an unchanged screen is answered in words", { unchangedScreens: "text" as const }, 3, [1, 1, 1]],
    ["one limit, the others as by default", { pruneLimits: { maxImages: 3 } }, 4, [1, 2, 3, 3]],
    ["two limits", { pruneLimits: { maxImages: 2, keepImages: 1 } }, 4, [1, 2, 1, 2]],
  ])("%s", async (_name, options, turns, expected) => {
    const { model, pictures } = looking(turns);
    await launch(Waiter, { goal: "look", model, derive: true, ...options });
    expect(pictures).toEqual(expected);
  });
});
