// The model of a replay: gives out the kept replies of one goal in order, in the form that a server would send. What
// the trace withheld has a stand-in; nothing here asks anybody.
import { canonicalJson, type JsonValue } from "../../../base/canonical-json.js";
import { type KeptBlock, type KeptReply, keptReplySchema } from "../../../contract/kept-documents.js";
import { SECRET_MARK } from "../../../runtime/control/redaction.js";
import { ModelError, type ModelPort } from "../../../runtime/dispatch/model-port.js";
import type { RecordedTurn } from "./recorded-run.js";

/** A kept reply from its verified text. @throws Error that says what is wrong with it. */
export function readKeptReply(text: string): KeptReply {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("is not JSON");
  }
  const parsed = keptReplySchema.safeParse(value);
  if (parsed.success) {
    // As everything that is kept by content, it has one spelling; a schema may pass over a key named __proto__.
    if (canonicalJson(parsed.data) === text) return parsed.data;
    throw new Error("is not written as a kept reply is");
  }
  const issue = parsed.error.issues[0];
  throw new Error(`is no kept reply: ${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? ""}`);
}

/** An id that had a secret in it is still an id. */
function idOf(id: string): string {
  return id.replaceAll(SECRET_MARK, "secret");
}

function blockOf(block: KeptBlock): JsonValue {
  if (block.type === "tool_use" && "name" in block) {
    const { id, name, toolset_name: toolset, caller, input } = block;
    return {
      type: "tool_use",
      id: idOf(id),
      name,
      ...(toolset === undefined ? {} : { toolset_name: toolset }),
      ...(caller === undefined ? {} : { caller: { type: "program" } }),
      ...(input === undefined ? {} : { input }),
    };
  }
  if ("text" in block) return { type: "text", text: block.text };
  if (block.type === "text" && "withheld" in block) {
    return { type: "text", text: block.withheld === 0 ? "" : `[withheld: ${block.withheld} characters]` };
  }
  return { type: block.type };
}

function messageOf({ turn, stopReason, usage, content }: KeptReply): JsonValue {
  return {
    type: "message",
    role: "assistant",
    id: `replayed_${turn}`,
    content: content.map(blockOf),
    stop_reason: stopReason,
    usage:
      usage === undefined
        ? null
        : {
            input_tokens: usage.inputTokens,
            output_tokens: usage.outputTokens,
            cache_read_input_tokens: usage.cacheReadTokens,
            cache_creation_input_tokens: usage.cacheWriteTokens,
          },
  };
}

export interface ReplayModelOptions {
  /** The model id of the recorded run: coordinates are in pixels of the pictures that it was sent. */
  readonly model: string | undefined;
  readonly dialect: KeptReply["dialect"];
  /** The next turn that is to be played; undefined when the recorded goal had no further one. */
  readonly nextTurn: () => RecordedTurn | undefined;
  readonly replyOf: (turn: RecordedTurn) => KeptReply;
  /** Called before a turn's reply is given out. */
  readonly onTurn: (turn: RecordedTurn) => void;
}

/** Asked beyond the last reply of a goal. */
export const NO_FURTHER_REPLY = "the recorded run went no further here";

export function replayModel(options: ReplayModelOptions): ModelPort {
  const { model, dialect, nextTurn, replyOf, onTurn } = options;
  return {
    id: "trace",
    dialect,
    ...(model === undefined ? {} : { model }),
    async ask(_request, signal) {
      signal.throwIfAborted();
      const turn = nextTurn();
      if (!turn) throw new ModelError("fatal", NO_FURTHER_REPLY);
      const reply = replyOf(turn);
      onTurn(turn);
      return messageOf(reply);
    },
    async close() {},
  };
}
