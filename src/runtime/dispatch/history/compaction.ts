// What the server may do about a long conversation, as far as it is asked to: summarise it (`compact_20260112`) or
// leave out old tool results before the model sees them (`clear_tool_uses_20250919`). Both are beta and off unless
// asked for. A summary comes back as a block of a reply: it is kept byte for byte, and what stood before it is no
// longer sent.
import { describeValue } from "../../../base/escape.js";
import { CapuchinError } from "../../../diagnostics/errors.js";
import type { ReplyBlock } from "../message.js";
import { requireKnownNames } from "./known-names.js";

/** What the API may do with a conversation that has grown long. Nothing unless told. */
export interface ServerContextOptions {
  /** Summarise the conversation once a request has this many input tokens; at least 50,000. */
  readonly compactAtTokens?: number;
  /** Leave out old tool results once a request has this many input tokens. */
  readonly clearResultsAtTokens?: number;
}

const COMPACT_MIN_TOKENS = 50_000;
const TOKENS_MAX = 10_000_000;

function requireTokens(name: keyof ServerContextOptions, value: unknown, least: number): void {
  if (value === undefined) return;
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= TOKENS_MAX) return;
  throw new CapuchinError(
    "E_SCHEMA",
    `serverContext.${name} must be a whole number from ${least} to ${TOKENS_MAX}, got ${describeValue(value)}`,
  );
}

/** @throws CapuchinError E_SCHEMA for numbers that the API refuses. */
export function requireServerContext(
  options: ServerContextOptions | undefined,
): ServerContextOptions | undefined {
  requireKnownNames("serverContext", options, ["compactAtTokens", "clearResultsAtTokens"]);
  requireTokens("compactAtTokens", options?.compactAtTokens, COMPACT_MIN_TOKENS);
  requireTokens("clearResultsAtTokens", options?.clearResultsAtTokens, 1);
  return options;
}

interface Trigger {
  readonly type: "input_tokens";
  readonly value: number;
}

export interface ContextEdits {
  readonly edits: readonly {
    readonly type: "compact_20260112" | "clear_tool_uses_20250919";
    readonly trigger: Trigger;
  }[];
}

function trigger(value: number): Trigger {
  return { type: "input_tokens", value };
}

/** The request's `context_management`; undefined when the server is asked for nothing. */
export function contextEdits(options: ServerContextOptions | undefined): ContextEdits | undefined {
  const { compactAtTokens: compact, clearResultsAtTokens: clear } = options ?? {};
  const edits: ContextEdits["edits"] = [
    ...(clear === undefined ? [] : [{ type: "clear_tool_uses_20250919" as const, trigger: trigger(clear) }]),
    ...(compact === undefined ? [] : [{ type: "compact_20260112" as const, trigger: trigger(compact) }]),
  ];
  return edits.length === 0 ? undefined : { edits };
}

/** The beta headers that go with them. */
export function contextBetas(options: ServerContextOptions | undefined): readonly string[] {
  return [
    ...(options?.clearResultsAtTokens === undefined ? [] : ["context-management-2025-06-27"]),
    ...(options?.compactAtTokens === undefined ? [] : ["compact-2026-01-12"]),
  ];
}

/** Whether a reply holds a summary of all before it. A block without content is a failed one, which means nothing. */
export function isCompacted(content: readonly ReplyBlock[]): boolean {
  return content.some((block) => {
    const summary = block["content"];
    return block.type === "compaction" && typeof summary === "string" && summary !== "";
  });
}
