// The ways in which a reply reaches the loop: whole or as a stream, for the toolset or for the single older tool. A row
// of the catalogue is played in each of them, over HTTP and the real SDK.
import type { ComputerUseOptions } from "../../src/contract/declaration.js";
import type { DispatchResult } from "../../src/runtime/dispatch/dispatch-result.js";
import type { DispatcherOptions } from "../../src/runtime/dispatch/dispatcher.js";
import type { FakeDesktopOptions } from "../../src/runtime/testing/fake-desktop.js";
import type { ScriptFunction } from "../../src/runtime/testing/messages-server.js";
import type { ScriptReply } from "../../src/runtime/testing/script-reply.js";
import type { ScriptSource } from "../../src/runtime/testing/scripted-model.js";
import { bench, recorded } from "../runtime/dispatch/setup.js";

export interface Mode {
  readonly name: string;
  readonly stream: boolean;
  readonly style: "toolset" | "single";
  /** The script's calls go out as they are written, in whichever calling form. */
  readonly asWritten?: true;
}

export const MODES: readonly Mode[] = [
  { name: "whole, toolset", stream: false, style: "toolset" },
  { name: "streamed, toolset", stream: true, style: "toolset" },
  { name: "whole, single tool", stream: false, style: "single" },
  { name: "streamed, single tool", stream: true, style: "single" },
];

/** Each way of receiving, where the calling form plays no part. */
export const TRANSPORTS: readonly Mode[] = MODES.filter((mode) => mode.style === "toolset");

const MODELS = { toolset: "claude-opus-5-5", single: "claude-opus-4-7" } as const;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A toolset call in the calling form of a mode; anything else as it is. */
export function inStyle(block: unknown, { style }: Pick<Mode, "style">): unknown {
  if (style === "toolset" || !isObject(block)) return block;
  const { name, toolset_name, input, ...rest } = block;
  const isMember = toolset_name === "computer" && typeof name === "string" && name !== "computer";
  if (block["type"] !== "tool_use" || !isMember) return block;
  const isPlain = isObject(input);
  return { ...rest, name: "computer", input: isPlain ? { action: name, ...input } : input };
}

function replyInStyle(reply: ScriptReply, mode: Mode): ScriptReply {
  if (mode.asWritten) return reply;
  if (Array.isArray(reply)) return reply.map((block) => inStyle(block, mode)) as ScriptReply;
  if ("content" in reply && Array.isArray(reply.content)) {
    return { ...reply, content: reply.content.map((block) => inStyle(block, mode)) } as ScriptReply;
  }
  if ("body" in reply && isObject(reply.body) && Array.isArray(reply.body["content"])) {
    const content = reply.body["content"].map((block) => inStyle(block, mode));
    return { ...reply, body: { ...reply.body, content } };
  }
  return reply;
}

function inMode(source: ScriptSource, mode: Mode): ScriptSource {
  if (typeof source !== "function") return source.map((reply) => replyInStyle(reply, mode));
  const play: ScriptFunction = async (request, context) => replyInStyle(await source(request, context), mode);
  return play;
}

export type Options = Partial<ComputerUseOptions>;
export type More = Partial<DispatcherOptions> & { readonly fake?: FakeDesktopOptions };

/** A bench for a script in one mode; when the script has run out, the model says "done". */
export function stage(mode: Mode, source: ScriptSource, options: Options = {}, more: More = {}) {
  const model = recorded(inMode(source, mode), { stream: mode.stream });
  return { ...bench(model, { model: MODELS[mode.style], ...options }, more), model };
}

/** Plays a goal against a script in one mode. */
export async function play(mode: Mode, source: ScriptSource, options: Options = {}, more: More = {}) {
  const made = stage(mode, source, options, more);
  const result: DispatchResult = await made.dispatcher.run("go");
  return { ...made, result, events: made.desktop.events };
}
