// A streamed reply, put together. Nothing of it is handed on before its last event: a call's input is parsed once,
// strictly, from all of its pieces, and a stream that ends early is no reply.
import { z } from "zod";
import { describeValue } from "../../base/escape.js";
import { ModelError } from "./model-port.js";
import { BLOCKS_MAX } from "./reply.js";

const index = z
  .int()
  .min(0)
  .max(BLOCKS_MAX - 1);
const usage = z.record(z.string(), z.unknown());

const deltaSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text_delta"), text: z.string() }),
  z.looseObject({ type: z.literal("input_json_delta"), partial_json: z.string() }),
  z.looseObject({ type: z.literal("thinking_delta"), thinking: z.string() }),
  z.looseObject({ type: z.literal("signature_delta"), signature: z.string() }),
  z.looseObject({ type: z.literal("citations_delta"), citation: z.unknown() }),
  z.looseObject({
    type: z.literal("compaction_delta"),
    content: z.string().nullable(),
    encrypted_content: z.string().nullish(),
  }),
]);

const eventSchema = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("message_start"),
    message: z.looseObject({ usage: usage.optional(), content: z.unknown() }),
  }),
  z.looseObject({
    type: z.literal("content_block_start"),
    index,
    content_block: z.looseObject({ type: z.string() }),
  }),
  z.looseObject({ type: z.literal("content_block_delta"), index, delta: deltaSchema }),
  z.looseObject({ type: z.literal("content_block_stop"), index }),
  z.looseObject({
    type: z.literal("message_delta"),
    delta: z.looseObject({ stop_reason: z.unknown(), stop_sequence: z.unknown().optional() }),
    usage: usage.optional(),
  }),
  z.looseObject({ type: z.literal("message_stop") }),
  z.looseObject({ type: z.literal("ping") }),
]);

/** Kinds that mean something here. An error belongs to them: it is never passed over. */
const KINDS = new Set<unknown>([
  ...eventSchema.options.map(({ shape }) => shape.type.value),
  "error",
] satisfies readonly string[]);

/** The API may add kinds of events at any time; one that nobody knows here says nothing about the reply. */
function isForeign(value: unknown): boolean {
  const type = (value as { type?: unknown } | null)?.type;
  return typeof type === "string" && type !== "" && !KINDS.has(type);
}

type StreamEvent = z.infer<typeof eventSchema>;
type Delta = z.infer<typeof deltaSchema>;

interface OpenBlock {
  readonly block: Record<string, unknown>;
  /** Pieces of a call's input. */
  json: string;
  readonly citations: unknown[];
}

function malformed(why: string): ModelError {
  return new ModelError("malformed", `the streamed reply ${why}`);
}

function append(block: Record<string, unknown>, field: string, more: string): void {
  const before = block[field] ?? "";
  if (typeof before !== "string") throw malformed(`adds text to a ${field} that is none`);
  block[field] = before + more;
}

/** Kinds of block that a kind of delta belongs to. */
const HOLDERS: Readonly<Record<Delta["type"], readonly string[]>> = {
  text_delta: ["text"],
  input_json_delta: ["tool_use", "server_tool_use", "mcp_tool_use"],
  thinking_delta: ["thinking"],
  signature_delta: ["thinking"],
  citations_delta: ["text"],
  compaction_delta: ["compaction"],
};

export class StreamAssembly {
  readonly #content: Record<string, unknown>[] = [];
  #message: Record<string, unknown> | undefined;
  #open: OpenBlock | undefined;
  #hasStopReason = false;
  #hasBrokenInput = false;
  #complete = false;

