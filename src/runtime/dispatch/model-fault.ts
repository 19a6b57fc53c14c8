// From whatever the SDK or the network threw to a ModelError that says whether asking again can help and what to do.
// Nothing of the thrown object is passed on: it may hold the key, and its text is the server's.
import { quoteText } from "../../base/escape.js";
import { ModelError } from "./model-port.js";

/** Statuses after which the same request may succeed. */
function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** The wait that a `retry-after` header asks for; undefined when it asks for none that makes sense. */
export function retryAfterMs(header: string | null | undefined, nowISO: string): number | undefined {
  if (header === null || header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Three-letter day first, so that no other number or word is taken for a date.
  if (!/^[A-Z][a-z]{2}, /.test(text)) return undefined;
  const wait = Date.parse(text) - Date.parse(nowISO);
  return Number.isFinite(wait) && wait > 0 ? wait : undefined;
}

const ADVICE: Readonly<Record<number, string>> = {
  400: "the request was not accepted",
  401: "the API key is missing or not valid: set ANTHROPIC_API_KEY or pass apiKey",
  403: "this API key may not use the model or the computer tool: ask for access in the console, or choose another model",
  404: "the model or the endpoint does not exist: check the model id and the base URL",
  413: "the request is too large",
  429: "too many requests or tokens",
  529: "the API is overloaded",
};

interface StatusError {
  readonly status: number;
  readonly headers: { get(name: string): string | null } | undefined;
  readonly message: string;
}

function asStatusError(error: unknown): StatusError | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { status, headers, message } = error as { status?: unknown; headers?: unknown; message?: unknown };
  if (typeof status !== "number") return undefined;
  const hasGet = typeof headers === "object" && headers !== null && "get" in headers;
  return {
    status,
    headers: hasGet ? (headers as StatusError["headers"]) : undefined,
    message: typeof message === "string" ? message : "",
  };
}

/** Error types that an event within a stream may name, without any HTTP status. */
const TRANSIENT_TYPES = new Set(["overloaded_error", "api_error", "rate_limit_error", "timeout_error"]);

/** The error event of a stream, which the SDK throws with a type and no status. */
function streamedFault(error: unknown): ModelError | undefined {
  if (typeof error !== "object" || error === null || !("type" in error)) return undefined;
  const { type } = error as { type: unknown };
  if (typeof type !== "string" || !/^[a-z_]{1,64}$/.test(type)) return undefined;
  const fault = TRANSIENT_TYPES.has(type) ? "transient" : "fatal";
  return new ModelError(fault, `the API broke off its reply: ${type}`);
}

/** Our own error, however deep the SDK wrapped it. */
function findOwn(error: unknown): ModelError | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if (current instanceof ModelError) return current;
    current = current.cause;
  }
  return undefined;
}

function networkCode(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    const { code } = current as { code?: unknown };
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return ` (${code})`;
    current = current.cause;
  }
  return "";
}

export interface FaultContext {
  /** Masked wherever it occurs. */
  readonly apiKey: string;
  /** Wall time, for a `retry-after` that is a date. */
  readonly now: string;
}

/** The text with every occurrence of the key replaced. */
export function maskKey(text: string, apiKey: string): string {
  return apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
}

/** Classifies an error of one request. */
export function toModelError(error: unknown, { apiKey, now }: FaultContext): ModelError {
  const own = findOwn(error);
  if (own) return own;
  const answered = asStatusError(error);
  if (answered) {
    const { status } = answered;
    const advice = ADVICE[status];
    const said = quoteText(maskKey(answered.message, apiKey), 300);
    return new ModelError(
      isTransient(status) ? "transient" : "fatal",
      `the API answered ${status}${advice === undefined ? "" : `: ${advice}`}; it said ${said}`,
      { status, retryAfterMs: retryAfterMs(answered.headers?.get("retry-after"), now) },
    );
  }
  const streamed = streamedFault(error);
  if (streamed) return streamed;
  if (error instanceof SyntaxError) return new ModelError("malformed", "the reply is not JSON");
  return new ModelError("transient", `the API cannot be reached${networkCode(error)}`);
}
