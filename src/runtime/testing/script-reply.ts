// What a script may answer: a reply's blocks, a reply, or a fault. Judged strictly, so that a slip in a script is an
// error that names its place and not a strange run.
import { z } from "zod";
import { describeValue } from "../../base/escape.js";
import { describeIssue } from "./script-issue.js";
import { needsStream, scriptWireSchema } from "./script-wire.js";
import type { WireAnswer } from "./send-answer.js";
import { eventsOf, type ScriptEvent } from "./stream-text.js";

const textBlock = z.strictObject({ type: z.literal("text"), text: z.string() });

const toolUseBlock = z.strictObject({
  type: z.literal("tool_use"),
  /** Made up when absent. */
  id: z.string().optional(),
  name: z.string(),
  toolset_name: z.string().nullish(),
  input: z.unknown().optional(),
  caller: z.unknown().optional(),
});

/** Blocks that are neither: thinking, server tools, kinds that do not exist yet. Passed on as they are. */
const otherBlock = z
  .looseObject({ type: z.string().min(1) })
  .refine((block) => block.type !== "text" && block.type !== "tool_use", {
    error: "is malformed for its type",
    // So that the failure of the branch that was meant is told beside it.
    abort: true,
  });

export const scriptBlockSchema = z.union([textBlock, toolUseBlock, otherBlock]);

export const scriptReplySchema = z.strictObject({
  content: z.array(scriptBlockSchema),
  /** `tool_use` when there is a call, else `end_turn`, unless told. */
  stop_reason: z.string().nullable().optional(),
  /** Passed on as it is, so that a script may lie. */
  usage: z.unknown().optional(),
  /** How it goes over the wire; whole when absent. */
  wire: scriptWireSchema.optional(),
});

/** A stream written by hand: whatever it holds, in whatever order. */
export const scriptEventsSchema = z.strictObject({
  events: z.array(z.union([z.string(), z.looseObject({ type: z.string() })])),
  wire: scriptWireSchema.optional(),
});

export const scriptFaultSchema = z.strictObject({
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.string()).optional(),
  /** A string is sent as it is, anything else as JSON. */
  body: z.unknown().optional(),
  /** The body's bytes, in place of `body`. */
  base64: z.base64().optional(),
  wire: scriptWireSchema.optional(),
});

const replySchema = z.union([
  z.array(scriptBlockSchema),
  scriptReplySchema,
  scriptEventsSchema,
  scriptFaultSchema,
]);

export type ScriptBlock = z.input<typeof scriptBlockSchema>;
/** The blocks of a reply, a reply, the events of a stream, or an HTTP answer of any kind. */
export type ScriptReply = z.input<typeof replySchema>;

type Judged = z.output<typeof replySchema>;

export type ScriptReplyReading =
  | { readonly ok: true; readonly reply: Judged }
  | { readonly ok: false; readonly reason: string };

const SHAPES =
  "an array of blocks, { content, stop_reason?, usage?, wire? }, { events, wire? }, or { status, headers?, body? or base64?, wire? }";

/** Picks the shape that was meant, so that the message is about that one. */
function schemaFor(value: object): z.ZodType<Judged> {
  if (Array.isArray(value)) return z.array(scriptBlockSchema);
  if ("events" in value) return scriptEventsSchema;
  return "status" in value ? scriptFaultSchema : scriptReplySchema;
}

/** Judges one reply of a script. Never throws. */
export function readScriptReply(value: unknown): ScriptReplyReading {
  if (typeof value !== "object" || value === null) {
    return { ok: false, reason: `must be ${SHAPES}, got ${describeValue(value)}` };
  }
  const parsed = schemaFor(value).safeParse(value);
  if (parsed.success) return { ok: true, reply: parsed.data };
  return { ok: false, reason: `${describeIssue(parsed.error)}; a reply is ${SHAPES}` };
}

type Message = Exclude<Judged, readonly unknown[] | { status: number } | { events: unknown }>;

export interface AnswerContext {
  readonly model: string;
  /** Numbers the requests and makes ids unique. */
  readonly count: number;
  /** Whether the request asked for a stream. */
  readonly stream: boolean;
}

function bodyBytes({ body, base64 }: z.output<typeof scriptFaultSchema>): Buffer {
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function messageOf(given: Message, { model, count }: AnswerContext) {
  const content = given.content.map((block, index) =>
    block.type === "tool_use" ? { id: `toolu_script_${count}_${index}`, ...block } : block,
  );
  const hasCall = content.some((block) => block.type === "tool_use");
  return {
    id: `msg_script_${count}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: given.stop_reason === undefined ? (hasCall ? "tool_use" : "end_turn") : given.stop_reason,
    stop_sequence: null,
    usage: given.usage ?? { input_tokens: 0, output_tokens: 0 },
  };
}

const JSON_TYPE = { "content-type": "application/json" };
const STREAM_TYPE = { "content-type": "text/event-stream" };

/**
 * The events of a reply as the server would stream it, to be distorted and sent as `{ events }`.
 * @throws TypeError for what is no reply.
 */
export function streamEvents(reply: ScriptReply, model = "scripted", count = 1): ScriptEvent[] {
  const reading = readScriptReply(reply);
  if (!reading.ok) throw new TypeError(`the reply cannot be streamed: ${reading.reason}`);
  const given = Array.isArray(reading.reply) ? { content: reading.reply } : reading.reply;
  if (!("content" in given)) throw new TypeError("only the content of a reply can be streamed");
  return eventsOf(messageOf(given, { model, count, stream: true }));
}

/** Turns a judged reply into an HTTP answer. A problem is one that only the request shows. */
export function wireAnswer(reply: Judged, context: AnswerContext): WireAnswer | { readonly problem: string } {
  const given: Exclude<Judged, readonly unknown[]> = Array.isArray(reply) ? { content: reply } : reply;
  const { wire = {} } = given;
  const isStream = "events" in given || ("content" in given && context.stream);
  if (("events" in given && !context.stream) || (needsStream(wire) && !isStream)) {
    return {
      problem:
        "it speaks of events, but the request asked for no stream: run with the option stream, or --stream",
    };
  }
  if ("status" in given) {
    const headers = { ...JSON_TYPE, ...given.headers };
    return { status: given.status, headers, body: bodyBytes(given), wire };
  }
  if ("events" in given) return { status: 200, headers: STREAM_TYPE, body: given.events, wire };
  const message = messageOf(given, context);
  return context.stream
    ? { status: 200, headers: STREAM_TYPE, body: eventsOf(message), wire }
    : { status: 200, headers: JSON_TYPE, body: Buffer.from(JSON.stringify(message)), wire };
}
