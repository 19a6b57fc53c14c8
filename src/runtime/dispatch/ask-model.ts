// One question to the model, with its bounded repeats. Nothing is executed in between, and every wait ends with the
// signal. A server that asks for a longer wait than we grant is given up at once, and so is one that has failed too
// often in the whole run.
import { randomInt } from "node:crypto";
import { abortReason, raceAbort } from "../../base/abort.js";
import type { Clock } from "../../base/clock.js";
import { ModelError, type ModelPort, type ModelRequest } from "./model-port.js";
import type { RepeatLimits, Repeats } from "./repeats.js";
import { type ModelReply, readReply } from "./reply.js";

/** What holds for one question, and for the whole run. */
export interface RetryLimits extends RepeatLimits {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Attempts that may bring a malformed reply. */
  readonly malformed: number;
  readonly baseMs: number;
  readonly capMs: number;
  /** Longest wait that a server may ask for. */
  readonly retryAfterMaxMs: number;
}

export const RETRY_LIMITS: RetryLimits = {
  attempts: 5,
  malformed: 3,
  baseMs: 500,
  capMs: 8000,
  retryAfterMaxMs: 60_000,
  perRun: 200,
  lostMsPerRun: 60 * 60_000,
};

export interface AskContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits?: RetryLimits;
  /** The run's own count. */
  readonly repeats: Repeats;
  /** Called before each wait. */
  onRetry(attempt: number, reason: string, waitMs: number): Promise<void>;
}

/** Between half and the whole of the exponential step, so that many clients do not come back together. */
function backoffMs(attempt: number, limits: RetryLimits): number {
  const step = Math.min(limits.capMs, limits.baseMs * 2 ** (attempt - 1));
  return Math.floor(step / 2) + randomInt(Math.floor(step / 2) + 1);
}

async function askOnce(port: ModelPort, request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
  const raw = await raceAbort(port.ask(request, signal), signal);
  // A reply that comes after the stop is not looked at.
  if (signal.aborted) throw abortReason(signal);
  const reading = readReply(raw);
  if (!reading.ok) throw new ModelError("malformed", `the reply is ${reading.reason}`);
  return reading.reply;
}

const ADVICE = {
  transient: "try again later",
  malformed: "check that the base URL is that of a Messages API",
  fatal: undefined,
} as const;

/** The error that ends the question: what happened, why it is not asked again, and what to do. */
function giveUp(error: ModelError, attempt: number, why?: string): ModelError {
  const notes = [
    why,
    attempt === 1 ? undefined : `given up after ${attempt} attempts`,
    ADVICE[error.fault],
  ].filter((note) => note !== undefined);
  if (error.fault === "fatal" || notes.length === 0) return error;
  return new ModelError(error.fault, `${error.message} (${notes.join("; ")})`, {
    ...(error.status === undefined ? {} : { status: error.status }),
    retryAfterMs: error.retryAfterMs,
  });
}

type Next = { readonly waitMs: number } | { readonly why: string | undefined };

/** The wait before the next attempt, or why there is none. */
function nextAttempt(error: ModelError, attempt: number, malformed: number, limits: RetryLimits): Next {
  const none = { why: undefined };
  if (error.fault === "fatal" || attempt >= limits.attempts) return none;
  if (error.fault === "malformed" && malformed >= limits.malformed) return none;
  const own = backoffMs(attempt, limits);
  const { retryAfterMs: asked } = error;
  if (asked === undefined) return { waitMs: own };
  if (asked <= limits.retryAfterMaxMs) return { waitMs: Math.max(asked, own) };
  const seconds = (ms: number) => Math.ceil(ms / 1000);
  return {
    why: `it asked for a wait of ${seconds(asked)} seconds, and no more than ${seconds(limits.retryAfterMaxMs)} are waited`,
  };
}

/**
 * Asks until there is a well-formed reply.
 * @throws ModelError when there is none within the limits; the signal's reason when it was aborted.
 */
export async function askModel(
  port: ModelPort,
  request: ModelRequest,
  context: AskContext,
): Promise<ModelReply> {
  const { clock, signal, repeats, limits = RETRY_LIMITS } = context;
  let malformed = 0;
  for (let attempt = 1; ; attempt++) {
    const began = clock.monotonic();
    try {
      return await askOnce(port, request, signal);
    } catch (error) {
      if (signal.aborted) throw abortReason(signal);
      if (!(error instanceof ModelError)) throw error;
      if (error.fault === "malformed") malformed += 1;
      const next = nextAttempt(error, attempt, malformed, limits);
      if (!("waitMs" in next)) throw giveUp(error, attempt, next.why);
      const failedMs = Math.ceil(clock.monotonic() - began);
      const spent = repeats.take(failedMs, next.waitMs, limits);
      if (spent !== undefined) throw giveUp(error, attempt, spent);
      await context.onRetry(attempt, error.message, next.waitMs);
      await clock.sleep(next.waitMs, signal);
    }
  }
}
