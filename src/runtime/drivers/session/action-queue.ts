// One action at a time: what is asked for first is finished first, and a failed action does not hold up the next.
import { abortReason } from "../../../base/abort.js";
import { DriverError } from "../../../diagnostics/errors.js";

export class ActionQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task after all earlier ones; one whose signal was aborted by then is not begun. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#last.then(() => {
      if (signal?.aborted) throw stoppedBefore(signal);
      return task();
    });
    this.#last = result.catch(() => {});
    return result;
  }
}

function stoppedBefore(signal: AbortSignal): DriverError {
  return new DriverError("E_STATE", "stopped before the first event", 0, { cause: abortReason(signal) });
}

/** The failure of an action that was stopped under way: honest about whether anything reached the display. */
export function stoppedUnderWay(events: number, cause: unknown): DriverError {
  return events === 0
    ? new DriverError("E_STATE", "stopped before the first event", 0, { cause })
    : new DriverError(
        "E_INDETERMINATE",
        `stopped after ${events} events; what was held is released`,
        events,
        {
          cause,
        },
      );
}

/** Milliseconds an action takes by itself at most, so that a default deadline can allow for it. */
export function ownDurationMs(action: {
  readonly kind: string;
  readonly ms?: number;
  readonly text?: string;
}): number {
  return (action.ms ?? 0) + (action.text === undefined ? 0 : 20 * action.text.length);
}

/** What an action may take beyond its own duration when the caller names no deadline. */
export const DEFAULT_DEADLINE_MS = 30_000;
