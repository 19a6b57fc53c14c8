// What becomes of thinking blocks when something before them is no longer sent. They are sent back byte for byte or
// left out whole, never altered. Models with preserved thinking bind each block to everything before it: once a
// picture is gone the blocks behind it are refused, and the API's advice is to leave out all that are sent. Older
// models do not look, and there a block that stays keeps the model's train of thought.
import { familyOf } from "../../../contract/models.js";
import type { ReplyBlock } from "../message.js";

export type ThinkingRule =
  /** When pictures go, all thinking written until then goes with them. */
  | "goes-with-pictures"
  /** Thinking stays whatever becomes of the pictures. */
  | "stays";

/**
 * Families without preserved thinking (published list: Fable and Mythos from 5.1 on, Opus, Sonnet and Haiku from 5.5
 * on have it). For any other model, later ones included, thinking goes: leaving it out is accepted everywhere.
 */
const UNBOUND: ReadonlySet<string> = new Set([
  "3-5-sonnet",
  "opus-4",
  "opus-4-0",
  "opus-4-1",
  "opus-4-5",
  "opus-4-6",
  "opus-4-7",
  "opus-4-8",
  "opus-5",
  "sonnet-4",
  "sonnet-4-0",
  "sonnet-4-5",
  "sonnet-4-6",
  "sonnet-5",
  "haiku-4-5",
  "fable-5",
  "mythos-5",
]);

export function thinkingRuleOf(model: string): ThinkingRule {
  const family = familyOf(model);
  return family !== undefined && UNBOUND.has(family) ? "stays" : "goes-with-pictures";
}

const THINKING: ReadonlySet<string> = new Set(["thinking", "redacted_thinking"]);

export function isThinking(block: ReplyBlock): boolean {
  return THINKING.has(block.type);
}