  /** Takes the next event. @throws ModelError when it does not follow from those before. */
  take(value: unknown): void {
    if (isForeign(value)) return;
    const parsed = eventSchema.safeParse(value);
    if (!parsed.success) {
      const type = (value as { type?: unknown } | null)?.type;
      throw malformed(`holds an event that is malformed, ${describeValue(type, 40)}`);
    }
    if (this.#complete && parsed.data.type !== "ping") throw malformed("goes on after its end");
    this.#apply(parsed.data);
  }

  /** Whether the last event was taken. */
  get isComplete(): boolean {
    return this.#complete;
  }

  /** The whole message. @throws ModelError when the stream ended before it was complete. */
  finish(): unknown {
    if (!this.#complete || !this.#message) throw malformed("ended early; nothing of it was used");
    if (this.#hasBrokenInput && this.#message["stop_reason"] === "tool_use") {
      throw malformed("holds a call whose input is no JSON");
    }
    return { ...this.#message, content: this.#content };
  }

  #apply(event: StreamEvent): void {
    switch (event.type) {
      case "ping":
        return;
      case "message_start":
        if (this.#message) throw malformed("begins twice");
        requireNothingYet(event.message.content);
        this.#message = { ...event.message };
        return;
      case "content_block_start":
        this.#begin(event.index, event.content_block);
        return;
      case "content_block_delta":
        this.#add(this.#requireOpen(event.index), event.delta);
        return;
      case "content_block_stop":
        this.#end(this.#requireOpen(event.index));
        return;
      case "message_delta":
        this.#applyMessage(event);
        return;
      case "message_stop":
        if (this.#open || !this.#hasStopReason)
          throw malformed("ends within a block or without a stop reason");
        this.#complete = true;
    }
  }

  #begin(at: number, block: Record<string, unknown>): void {
    if (!this.#message || this.#open || this.#hasStopReason || at !== this.#content.length) {
      throw malformed("has its blocks out of order");
    }
    const { citations } = block;
    this.#open = { block: { ...block }, json: "", citations: Array.isArray(citations) ? [...citations] : [] };
  }

  #requireOpen(at: number): OpenBlock {
    if (!this.#open || at !== this.#content.length) throw malformed("has its blocks out of order");
    return this.#open;
  }

  #add(open: OpenBlock, delta: Delta): void {
    const { block } = open;
    if (!HOLDERS[delta.type].includes(String(block["type"]))) {
      throw malformed(`adds a ${delta.type} to a block that takes none`);
    }
    switch (delta.type) {
      case "text_delta":
        append(block, "text", delta.text);
        return;
      case "thinking_delta":
        append(block, "thinking", delta.thinking);
        return;
      case "signature_delta":
        append(block, "signature", delta.signature);
        return;
      case "input_json_delta":
        open.json += delta.partial_json;
        return;
      case "compaction_delta":
        // It brings the whole summary at once, not a piece of it.
        block["content"] = delta.content;
        if (delta.encrypted_content !== undefined) block["encrypted_content"] = delta.encrypted_content;
        return;
      case "citations_delta": {
        // Added in place: a copy for each of very many would take the whole process's time.
        open.citations.push(delta.citation);
      }
    }
  }

  #end(open: OpenBlock): void {
    if (open.citations.length > 0) open.block["citations"] = open.citations;
    if (open.json !== "") {
      if (!isEmpty(open.block["input"])) throw malformed("gives a call two inputs");
      try {
        open.block["input"] = JSON.parse(open.json);
      } catch {
        // Cut off at the token limit, say. Never repaired: it only matters whether the reply asks for its execution.
        this.#hasBrokenInput = true;
      }
    }
    this.#content.push(open.block);
    this.#open = undefined;
  }

  #applyMessage(event: Extract<StreamEvent, { type: "message_delta" }>): void {
    if (!this.#message || this.#open) throw malformed("has its parts out of order");
    const { stop_reason: given, stop_sequence: sequence } = event.delta;
    const reason = given ?? this.#message["stop_reason"];
    if (this.#hasStopReason && (this.#message["stop_reason"] ?? reason) !== reason) {
      throw malformed("gives two stop reasons");
    }
    this.#hasStopReason = true;
    const before = this.#message["usage"] as Record<string, unknown> | undefined;
    this.#message = {
      ...this.#message,
      stop_reason: reason,
      ...(sequence === undefined ? {} : { stop_sequence: sequence }),
      usage: { ...before, ...withoutNull(event.usage) },
    };
  }
}

/** Blocks come by events of their own; what stands in the first event would be lost. */
function requireNothingYet(content: unknown): void {
  if (content === undefined || content === null) return;
  if (!Array.isArray(content) || content.length > 0) throw malformed("begins with a content of its own");
}

/** What a call's input is before its pieces come. */
function isEmpty(input: unknown): boolean {
  if (input === undefined || input === null || input === "") return true;
  return typeof input === "object" && Object.keys(input).length === 0;
}

/** Counts that the last event leaves open stay as the first one said. */
function withoutNull(value: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, count]) => count !== null));
}
