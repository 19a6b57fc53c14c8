// A caller's own request with the computer tool in it, sent once through the caller's own client. Only the tool, the
// beta it needs and what must be said of it are ours; everything else goes out as it was given.
import { abortReason, raceAbort } from "../../base/abort.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import type { ComputerTools } from "./computer-tools.js";
import { streamedFault, toModelError } from "./model-fault.js";
import { ModelError } from "./model-port.js";
import { type ModelReply, readReply } from "./reply.js";
import { StreamAssembly } from "./stream-assembly.js";
import { readToEnd } from "./stream-end.js";

/** What is used of a request; the rest of it is passed on. */
export interface ComputerRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly object[];
  /** The caller's other tools. Computer tools, and whatever else is called `computer`, give way to ours. */
  readonly tools?: readonly object[] | undefined;
  readonly system?: string | readonly object[] | undefined;
  /** Betas of the caller's own. */
  readonly betas?: readonly string[] | undefined;
  /** Receive the reply in pieces. It is handed over when it is complete, as without. */
  readonly stream?: boolean | undefined;
}

/** The part of a Messages client that is used; the client of `@anthropic-ai/sdk` has it. */
export interface MessagesClient {
  readonly messages: MessagesEndpoint;
  readonly beta: { readonly messages: MessagesEndpoint };
  /** Masked in errors. */
  readonly apiKey?: string | null | undefined;
}

/** Where a request can be sent, with a signal among the options. */
export interface MessagesEndpoint {
  create(request: never, options?: never): PromiseLike<unknown>;
}

function isComputerTool(tool: object): boolean {
  const { type, name } = tool as { readonly type?: unknown; readonly name?: unknown };
  return name === "computer" || (typeof type === "string" && /^computer_/.test(type));
}

/** The caller's tools that stay beside ours. */
export function otherTools({ tools }: ComputerRequest): readonly object[] {
  return (tools ?? []).filter((tool) => !isComputerTool(tool));
}

function withNotice(
  system: ComputerRequest["system"],
  notice: string | undefined,
): ComputerRequest["system"] {
  if (notice === undefined) return system;
  if (system === undefined || system === "") return notice;
  return typeof system === "string" ? `${system}\n\n${notice}` : [...system, { type: "text", text: notice }];
}

/** The request with our tool in the place of others, its betas apart. */
function bodyOf(request: ComputerRequest, computer: ComputerTools): Record<string, unknown> {
  const { betas: _betas, ...rest } = request;
  const system = withNotice(request.system, computer.notice);
  return {
    ...rest,
    ...(system === undefined ? {} : { system }),
    tools: [...otherTools(request), ...computer.tools],
  };
}

async function assemble(events: unknown): Promise<unknown> {
  if (typeof events !== "object" || events === null || !(Symbol.asyncIterator in events)) {
    throw new ModelError("malformed", "the client answered a streamed request with no stream");
  }
  const assembly = new StreamAssembly();
  const { controller } = events as { readonly controller?: { abort?(): void } };
  return readToEnd(
    events as AsyncIterable<unknown>,
    assembly,
    (event) => assembly.take(event),
    () => controller?.abort?.(),
  );
}

/** The error of one request, as a ModelError that says which access is missing or how long to wait. */
function faultOf(
  error: unknown,
  client: MessagesClient,
  computer: ComputerTools,
  nowISO: string,
): ModelError {
  if (error instanceof ModelError) return error;
  const { status } = (error ?? {}) as { readonly status?: unknown };
  const context = { apiKey: client.apiKey ?? "", now: nowISO, asked: computer };
  const streamed = status === undefined ? streamedFault(error, context) : undefined;
  return streamed ?? toModelError(error, context);
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly nowISO: string;
}

/**
 * Sends a request through the caller's client, to the endpoint that takes its betas, and returns the whole reply.
 * @throws ModelError when there is none; the signal's reason when it was aborted.
 */
export async function sendDirect(
  client: MessagesClient,
  request: ComputerRequest,
  computer: ComputerTools,
  { signal, nowISO }: SendOptions,
): Promise<ModelReply> {
  if (signal.aborted) throw abortReason(signal);
  const body = bodyOf(request, computer);
  const betas = [...new Set([...(request.betas ?? []), ...computer.betas])];
  let raw: unknown;
  try {
    // The types of a body and of its options are the client's own; here it is whatever the caller gave.
    const sent =
      betas.length === 0
        ? client.messages.create(body as never, { signal } as never)
        : client.beta.messages.create({ ...body, betas } as never, { signal } as never);
    const asked = Promise.resolve(sent).then((answer) =>
      request.stream === true ? assemble(answer) : answer,
    );
    raw = await raceAbort(asked, signal);
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    throw faultOf(error, client, computer, nowISO);
  }
  const reading = readReply(raw);
  if (!reading.ok) throw new ModelError("malformed", `the reply is ${reading.reason}`);
  return reading.reply;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Refuses a request that could not be asked. @throws CapuchinError E_SCHEMA */
export function requireRequest(request: ComputerRequest): void {
  const { messages, tools, betas } = (request ?? {}) as Partial<ComputerRequest>;
  const bad =
    (!Array.isArray(messages) && "messages must be a list") ||
    (tools !== undefined && !Array.isArray(tools) && "tools must be a list") ||
    (!messages?.every(isObject) && "messages must hold objects only") ||
    (tools !== undefined && !tools.every(isObject) && "tools must hold objects only") ||
    (betas !== undefined && !Array.isArray(betas) && "betas must be a list");
  if (bad !== false) throw new CapuchinError("E_SCHEMA", `askWithComputer: the request's ${bad}`);
}
