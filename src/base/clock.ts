// The only place that reads a clock or starts a timer. Durations come from the monotonic clock; the wall clock is
// for people to read. Whoever needs time takes a `Clock`, so that a test can hold it.
import { performance } from "node:perf_hooks";
import { abortReason } from "./abort.js";

export interface Clock {
  /** Wall time as RFC 3339 in UTC with milliseconds. For reading, never for ordering. */
  now(): string;
  /** Monotonic milliseconds since an arbitrary start; whole numbers are not promised. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** setTimeout fires at once for anything above this, so a longer sleep must be made of pieces. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonic: () => performance.now(),
  sleep(ms, signal) {
    if (!Number.isFinite(ms) || ms < 0) {
      return Promise.reject(
        new RangeError(`sleep takes a finite, non-negative number of milliseconds, got ${ms}`),
      );
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortReason(signal));
        return;
      }
      let left = ms;
      let timer: NodeJS.Timeout;
      const onAbort = () => {
        clearTimeout(timer);
        reject(abortReason(signal));
      };
      const next = () => {
        const piece = Math.min(left, LONGEST_TIMER_MS);
        left -= piece;
        timer = setTimeout(() => {
          if (left > 0) return next();
          signal?.removeEventListener("abort", onAbort);
          resolve();
        }, piece);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      next();
    });
  },
};

/**
 * An abort signal that fires after `ms` milliseconds or when `parent` does; `clear` stops the timer.
 * The timer does not keep the process alive.
 */
export function deadline(
  ms: number,
  reason: Error,
  parent?: AbortSignal,
): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reason), Math.min(ms, LONGEST_TIMER_MS));
  timer.unref();
  const onParent = () => controller.abort(abortReason(parent));
  if (parent?.aborted) onParent();
  else parent?.addEventListener("abort", onParent, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      parent?.removeEventListener("abort", onParent);
    },
  };
}
