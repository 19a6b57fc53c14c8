// What a script may answer: a reply's blocks, a reply, or a fault. Judged strictly, so that a slip in a script is an
// error that names its place and not a strange run.
import { z } from "zod";
import { describeValue } from "../../base/escape.js";

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
  .refine((block) => block.type !== "text" && block.type !== "tool_use", "is malformed for its type");

export const scriptBlockSchema = z.union([textBlock, toolUseBlock, otherBlock]);

export const scriptReplySchema = z.strictObject({
  content: z.array(scriptBlockSchema),
  /** `tool_use` when there is a call, else `end_turn`, unless told. */
  stop_reason: z.string().nullable().optional(),
  /** Passed on as it is, so that a script may lie. */
  usage: z.unknown().optional(),
});

export const scriptFaultSchema = z.strictObject({
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.string()).optional(),
  /** A string is sent as it is, anything else as JSON. */
  body: z.unknown().optional(),
});

const replySchema = z.union([z.array(scriptBlockSchema), scriptReplySchema, scriptFaultSchema]);

export type ScriptBlock = z.input<typeof scriptBlockSchema>;
/** The blocks of a reply, a reply, or an HTTP answer of any kind. */
export type ScriptReply = z.input<typeof replySchema>;

type Judged = z.output<typeof replySchema>;

export type ScriptReplyReading =
  | { readonly ok: true; readonly reply: Judged }
  | { readonly ok: false; readonly reason: string };

const SHAPES = "an array of blocks, { content, stop_reason?, usage? }, or { status, headers?, body? }";

/** Picks the shape that was meant, so that the message is about that one. */
function schemaFor(value: object): z.ZodType<Judged> {
  if (Array.isArray(value)) return z.array(scriptBlockSchema);
  return "status" in value ? scriptFaultSchema : scriptReplySchema;
}

/** Judges one reply of a script. Never throws. */
export function readScriptReply(value: unknown): ScriptReplyReading {
  if (typeof value !== "object" || value === null) {
    return { ok: false, reason: `must be ${SHAPES}, got ${describeValue(value)}` };
  }
  const parsed = schemaFor(value).safeParse(value);
  if (parsed.success) return { ok: true, reply: parsed.data };
  const issue = parsed.error.issues[0];
  const path = issue && issue.path.length > 0 ? `${issue.path.map(String).join(".")}: ` : "";
  return { ok: false, reason: `${path}${issue?.message ?? "malformed"}; it must be ${SHAPES}` };
}

/** The answer to put on the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function bodyText(body: unknown): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** The same reply as a stream of events, calls' inputs in pieces. */
export function streamAnswer(answer: WireAnswer): WireAnswer {
  const { content, stop_reason, stop_sequence, usage, ...head } = JSON.parse(answer.body) as {
    readonly content: readonly Record<string, unknown>[];
    readonly stop_reason: unknown;
    readonly stop_sequence: unknown;
    readonly usage: unknown;
  };
  const events: Record<string, unknown>[] = [
    {
      type: "message_start",
      message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage },
    },
    ...content.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
  const body = events.map((event) => `event: ${event["type"]}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return { status: 200, headers: { "content-type": "text/event-stream" }, body };
}

function blockEvents(block: Record<string, unknown>, index: number): Record<string, unknown>[] {
  const delta = (inner: object) => ({ type: "content_block_delta", index, delta: inner });
  const stop = { type: "content_block_stop", index };
  const start = (content_block: object) => ({ type: "content_block_start", index, content_block });
  if (block["type"] === "text") {
    return [start({ ...block, text: "" }), delta({ type: "text_delta", text: block["text"] }), stop];
  }
  if (block["type"] !== "tool_use" || block["input"] === undefined) return [start(block), stop];
  const json = JSON.stringify(block["input"]);
  const half = Math.ceil(json.length / 2);
  const pieces = [json.slice(0, half), json.slice(half)];
  return [
    start({ ...block, input: {} }),
    ...pieces.map((partial_json) => delta({ type: "input_json_delta", partial_json })),
    stop,
  ];
}

/** Turns a judged reply into an HTTP answer. `count` numbers the requests and makes ids unique. */
export function wireAnswer(reply: Judged, model: string, count: number): WireAnswer {
  if (!Array.isArray(reply) && "status" in reply) {
    const headers = { "content-type": "application/json", ...reply.headers };
    return { status: reply.status, headers, body: bodyText(reply.body) };
  }
  const given = Array.isArray(reply) ? { content: reply, stop_reason: undefined, usage: undefined } : reply;
  const content = given.content.map((block, index) =>
    block.type === "tool_use" ? { id: `toolu_script_${count}_${index}`, ...block } : block,
  );
  const hasCall = content.some((block) => block.type === "tool_use");
  const message = {
    id: `msg_script_${count}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: given.stop_reason === undefined ? (hasCall ? "tool_use" : "end_turn") : given.stop_reason,
    stop_sequence: null,
    usage: given.usage ?? { input_tokens: 0, output_tokens: 0 },
  };
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(message) };
}
