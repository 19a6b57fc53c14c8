// How often a whole run has asked the model again, over all of its turns and loops. A server that fails every second
// request would otherwise keep a run going as long as there are turns, each with attempts and waits of its own.

export interface RepeatLimits {
  /** Repeats of a whole run. */
  readonly perRun: number;
  /** Milliseconds of a whole run that failed requests and the waits after them may take together. */
  readonly lostMsPerRun: number;
}

export class Repeats {
  #count = 0;
  #lostMs = 0;

  /** Notes one failed request and the wait that is to follow. Returns why there must be none; undefined when it may be. */
  take(failedMs: number, waitMs: number, limits: RepeatLimits): string | undefined {
    const lostMs = this.#lostMs + failedMs + waitMs;
    if (this.#count >= limits.perRun) {
      return `the run has asked again ${this.#count} times, which is its limit`;
    }
    if (lostMs > limits.lostMsPerRun) {
      const minutes = Math.round(limits.lostMsPerRun / 60_000);
      return `failed requests and the waits after them would take the run more than ${minutes} minutes`;
    }
    this.#count += 1;
    this.#lostMs = lostMs;
    return undefined;
  }
}
