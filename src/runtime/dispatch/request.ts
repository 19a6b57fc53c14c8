// The request as it goes over the wire, the same for every port, so that its digest in the trace is the digest of
// what was sent.
import type { JsonValue } from "../../base/canonical-json.js";
import { type Digest, digestJson } from "../../base/digest.js";
import type { Message, UserBlock } from "./message.js";
import type { ModelRequest } from "./model-port.js";

const CACHE_POINT = { type: "ephemeral" } as const;

/** Newest user messages that carry a cache point; with the one on the system text three of the four allowed. */
const CACHED_USER_MESSAGES = 2;

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
}

function withCachePoint(content: readonly UserBlock[]): readonly WireBlock[] {
  // On the last result where there is one: pictures after the results belong to the same turn.
  const lastResult = content.findLastIndex((block) => block.type === "tool_result");
  const at = lastResult === -1 ? content.length - 1 : lastResult;
  return content.map((block, index) => (index === at ? { ...block, cache_control: CACHE_POINT } : block));
}

function wireMessages(messages: readonly Message[]): WireMessage[] {
  const users = messages.flatMap((message, index) => (message.role === "user" ? [index] : []));
  const cached = new Set(users.slice(-CACHED_USER_MESSAGES));
  return messages.map((message, index) =>
    message.role === "user" && cached.has(index)
      ? { role: "user", content: withCachePoint(message.content) }
      : message,
  );
}

/** The body of a request to `POST /v1/messages`. */
export function requestBody(request: ModelRequest): RequestBody {
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    system: [{ type: "text", text: request.system, cache_control: CACHE_POINT }],
    tools: [request.tool],
    messages: wireMessages(request.messages),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
  };
}

export interface RequestMeasure {
  readonly messages: number;
  readonly images: number;
  readonly bytes: number;
  readonly digest: Digest;
}

function isImage(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as { type?: unknown }).type === "image";
}

function countImages(messages: readonly Message[]): number {
  let images = 0;
  for (const message of messages) {
    if (message.role !== "user") continue;
    for (const block of message.content) {
      if (block.type === "tool_result") images += block.content.filter(isImage).length;
      else if (isImage(block)) images += 1;
    }
  }
  return images;
}

/** What the trace keeps of a request. */
export function measureRequest(request: ModelRequest): RequestMeasure {
  const body = requestBody(request);
  return {
    messages: request.messages.length,
    images: countImages(request.messages),
    bytes: Buffer.byteLength(JSON.stringify(body)),
    digest: digestJson(body as unknown as JsonValue),
  };
}
