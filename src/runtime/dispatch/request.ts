// The request as it goes over the wire, the same for every port, so that its digest in the trace is the digest of
// what was sent.
import { type Digest, digestBytes } from "../../base/digest.js";
import type { Size } from "../../contract/geometry.js";
import { type ContextEdits, contextBetas, contextEdits } from "./history/compaction.js";
import type { Message, UserBlock } from "./message.js";
import type { ModelRequest } from "./model-port.js";
import { type RequestTokens, requestTokens } from "./tokens.js";
import { betaOf } from "./tool-entry.js";

const CACHE_POINT = { type: "ephemeral" } as const;

/** Cache points beside the one after tools and system text. */
const MESSAGE_CACHE_POINTS_MAX = 3;

type WireBlock = { readonly type: string; readonly cache_control?: typeof CACHE_POINT };
type WireMessage = { readonly role: "user" | "assistant"; readonly content: readonly WireBlock[] };

export interface RequestBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: readonly [
    { readonly type: "text"; readonly text: string; readonly cache_control: typeof CACHE_POINT },
  ];
  readonly tools: readonly [ModelRequest["tool"]];
  readonly messages: readonly WireMessage[];
  readonly temperature?: number;
  readonly context_management?: ContextEdits;
}

function withCachePoint(content: readonly UserBlock[]): readonly WireBlock[] {
  // On the last result where there is one: pictures after the results belong to the same turn.
  const lastResult = content.findLastIndex((block) => block.type === "tool_result");
  const at = lastResult === -1 ? content.length - 1 : lastResult;
  return content.map((block, index) => (index === at ? { ...block, cache_control: CACHE_POINT } : block));
}

function newestUsers(messages: readonly Message[]): readonly number[] {
  return messages.flatMap((message, index) => (message.role === "user" ? [index] : [])).slice(-2);
}

function wireMessages({ messages, cachePoints }: ModelRequest): WireMessage[] {
  const points = new Set((cachePoints ?? newestUsers(messages)).slice(-MESSAGE_CACHE_POINTS_MAX));
  return messages.map((message, index) =>
    message.role === "user" && points.has(index)
      ? { role: "user", content: withCachePoint(message.content) }
      : message,
  );
}

/** The body of a request to `POST /v1/messages`. */
export function requestBody(request: ModelRequest): RequestBody {
  const edits = contextEdits(request.serverContext);
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    system: [{ type: "text", text: request.system, cache_control: CACHE_POINT }],
    tools: [request.tool],
    messages: wireMessages(request),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(edits === undefined ? {} : { context_management: edits }),
  };
}

/** The beta headers that a request needs. */
export function betasOf(request: ModelRequest): readonly string[] {
  const tool = betaOf(request.tool);
  return [...(tool === undefined ? [] : [tool]), ...contextBetas(request.serverContext)];
}

export interface RequestMeasure {
  readonly messages: number;
  readonly images: number;
  readonly bytes: number;
  readonly digest: Digest;
  readonly tokens: RequestTokens;
}

/** What the trace keeps of a request. `pictures`: the sizes of those in its messages. */
export function measureRequest(request: ModelRequest, pictures: readonly Size[]): RequestMeasure {
  // The SDK posts the same text. It may have many megabytes: it is written and digested once.
  const text = JSON.stringify(requestBody(request));
  return {
    messages: request.messages.length,
    images: pictures.length,
    bytes: Buffer.byteLength(text),
    digest: digestBytes(text),
    tokens: requestTokens(request, pictures),
  };
}
