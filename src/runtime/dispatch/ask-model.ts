// One question to the model, with its bounded repeats. Nothing is executed in between, and every wait ends with the
// signal. A server that asks for a longer wait than we grant is given up at once.
import { randomInt } from "node:crypto";
import { abortReason, raceAbort } from "../../base/abort.js";
import type { Clock } from "../../base/clock.js";
import { ModelError, type ModelPort, type ModelRequest } from "./model-port.js";
import { type ModelReply, readReply } from "./reply.js";

export interface RetryLimits {
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
};

export interface AskContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits?: RetryLimits;
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

function giveUp(error: ModelError, attempt: number): ModelError {
  if (attempt === 1) return error;
  return new ModelError(error.fault, `${error.message} (given up after ${attempt} attempts)`, {
    ...(error.status === undefined ? {} : { status: error.status }),
  });
}

/** The wait before the next attempt; undefined when there is none. */
function nextWait(
  error: ModelError,
  attempt: number,
  malformed: number,
  limits: RetryLimits,
): number | undefined {
  if (error.fault === "fatal" || attempt >= limits.attempts) return undefined;
  if (error.fault === "malformed" && malformed >= limits.malformed) return undefined;
  if (error.retryAfterMs === undefined) return backoffMs(attempt, limits);
  return error.retryAfterMs > limits.retryAfterMaxMs
    ? undefined
    : Math.max(error.retryAfterMs, backoffMs(attempt, limits));
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
  const { clock, signal, limits = RETRY_LIMITS } = context;
  let malformed = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(port, request, signal);
    } catch (error) {
      if (signal.aborted) throw abortReason(signal);
      if (!(error instanceof ModelError)) throw error;
      if (error.fault === "malformed") malformed += 1;
      const wait = nextWait(error, attempt, malformed, limits);
      if (wait === undefined) throw giveUp(error, attempt);
      await context.onRetry(attempt, error.message, wait);
      await clock.sleep(wait, signal);
    }
  }
}
