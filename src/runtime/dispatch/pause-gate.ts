// Holds the loop while a run is paused.
import { raceAbort } from "../../base/abort.js";
import type { RunControl } from "./run-control.js";

export class PauseGate implements RunControl {
  #paused: { readonly until: Promise<void>; readonly open: () => void } | undefined;
  /** Counts pauses, so that one that began and ended between two checkpoints is noticed too. */
  #pauses = 0;
  #seen = 0;

  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  pause(): void {
    if (this.#paused) return;
    let open = () => {};
    const until = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#paused = { until, open };
    this.#pauses += 1;
  }

  resume(): void {
    this.#paused?.open();
    this.#paused = undefined;
  }

  async checkpoint(signal: AbortSignal): Promise<{ readonly waited: boolean }> {
    while (this.#paused) await raceAbort(this.#paused.until, signal);
    const waited = this.#pauses !== this.#seen;
    this.#seen = this.#pauses;
    return { waited };
  }
}
