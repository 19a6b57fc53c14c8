// From whatever the SDK or the network threw to a ModelError that says whether asking again can help and what to do.
// Nothing of the thrown object is passed on: it may hold the key, and its text is the server's.
import { quoteText } from "../../base/escape.js";
import { type Asked, accessAdvice, missingAccess } from "./access.js";
import { ModelError } from "./model-port.js";
import { isPictureFault, type RefusedRequest } from "./pictures/picture-fault.js";

/** Statuses after which the same request may succeed. */
function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** The wait that a `retry-after` header asks for; undefined when it asks for none that makes sense. */
export function retryAfterMs(header: string | null | undefined, nowISO: string): number | undefined {
  if (header === null || header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Three-letter day first, so that no other number or word is taken for a date.
  if (!/^[A-Z][a-z]{2}, /.test(text)) return undefined;
  const wait = Date.parse(text) - Date.parse(nowISO);
  return Number.isFinite(wait) && wait > 0 ? wait : undefined;
}

/** The API's words for a request that the model's context does not hold. */
const TOO_LONG = /prompt is too long|exceeds? (?:the )?context (?:limit|window)/i;

const ADVICE: Readonly<Record<number, string>> = {
  400: "the request was not accepted",
  401: accessAdvice("key", undefined),
  403: accessAdvice("model_or_tool", undefined),
  404: "the model or the endpoint does not exist: check the model id and the base URL",
  413: "the request is too large",
  429: "too many requests or tokens",
  529: "the API is overloaded",
};

interface StatusError {
  readonly status: number;
  readonly headers: { get(name: string): string | null } | undefined;
  readonly message: string;
  /** The API's own name for the cause, where it gives one. */
  readonly code: string | undefined;
}

function asStatusError(error: unknown): StatusError | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { status, headers, message, errorCode } = error as Record<string, unknown>;
  if (typeof status !== "number") return undefined;
  const hasGet = typeof headers === "object" && headers !== null && "get" in headers;
  return {
    status,
    headers: hasGet ? (headers as StatusError["headers"]) : undefined,
    message: typeof message === "string" ? message : "",
    code: typeof errorCode === "string" ? errorCode : undefined,
  };
}

export interface AskedContext {
  /** Masked wherever it occurs. */
  readonly apiKey: string;
  /** What the request asked for, so that the error can say which access is missing. */
  readonly asked?: Asked;
}

/** Error types of the API and the status that each comes with, where there is an HTTP answer. */
const ERROR_TYPES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Of words within a stream more is not looked at, as of an error's body. */
const STREAMED_WORDS_MAX = 64 * 1024;

/** What a refusal is about, as far as its words or its code say so. */
function subjectOf(refusal: RefusedRequest, asked: Asked | undefined) {
  const { status, message } = refusal;
  return {
    missing: missingAccess(status, message, asked),
    aboutPictures: isPictureFault(refusal),
    aboutLength: status === 400 && TOO_LONG.test(message),
  };
}

/** A refusal that came after the stream had begun: what a 400 would have said, without being one. */
function streamedRefusal(error: object, type: string, { apiKey, asked }: AskedContext): ModelError {
  const { message: words, details, errorCode } = error as Record<string, unknown>;
  const message = typeof words === "string" ? words.slice(0, STREAMED_WORDS_MAX) : "";
  const code = (details as { error_code?: unknown } | null | undefined)?.error_code ?? errorCode;
  const refusal = { status: 400, message, code: typeof code === "string" ? code : undefined };
  const subject = subjectOf(refusal, asked);
  const advice = subject.missing === undefined ? ADVICE[400] : accessAdvice(subject.missing, asked);
  const said = message === "" ? "" : `; it said ${quoteText(maskKey(message, apiKey), 300)}`;
  return new ModelError("fatal", `the API broke off its reply: ${type}: ${advice}${said}`, subject);
}

/** The error that an event within a stream names, without any HTTP status of its own. */
export function streamedFault(error: unknown, context: AskedContext): ModelError | undefined {
  if (typeof error !== "object" || error === null || !("type" in error)) return undefined;
  const { type } = error;
  if (typeof type !== "string" || !/^[a-z_]{1,64}$/.test(type)) return undefined;
  const status = Object.hasOwn(ERROR_TYPES, type) ? ERROR_TYPES[type] : undefined;
  if (status === 400) return streamedRefusal(error, type, context);
  const advice = status === undefined ? undefined : ADVICE[status];
  const fault = status !== undefined && isTransient(status) ? "transient" : "fatal";
  return new ModelError(
    fault,
    `the API broke off its reply: ${type}${advice === undefined ? "" : `: ${advice}`}`,
  );
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

function networkCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    const { code } = current as { code?: unknown };
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
    current = current.cause;
  }
  return undefined;
}

/** Codes of a certificate that does not hold, as OpenSSL and Node name them. */
const CERTIFICATE_CODES =
  /^(?:CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** What went wrong below HTTP. Nothing of it was a reply. */
function networkFault(error: unknown): ModelError {
  const code = networkCode(error);
  const named = code === undefined ? "" : ` (${code})`;
  if (code !== undefined && CERTIFICATE_CODES.test(code)) {
    // Asking again would only send the key to whoever answers there again.
    return new ModelError(
      "fatal",
      `the server's certificate is not valid${named}: check the base URL and who answers there`,
    );
  }
  if (code?.startsWith("HPE_")) return new ModelError("malformed", `the reply is no HTTP${named}`);
  if (code === "ECONNRESET" || code === "EPIPE") {
    return new ModelError("transient", `the connection was closed before there was a reply${named}`);
  }
  return new ModelError("transient", `the API cannot be reached${named}: check the network and the base URL`);
}

export interface FaultContext extends AskedContext {
  /** Wall time, for a `retry-after` that is a date. */
  readonly now: string;
}

/** The text with every occurrence of the key replaced. */
export function maskKey(text: string, apiKey: string): string {
  return apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
}

/** Classifies an error of one request. */
export function toModelError(error: unknown, { apiKey, now, asked }: FaultContext): ModelError {
  const own = findOwn(error);
  if (own) return own;
  const answered = asStatusError(error);
  if (answered) {
    const { status } = answered;
    const subject = subjectOf(answered, asked);
    const { missing } = subject;
    const advice = missing === undefined ? ADVICE[status] : accessAdvice(missing, asked);
    const said = quoteText(maskKey(answered.message, apiKey), 300);
    return new ModelError(
      isTransient(status) ? "transient" : "fatal",
      `the API answered ${status}${advice === undefined ? "" : `: ${advice}`}; it said ${said}`,
      {
        status,
        retryAfterMs: retryAfterMs(answered.headers?.get("retry-after"), now),
        ...subject,
      },
    );
  }
  if (error instanceof SyntaxError) return new ModelError("malformed", "the reply is not JSON");
  return networkFault(error);
}
