// What counts as a reply: the shape that every model port's answer must have before anything looks at it. Blocks
// stay as they came, for the history; calls are taken out by `callsOf`, judged later one by one.
import { z } from "zod";
import type { JsonValue } from "../../base/canonical-json.js";
import type { Usage } from "../../contract/journal-records.js";
import type { ReplyBlock } from "./message.js";

const blockSchema = z
  .looseObject({ type: z.string().min(1).max(128) })
  .refine((block) => block.type !== "text" || typeof block["text"] === "string", "a text block needs text")
  .refine((block) => block.type !== "tool_use" || isNamed(block), "a tool call needs a name");

/** Names are texts here already: one that is none could not be sent back in the history. */
function isNamed({ name, toolset_name: toolset }: Record<string, unknown>): boolean {
  return (
    typeof name === "string" && (typeof toolset === "string" || toolset === undefined || toolset === null)
  );
}

/** Blocks of a reply; no model writes so many. */
export const BLOCKS_MAX = 10_000;

/** Fields that the loop reads. The API may add others; they are ignored. */
const replySchema = z.looseObject({
  type: z.literal("message"),
  role: z.literal("assistant"),
  id: z.string().max(256).optional(),
  content: z.array(z.unknown()).max(BLOCKS_MAX).pipe(z.array(blockSchema)),
  stop_reason: z.string().max(128).nullish(),
  usage: z.unknown().optional(),
});

export interface ModelReply {
  readonly id: string;
  readonly stopReason: string | undefined;
  readonly content: readonly ReplyBlock[];
  /** Undefined when the server's numbers are missing or cannot be true. */
  readonly usage: Usage | undefined;
}

export type ReplyReading =
  | { readonly ok: true; readonly reply: ModelReply }
  | { readonly ok: false; readonly reason: string };

const DEPTH_MAX = 64;

/**
 * Whether a parsed value can be written as JSON again: a number such as 1e400 reads as Infinity, and what is nested
 * too deep overflows the stack of whoever walks it. Neither could be digested or sent back.
 */
function canBeSentBack(value: unknown, depth = DEPTH_MAX): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => canBeSentBack(member, depth - 1));
}

/** Judges a reply's shape. Never throws. */
export function readReply(value: unknown): ReplyReading {
  const parsed = replySchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = issue && issue.path.length > 0 ? issue.path.map(String).join(".") : "the top level";
    return { ok: false, reason: `no message: at ${path}: ${issue?.message ?? "malformed"}` };
  }
  const { id, content, stop_reason: stopReason, usage } = parsed.data;
  if (!canBeSentBack(content)) {
    return {
      ok: false,
      reason: `no message: a number out of range, or more than ${DEPTH_MAX} levels of nesting`,
    };
  }
  return {
    ok: true,
    reply: {
      id: id ?? "",
      stopReason: stopReason ?? undefined,
      content: content as unknown as readonly ReplyBlock[],
      usage: readUsage(usage),
    },
  };
}

/** No context is longer than this, so a greater number is an error or a lie. */
const TOKENS_MAX = 10_000_000;
const tokens = z.int().min(0).max(TOKENS_MAX);
const cacheTokens = tokens.nullish().transform((value) => value ?? 0);
const usageSchema = z.looseObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: cacheTokens,
  cache_creation_input_tokens: cacheTokens,
});

function readUsage(value: unknown): Usage | undefined {
  const parsed = usageSchema.safeParse(value);
  if (!parsed.success) return undefined;
  return {
    inputTokens: parsed.data.input_tokens,
    outputTokens: parsed.data.output_tokens,
    cacheReadTokens: parsed.data.cache_read_input_tokens,
    cacheWriteTokens: parsed.data.cache_creation_input_tokens,
  };
}

/** A tool_use block of a reply. Everything but id and name is still as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly toolset: JsonValue | undefined;
  readonly input: JsonValue | undefined;
  readonly caller: JsonValue | undefined;
}

/** Ids that may be echoed, journalled and compared: the API's own look, and never a path. */
export const CALL_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;

/** Calls of one reply that are looked at; no model makes so many. */
const CALLS_MAX = 256;

export type CallsReading =
  | { readonly ok: true; readonly calls: readonly ToolCall[] }
  | { readonly ok: false; readonly reason: string };

/**
 * The calls of a reply, in order. Other blocks that may look like calls (server tools, unknown types) are none of
 * ours. Refused as a whole when an id is malformed, occurs twice, or was used earlier in the conversation: a result
 * could be matched to the wrong action.
 */
export function callsOf(reply: ModelReply, usedIds: ReadonlySet<string>): CallsReading {
  const calls: ToolCall[] = [];
  const seen = new Set<string>();
  for (const block of reply.content) {
    if (block.type !== "tool_use") continue;
    const id = block["id"];
    if (typeof id !== "string" || !CALL_ID_PATTERN.test(id)) {
      return { ok: false, reason: "a tool call has no usable id" };
    }
    if (seen.has(id)) return { ok: false, reason: `two tool calls have the id ${id}` };
    if (usedIds.has(id)) return { ok: false, reason: `the id ${id} was used by an earlier tool call` };
    seen.add(id);
    if (seen.size > CALLS_MAX) return { ok: false, reason: `there are more than ${CALLS_MAX} tool calls` };
    calls.push({
      id,
      name: String(block["name"]),
      toolset: block["toolset_name"],
      input: block["input"],
      caller: block["caller"],
    });
  }
  return { ok: true, calls };
}

/** The text blocks of a reply, as the model's words to the user. Untrusted. */
export function textOf(reply: ModelReply): string {
  return reply.content
    .filter((block) => block.type === "text")
    .map((block) => String(block["text"]))
    .join("\n");
}
