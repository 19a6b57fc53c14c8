// Replies made at random from good, bad and strange parts. Whatever comes: the run ends by itself, nothing happens
// that was not in a whole, consistent reply, and the conversation is one that the API would take.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelPort } from "../../../src/runtime/dispatch/model-port.js";
import { callsOf, readReply } from "../../../src/runtime/dispatch/reply.js";
import { findRequestProblem } from "../../../src/runtime/testing/request-rules.js";
import { bench, closeAll, instantClock } from "./setup.js";

const strange = fc.jsonValue({ maxDepth: 2 });
const id = fc.oneof(
  { weight: 6, arbitrary: fc.uuid() },
  fc.constantFrom("a", "b", "../x", "", "a\nb"),
  strange,
);
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("left_click", "type", "key", "screenshot", "wait", "scroll") },
  fc.constantFrom("bash", "computer", "__proto__", "constructor", "toString"),
  strange,
);
const input = fc.oneof(
  fc.constantFrom({ coordinate: [5, 5] }, { text: "x" }, { text: "Return" }, {}, { duration: 0 }),
  fc.record({ coordinate: fc.tuple(fc.integer(), fc.integer()) }),
  strange,
);
const call = fc.record({
  type: fc.constant("tool_use"),
  id,
  name,
  toolset_name: fc.oneof({ weight: 6, arbitrary: fc.constant("computer") }, strange),
  input,
});
const block = fc.oneof(
  { weight: 4, arbitrary: call },
  fc.record({ type: fc.constant("text"), text: fc.string() }),
  fc.record({ type: fc.constantFrom("thinking", "server_tool_use", "novel"), more: strange }),
  strange,
);
const reply = fc.record({
  type: fc.oneof({ weight: 9, arbitrary: fc.constant("message") }, strange),
  role: fc.constant("assistant"),
  id: fc.constant("msg"),
  content: fc.oneof({ weight: 9, arbitrary: fc.array(block, { maxLength: 6 }) }, strange),
  stop_reason: fc.oneof(
    { weight: 6, arbitrary: fc.constant("tool_use") },
    fc.constantFrom("end_turn", "max_tokens", "refusal", "pause_turn", "stop_sequence", null),
    strange,
  ),
  usage: strange,
});

/** Whether a reply may lead to an action at all, said independently of the loop. */
function mayAct(value: unknown): boolean {
  const reading = readReply(value);
  if (!reading.ok || reading.reply.stopReason !== "tool_use") return false;
  const calls = callsOf(reading.reply, new Set());
  return calls.ok && calls.calls.some((one) => one.toolset === "computer");
}

test("no reply crashes the loop, spoils the history or acts out of turn", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 5 }), async (replies) => {
      const queue = [...replies];
      const port: ModelPort = {
        id: "random",
        ask: async () =>
          JSON.parse(
            JSON.stringify(
              queue.shift() ?? {
                type: "message",
                role: "assistant",
                content: [{ type: "text", text: "done" }],
                stop_reason: "end_turn",
              },
            ),
          ),
        close: async () => {},
      };
      const { dispatcher, desktop } = bench(
        port,
        { onViolation: "refuse", maxTurns: 8 },
        { clock: instantClock() },
      );
      const result = await dispatcher.run("go");
      const messages = dispatcher.conversation();
      await closeAll();
      expect(result.turns).toBeLessThanOrEqual(8);
      expect(findRequestProblem({ model: "m", max_tokens: 1, messages }, "")).toBeUndefined();
      if (!replies.some(mayAct)) expect(desktop.events).toEqual([]);
      expect(desktop.openSessions).toBe(0);
    }),
    { numRuns: 150 },
  );
}, 120_000);
