// One signal for the ways in which a loop is cut short: the run is stopped, the caller aborts, the time is up.
import { type AbortSignalLike, followSignal } from "../../base/abort.js";
import type { Clock } from "../../base/clock.js";
import { boundedText } from "../control/recorded.js";
import type { Budget } from "./budget.js";
import { type Ending, ending } from "./dispatch-result.js";

class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export interface LimitSignal {
  readonly signal: AbortSignal;
  /** How a loop ends that was cut short. */
  ending(): Ending;
  /** Lets go of timer and listeners. */
  clear(): void;
}

/** A signal that fires when `stop` or `own` does, or when the budget's time is up. */
export function limitSignal(
  stop: AbortSignal,
  own: AbortSignalLike | undefined,
  budget: Budget,
  clock: Clock,
): LimitSignal {
  const controller = followSignal(own);
  const onStop = () => controller.abort(stop.reason);
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });
  const timer = new AbortController();
  const remaining = budget.remainingMs();
  if (remaining !== undefined) {
    clock.sleep(remaining, timer.signal).then(
      () => controller.abort(new OutOfTime()),
      () => {},
    );
  }
  return {
    signal: controller.signal,
    ending: () => {
      const reason: unknown = controller.signal.reason;
      if (reason instanceof OutOfTime) {
        const spent = budget.outOfTime();
        return ending(spent.outcome, spent.code, spent.message);
      }
      const why = reason instanceof Error ? reason.message : "aborted";
      return ending("stopped", "E_STATE", `the run was stopped: ${boundedText(why)}`);
    },
    clear: () => {
      timer.abort();
      stop.removeEventListener("abort", onStop);
    },
  };
}
