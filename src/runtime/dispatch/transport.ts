// The HTTP client below the SDK. It calls one URL by POST and nothing else, follows no redirect, uses no proxy of
// the environment, sends only headers on its list, and reads a reply only up to its limit. A reply that is no JSON
// text is refused here, before the SDK could be lenient about it.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { deadline } from "../../base/clock.js";
import { LIMITS } from "../../contract/limits.js";
import { ModelError } from "./model-port.js";

const HEADER_NAMES = /^(?:accept|anthropic-(?:beta|version)|content-type|user-agent|x-stainless-[a-z-]+)$/;

/** Of an error's body more is not kept, and it is not waited for any longer: the status is known already. */
const ERROR_BODY_MAX_BYTES = 64 * 1024;
const ERROR_BODY_MAX_MS = 5000;

export interface TransportOptions {
  /** Hand over an event stream as it comes, checked and limited, instead of a whole body. */
  readonly stream: boolean;
  /** The one URL, without its query. */
  readonly url: URL;
  readonly apiKey: string;
}

export interface Transport {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Lets go of the connection of a stream that does not end by itself. */
  abandon(response: Response): void;
  close(): void;
}

function sentHeaders(init: RequestInit, apiKey: string, body: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of new Headers(init.headers)) {
    if (HEADER_NAMES.test(name)) headers[name] = value;
  }
  // Set last: no other source of headers decides who is asked or paid.
  headers["authorization"] = `Bearer ${apiKey}`;
  headers["accept-encoding"] = "identity";
  headers["content-length"] = String(Buffer.byteLength(body));
  return headers;
}

function requireOnlyCall(input: string | URL | Request, init: RequestInit | undefined, url: URL): URL {
  const target = new URL(input instanceof Request ? input.url : input);
  const isOurs = target.origin === url.origin && target.pathname === url.pathname;
  if (!isOurs || init?.method?.toUpperCase() !== "POST" || typeof init.body !== "string") {
    throw new ModelError("fatal", "only POST /v1/messages may be called");
  }
  return target;
}

/** Fatal: whoever sends so much once may do so for ever. */
function tooLong(): ModelError {
  return new ModelError("fatal", `the reply is longer than ${LIMITS.replyMaxBytes} bytes`);
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : "";
}

/** The bytes of a body. A connection that breaks off within it is told apart from one that never answered. */
async function* piecesOf(message: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* message as AsyncIterable<Buffer>;
  } catch (error) {
    throw new ModelError("transient", `the connection broke off within the reply${codeOf(error)}`);
  }
}

/** Reads a body of at most `LIMITS.replyMaxBytes`. */
async function readBody(message: IncomingMessage): Promise<Buffer> {
  const limit = LIMITS.replyMaxBytes;
  const announced = Number(message.headers["content-length"]);
  if (announced > limit) {
    message.destroy();
    throw tooLong();
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of piecesOf(message)) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > limit) {
      message.destroy();
      throw tooLong();
    }
  }
  return Buffer.concat(chunks);
}

/** What there is of an error's body: its status counts, whatever becomes of the rest. */
async function readErrorBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const limit = deadline(ERROR_BODY_MAX_MS, new Error("the error's body takes too long"));
  limit.signal.addEventListener("abort", () => message.destroy(), { once: true });
  try {
    for await (const chunk of piecesOf(message)) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length > ERROR_BODY_MAX_BYTES) break;
    }
  } catch {
    // Cut short: what came is kept.
  } finally {
    limit.clear();
  }
  message.destroy();
  return Buffer.concat(chunks).subarray(0, ERROR_BODY_MAX_BYTES);
}

function requireJsonText(body: Buffer, status: number): void {
  const malformed = (why: string) => new ModelError("malformed", `the reply ${why}`, { status });
  if (body.byteLength === 0) throw malformed("is empty");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw malformed("is not UTF-8");
  }
  try {
    JSON.parse(text);
  } catch {
    throw malformed("is not JSON");
  }
}

/** The bytes as they come, as long as they are UTF-8 and within the limit. */
function checkedStream(message: IncomingMessage): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let length = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of piecesOf(message)) {
      length += chunk.byteLength;
      if (length > LIMITS.replyMaxBytes) throw tooLong();
      requireUtf8(decoder, chunk);
      yield new Uint8Array(chunk);
    }
    requireUtf8(decoder, undefined);
  }
  const iterator = chunks();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        message.destroy();
        controller.error(error);
      }
    },
    cancel() {
      message.destroy();
    },
  });
}

function requireUtf8(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined): void {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new ModelError("malformed", "the reply is not UTF-8");
  }
}

export function isEventStream(contentType: string | null | undefined): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(contentType ?? "");
}

/** What a stream's bytes come from. */
const sources = new WeakMap<Response, IncomingMessage>();

async function answer(message: IncomingMessage, stream: boolean): Promise<Response> {
  const status = message.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    message.destroy();
    throw new ModelError("fatal", `the server answered with a redirect (${status}), which is not followed`, {
      status,
    });
  }
  const isGood = status >= 200 && status < 300;
  if (isGood && (message.headers["content-encoding"] ?? "identity") !== "identity") {
    message.destroy();
    throw new ModelError("malformed", "the reply is encoded although no encoding was accepted", { status });
  }
  if (isGood && stream && isEventStream(message.headers["content-type"])) {
    const headers = { "content-type": "text/event-stream" };
    const response = new Response(checkedStream(message), { headers });
    sources.set(response, message);
    return response;
  }
  const body = isGood ? await readBody(message) : await readErrorBody(message);
  if (isGood) requireJsonText(body, status);
  const headers = new Headers({ "content-type": isGood ? "application/json" : "text/plain" });
  const retryAfter = message.headers["retry-after"];
  if (retryAfter !== undefined) headers.set("retry-after", retryAfter);
  if (status < 200 || status > 599)
    throw new ModelError("malformed", `the server answered with status ${status}`, { status });
  return new Response(new Uint8Array(body), { status: isGood ? 200 : status, headers });
}

/** A transport for one endpoint and key. */
export function createTransport({ url, apiKey, stream }: TransportOptions): Transport {
  const isSecure = url.protocol === "https:";
  // Agents of our own: the global ones may be made to use a proxy by the environment.
  const agent = isSecure
    ? // Said outright, since the environment could otherwise switch the check of certificates off.
      new HttpsAgent({ keepAlive: true, rejectUnauthorized: true })
    : new HttpAgent({ keepAlive: true });
  const send = isSecure ? httpsRequest : httpRequest;
  return {
    async fetch(input, init) {
      const target = requireOnlyCall(input, init, url);
      const body = String(init?.body);
      const signal = init?.signal ?? undefined;
      const message = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { method: "POST", agent, headers: sentHeaders(init ?? {}, apiKey, body) };
        const outgoing = send(target, { ...options, ...(signal ? { signal } : {}) }, resolve);
        outgoing.on("error", reject);
        outgoing.on("upgrade", (_message, socket) => {
          socket.destroy();
          reject(new ModelError("malformed", "the server answered by switching to another protocol"));
        });
        // Whatever else may end a request: it must not be waited for.
        outgoing.on("close", () =>
          reject(new ModelError("transient", "the connection was closed before there was a reply")),
        );
        outgoing.end(body);
      });
      return answer(message, stream);
    },
    abandon: (response) => {
      sources.get(response)?.destroy();
    },
    close: () => agent.destroy(),
  };
}
