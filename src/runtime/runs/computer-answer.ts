// What the model said to a caller who asked it directly. Its words, its actions and the inputs of its calls are
// tainted: an action reaches a desktop only through a gate, a text only through a check of the caller's.
import type { Action, ActionName } from "../../contract/actions.js";
import type { Size } from "../../contract/geometry.js";
import type { MediaType, Usage } from "../../contract/journal-records.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";
import type { Allowed, Gate, GateContext } from "../cap/gate.js";
import type { PermittedAction } from "../cap/permitted.js";
import { readPictureHeader } from "../dispatch/pictures/picture-file.js";
import type { Tainted } from "./tainted.js";

/** A block of a tool result. */
export type AnswerBlock =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: MediaType; data: string } };

/** The answer to one call, for the next request. It goes first in its message, before text and pictures. */
export interface CallResult {
  type: "tool_result";
  tool_use_id: string;
  toolset_name?: string;
  content: AnswerBlock[];
  is_error?: true;
}

/** Whether the gate allows a call, and if so the action that a desktop takes. */
export type CallVerdict =
  | (Allowed & { readonly permitted: PermittedAction })
  | { readonly ok: false; readonly code: RunCodeName; readonly reason: string };

/** A call of the computer tool. */
export interface ComputerCall {
  readonly id: string;
  /** The member of the tool; undefined for a call that is no well-formed action. */
  readonly name: ActionName | undefined;
  /** The action, in pixels of the cap's viewport. No cap has judged it yet. */
  readonly action: Tainted<Action> | undefined;
  /**
   * Takes the action to a gate, which judges, charges and permits it. A call that is no well-formed action is refused.
   * The gate's display must be the cap's viewport, or scale from it.
   */
  commit(gate: Gate, context: GateContext): CallVerdict;
  /**
   * The answer when it was done, with a picture where the action asked for one.
   * @throws CapuchinError E_SCHEMA for a blank text without a picture, or a picture whose size is not `picture` of
   *   the answer (a zoom's may be any).
   */
  done(text: string, picture?: Uint8Array): CallResult;
  /** The answer when it was not done. After it no later call of the same turn may be done. */
  failed(text: string): CallResult;
}

/** A call of one of the caller's own tools. */
export interface OtherCall {
  readonly id: string;
  /** As the caller's request named the tool; a member of one of its toolsets is as the model wrote it. */
  readonly name: string;
  /** The caller's toolset, where it is a member of one. */
  readonly toolset: string | undefined;
  readonly input: Tainted<unknown>;
}

/** A reply to `askWithComputer`. */
export interface ComputerAnswer {
  /**
   * `calls`: do them in order, answer each, ask again. `continue`: ask again with `turn` added. `nudge`: a call was
   * announced and none made; say so and ask again. `complete`: the model is done. `end`: nothing of the reply may be
   * used; `problem` says why.
   */
  readonly step: "calls" | "continue" | "nudge" | "complete" | "end";
  /** The model's words. */
  readonly text: Tainted<string>;
  /** In order, with `otherCalls` in between where the model wrote them so. */
  readonly calls: readonly ComputerCall[];
  readonly otherCalls: readonly OtherCall[];
  /** Why the reply may not be used, under `end`. */
  readonly problem: { readonly code: RunCodeName; readonly message: string } | undefined;
  /**
   * The reply as a message. Put it into the next request's `messages` as it is: `askWithComputer` knows it again.
   * Undefined where there is nothing to send back.
   */
  readonly turn: Tainted<object> | undefined;
  /** The size of the pictures to send. */
  readonly picture: Size;
  /** As the server counted; undefined where its numbers cannot be true. */
  readonly usage: Usage | undefined;
}

/** The words for a call that comes after a failed one of the same turn: the API's own. */
export { HALT_TEXT } from "../dispatch/answer.js";

function bad(reason: string): CapuchinError {
  return new CapuchinError("E_SCHEMA", `answer to a tool call: ${reason}`);
}

function imageBlock(bytes: Uint8Array, size: Size | undefined): AnswerBlock {
  const header = readPictureHeader(bytes);
  if (!header.ok) throw bad(`the picture ${header.reason}`);
  const { width, height } = header.size;
  if (size && (width !== size.width || height !== size.height))
    throw bad(`the picture has ${width} × ${height} pixels: scale it to ${size.width} × ${size.height}`);
  return {
    type: "image",
    source: { type: "base64", media_type: header.mediaType, data: Buffer.from(bytes).toString("base64") },
  };
}

/** The result block of a call. @throws CapuchinError E_SCHEMA for one that the API would refuse. */
export function callResult(
  call: { readonly id: string; readonly toolset: string | undefined },
  text: string,
  picture?: { readonly bytes: Uint8Array; readonly size: Size | undefined },
): CallResult {
  if (typeof text !== "string") throw bad("the text must be a string");
  const content: AnswerBlock[] = text.trim() === "" ? [] : [{ type: "text", text }];
  if (picture) content.push(imageBlock(picture.bytes, picture.size));
  if (content.length === 0) throw bad("it needs a text or a picture");
  return {
    type: "tool_result",
    tool_use_id: call.id,
    ...(call.toolset === undefined ? {} : { toolset_name: call.toolset }),
    content,
  };
}
