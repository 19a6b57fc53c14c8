// A clock that only moves when told, so that a test decides when time passes.
import { abortReason } from "../../base/abort.js";
import type { Clock } from "../../base/clock.js";

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  #ms = 0;
  readonly #start: number;
  #sleepers: Sleeper[] = [];

  /** `start` is the wall time at the beginning, RFC 3339. */
  constructor(start = "2026-01-01T00:00:00.000Z") {
    this.#start = Date.parse(start);
  }

  now(): string {
    return new Date(this.#start + this.#ms).toISOString();
  }

  monotonic(): number {
    return this.#ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(abortReason(signal));
    return new Promise((resolve, reject) => {
      const sleeper: Sleeper = { due: this.#ms + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener(
        "abort",
        () => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
          reject(abortReason(signal));
        },
        { once: true },
      );
    });
  }

  /** Sleeps under way. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Moves time on and wakes who is due, in order. */
  advance(ms: number): void {
    this.#ms += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.due <= this.#ms).sort((a, b) => a.due - b.due);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.due > this.#ms);
    for (const sleeper of due) sleeper.wake();
  }
}
