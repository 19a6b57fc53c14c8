// What a complete reply means. Every stop reason is a branch; only `tool_use` lets calls run, and a reply that
// contradicts itself ends the run with E_PROTOCOL.
import { quoteText } from "../../base/escape.js";
import type { Outcome } from "../../contract/journal-records.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";
import { callsOf, type ModelReply, type ToolCall, textOf } from "./reply.js";

export type Step =
  /** Run the calls, answer them, ask again. */
  | { readonly kind: "execute"; readonly calls: readonly ToolCall[] }
  /** Send the reply back and let the model go on. */
  | { readonly kind: "continue" }
  /** The server summarised the conversation and stopped there: show the screen and let the model go on. */
  | { readonly kind: "compacted" }
  /** The conversation no longer fits the model's context: nothing of the reply counts. */
  | { readonly kind: "full" }
  /** The model announced a call and made none: say so and ask again. */
  | { readonly kind: "nudge" }
  | { readonly kind: "complete"; readonly text: string }
  | {
      readonly kind: "end";
      readonly outcome: Exclude<Outcome, "completed">;
      readonly code: RunCodeName;
      readonly message: string;
    };

function protocol(message: string): Step {
  return { kind: "end", outcome: "failed", code: "E_PROTOCOL", message };
}

/** Decides what follows from a reply. Calls are looked at only where the stop reason allows any. */
export function judgeReply(reply: ModelReply, usedIds: ReadonlySet<string>): Step {
  const reason = reply.stopReason;
  switch (reason) {
    case "refusal":
      return {
        kind: "end",
        outcome: "model_refused",
        code: "E_UNSUPPORTED",
        message: "the model refused to go on; nothing of its reply was executed",
      };
    case "max_tokens":
      return {
        kind: "end",
        outcome: "truncated",
        code: "E_PROTOCOL",
        message: "the reply was cut off at the token limit; nothing of it was executed: raise maxTokens",
      };
    case "model_context_window_exceeded":
      return { kind: "full" };
    case "tool_use":
      return judgeCalls(reply, usedIds);
    case "pause_turn":
      return hasCall(reply)
        ? protocol("a paused reply holds a tool call; it was not executed")
        : { kind: "continue" };
    case "compaction":
      return hasCall(reply)
        ? protocol("a reply that ended with a summary holds a tool call; it was not executed")
        : { kind: "compacted" };
    case "end_turn":
    case "stop_sequence":
      return hasCall(reply)
        ? protocol(`the reply ended with ${reason} but holds a tool call; it was not executed`)
        : { kind: "complete", text: textOf(reply) };
    case undefined:
      return protocol("the reply has no stop reason; nothing of it was executed");
    default:
      return protocol(`unknown stop reason ${quoteText(reason, 40)}; nothing of the reply was executed`);
  }
}

function hasCall(reply: ModelReply): boolean {
  return reply.content.some((block) => block.type === "tool_use");
}

function judgeCalls(reply: ModelReply, usedIds: ReadonlySet<string>): Step {
  const reading = callsOf(reply, usedIds);
  if (!reading.ok) return protocol(`${reading.reason}; nothing of the reply was executed`);
  return reading.calls.length === 0 ? { kind: "nudge" } : { kind: "execute", calls: reading.calls };
}
