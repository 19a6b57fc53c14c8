// Whether the screen is quiet, by the server's own damage reports. Every wait has a bound.
import { type Clock, systemClock } from "../../../base/clock.js";
import type { XDisplay } from "./x-display.js";

/** How often a report is asked for again while the screen keeps changing. */
const REARM_MS = 10;

export class ScreenWatch {
  readonly #clock: Clock;
  readonly #clear: () => void;
  #lastChange = 0;

  private constructor(clock: Clock, clear: () => void) {
    this.#clock = clock;
    this.#clear = clear;
  }

  static async start(display: XDisplay, clock: Clock = systemClock): Promise<ScreenWatch> {
    let changed = () => {};
    const { clear } = await display.watchChanges(() => changed());
    const watch = new ScreenWatch(clock, clear);
    changed = () => {
      watch.#lastChange = clock.monotonic();
    };
    return watch;
  }

  /** Waits until nothing has changed for `quietMs`, at most `maxMs`. */
  async quiet(
    quietMs: number,
    maxMs: number,
    signal?: AbortSignal,
  ): Promise<{ readonly quiet: boolean; readonly waitedMs: number }> {
    const start = this.#clock.monotonic();
    this.#lastChange = start;
    for (;;) {
      this.#clear();
      const now = this.#clock.monotonic();
      const waitedMs = Math.round(now - start);
      if (now - this.#lastChange >= quietMs) return { quiet: true, waitedMs };
      if (now - start >= maxMs) return { quiet: false, waitedMs };
      await this.#clock.sleep(REARM_MS, signal);
    }
  }
}
