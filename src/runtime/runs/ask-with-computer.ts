// One question to the model with the computer tool, for callers with a client and a loop of their own. The tool offers
// what the cap grants; of the reply nothing is trusted, and its calls are read by the one parser of actions.
import { type AbortSignalLike, followSignal } from "../../base/abort.js";
import { type Clock, systemClock } from "../../base/clock.js";
import type { AgentEntry } from "../../contract/agent-spec.js";
import type { Size } from "../../contract/geometry.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import { ComputerCap } from "../cap/computer-cap.js";
import { type ComputerTools, computerTools } from "../dispatch/computer-tools.js";
import {
  type ComputerRequest,
  type MessagesClient,
  otherTools,
  requireRequest,
  sendDirect,
} from "../dispatch/direct-request.js";
import { parseCall } from "../dispatch/parse-call.js";
import { type ModelSpace, toViewport } from "../dispatch/pictures/model-space.js";
import { type ModelReply, type ToolCall, textOf } from "../dispatch/reply.js";
import { sentBack, toContinue } from "../dispatch/sent-back.js";
import { judgeReply, type Step } from "../dispatch/stop-reason.js";
import { type ComputerAnswer, type ComputerCall, callResult, type OtherCall } from "./computer-answer.js";
import { type EndorsementListener, type Tainted, taint } from "./tainted.js";

/** How `askWithComputer` asks. */
export interface AskOptions {
  /** What the model may do with the computer: a cap, or the entry of a spec. */
  readonly allow: ComputerCap | AgentEntry;
  readonly signal?: AbortSignalLike;
  /** Told of each `trust` of a value of the reply. */
  readonly onTrust?: EndorsementListener;
  /** For a `retry-after` that is a date. */
  readonly clock?: Clock;
}

/** The messages that `turn` of an answer stands for. */
const turns = new WeakMap<object, object>();

/** Replies in the place of the values that stand for them. */
function openTurns(messages: readonly object[]): object[] {
  return messages.map((message) => turns.get(message) ?? message);
}

function usedIds(messages: readonly object[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    const { role, content } = message as { readonly role?: unknown; readonly content?: unknown };
    if (role !== "assistant" || !Array.isArray(content)) continue;
    for (const block of content as readonly unknown[]) {
      const { type, id } = (block ?? {}) as { readonly type?: unknown; readonly id?: unknown };
      if (type === "tool_use" && typeof id === "string") ids.add(id);
    }
  }
  return ids;
}

/** What the caller's own tools are called, plain ones and toolsets. */
class OwnTools {
  readonly #names = new Set<string>();
  readonly #toolsets = new Set<string>();

  constructor(tools: readonly object[]) {
    for (const tool of tools) {
      const { name, type } = tool as { readonly name?: unknown; readonly type?: unknown };
      const toolset = typeof type === "string" ? /^([a-z]+)_toolset_\d+$/.exec(type)?.[1] : undefined;
      if (typeof name === "string") this.#names.add(name);
      else if (toolset !== undefined) this.#toolsets.add(toolset);
    }
  }

  has({ name, toolset }: ToolCall): boolean {
    if (typeof toolset === "string") return this.#toolsets.has(toolset);
    return (toolset === undefined || toolset === null) && this.#names.has(name);
  }
}

class Reader {
  readonly #computer: ComputerTools;
  readonly #space: ModelSpace;
  readonly #onTrust: EndorsementListener | undefined;

  constructor(computer: ComputerTools, viewport: Size, onTrust?: EndorsementListener) {
    this.#computer = computer;
    this.#space = { viewport, picture: computer.picture };
    this.#onTrust = onTrust;
  }

  get picture(): Size {
    return this.#computer.picture;
  }

