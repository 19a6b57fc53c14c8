// What a run that did not complete amounts to: every way an agent's method can reject, as an outcome with its error.
import { describeValue } from "../../base/escape.js";
import type { Outcome } from "../../contract/journal-records.js";
import { CapuchinError, SandboxViolation } from "../../diagnostics/errors.js";
import type { DispatchResult } from "../dispatch/dispatch-result.js";
import type { RunError } from "./run-result.js";

export interface RunFailure {
  readonly outcome: Exclude<Outcome, "completed">;
  readonly error: RunError;
}

/** A loop that ended in another way than completed; what an agent's `computer.run` rejects with. */
class LoopEnd extends CapuchinError {
  override readonly name = "LoopEnd";
  readonly outcome: Exclude<Outcome, "completed">;

  constructor(result: Exclude<DispatchResult, { outcome: "completed" }>) {
    super(result.error.code, result.error.message, { retryable: result.error.retryable });
    this.outcome = result.outcome;
  }
}

/** What an agent's `computer.run` rejects with for a loop that did not complete. */
export function loopFailure(result: Exclude<DispatchResult, { outcome: "completed" }>): CapuchinError {
  const { violation, code, message } = result.error;
  if (result.outcome === "violation" && violation !== undefined)
    return new SandboxViolation(violation, code, message);
  return new LoopEnd(result);
}

function outcomeOf(error: CapuchinError, stopped: boolean): RunFailure["outcome"] {
  if (error instanceof LoopEnd) return error.outcome;
  if (error instanceof SandboxViolation) return error.code === "E_QUOTA" ? "budget" : "violation";
  return stopped ? "stopped" : "failed";
}

/** The outcome that a rejected agent method amounts to. `stopped` says that the host had stopped the run. */
export function failureOf(error: unknown, stopped: boolean): RunFailure {
  if (error instanceof CapuchinError) {
    const { code, message, retryable } = error;
    return { outcome: outcomeOf(error, stopped), error: { code, message, retryable } };
  }
  const message =
    error instanceof Error
      ? `${error.name}: ${error.message}`
      : `the agent's method rejected with ${describeValue(error)}`;
  return { outcome: stopped ? "stopped" : "failed", error: { code: "E_STATE", message, retryable: false } };
}