  taint<T>(value: T): Tainted<T> {
    return taint(value, this.#onTrust);
  }

  computerCall(call: ToolCall): ComputerCall {
    const parsed = toViewport(parseCall(call, this.#computer.version), this.#space);
    const name = parsed.ok ? parsed.action.name : undefined;
    const head = { id: call.id, toolset: typeof call.toolset === "string" ? call.toolset : undefined };
    const size = name === "zoom" ? undefined : this.#computer.picture;
    return Object.freeze<ComputerCall>({
      id: call.id,
      name,
      action: parsed.ok ? this.taint(parsed.action) : undefined,
      commit: (gate, context) => (parsed.ok ? gate.commit(parsed.action, context) : parsed),
      done: (text, picture) => callResult(head, text, picture && { bytes: picture, size }),
      failed: (text) => ({ ...callResult(head, text), is_error: true }),
    });
  }

  otherCall(call: ToolCall): OtherCall {
    const toolset = typeof call.toolset === "string" ? call.toolset : undefined;
    return Object.freeze({ id: call.id, name: call.name, toolset, input: this.taint<unknown>(call.input) });
  }

  turn(reply: ModelReply, isToGoOn: boolean): Tainted<object> | undefined {
    const content = isToGoOn ? toContinue(reply.content) : sentBack(reply.content);
    if (content.length === 0) return undefined;
    const message = { role: "assistant", content };
    const turn: Tainted<object> = this.taint<object>(message);
    turns.set(turn, message);
    return turn;
  }
}

const FULL = {
  code: "E_PROTOCOL",
  message: "the conversation no longer fits the model's context; nothing of the reply may be used",
} as const;

/** What the caller does next, and why the reply is of no use where it is of none. */
function outcomeOf(step: Step): Pick<ComputerAnswer, "step" | "problem"> {
  switch (step.kind) {
    case "execute":
      return { step: "calls", problem: undefined };
    case "compacted":
      return { step: "continue", problem: undefined };
    case "full":
      return { step: "end", problem: FULL };
    case "end":
      return { step: "end", problem: { code: step.code, message: step.message } };
    default:
      return { step: step.kind, problem: undefined };
  }
}

function answerOf(reply: ModelReply, request: ComputerRequest, reader: Reader): ComputerAnswer {
  const step = judgeReply(reply, usedIds(request.messages));
  const outcome = outcomeOf(step);
  const own = new OwnTools(otherTools(request));
  const calls = step.kind === "execute" ? step.calls : [];
  return Object.freeze({
    ...outcome,
    text: reader.taint(textOf(reply)),
    calls: calls.filter((call) => !own.has(call)).map((call) => reader.computerCall(call)),
    otherCalls: calls.filter((call) => own.has(call)).map((call) => reader.otherCall(call)),
    turn: outcome.step === "end" ? undefined : reader.turn(reply, outcome.step === "continue"),
    picture: reader.picture,
    usage: reply.usage,
  });
}

function capOf(allow: ComputerCap | AgentEntry): ComputerCap {
  return allow instanceof ComputerCap ? allow : ComputerCap.fromSpec(allow);
}

/**
 * Asks the model once, through your own client of `@anthropic-ai/sdk`, with the computer tool in the version that the
 * request's model takes. The tool offers what `allow` grants; other tools of yours stay, other computer tools give way.
 * The request goes to `beta.messages` where a beta is needed, else to `messages`. Nothing is repeated but what the
 * client itself repeats, and nothing is carried out: take each call to a gate by `commit`, and what it permits to a
 * desktop.
 *
 * @throws ConfigurationError E_SPEC when the entry was built for a version of the tool that the model refuses.
 * @throws CapuchinError E_CAP_FORGED, E_SCHEMA for a cap or a request that is none.
 * @throws ModelError when there is no usable reply: `missing` says which access the API denied, `retryAfterMs` how long
 *   it asked to wait. The signal's reason when it was aborted.
 */
export async function askWithComputer(
  client: MessagesClient,
  request: ComputerRequest,
  options: AskOptions,
): Promise<ComputerAnswer> {
  requireRequest(request);
  if (typeof options !== "object" || options === null)
    throw new CapuchinError("E_SCHEMA", "askWithComputer takes { allow } as its third argument");
  const { allow, onTrust, clock = systemClock } = options;
  const computer = computerTools(allow, { model: request.model });
  const asked = { ...request, messages: openTurns(request.messages) };
  const { signal } = followSignal(options.signal);
  const reply = await sendDirect(client, asked, computer, { signal, nowISO: clock.now() });
  const reader = new Reader(computer, capOf(allow).viewport, onTrust);
  return answerOf(reply, asked, reader);
}
