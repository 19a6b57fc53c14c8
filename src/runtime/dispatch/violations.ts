// What a refused or failed action does to the run: nothing, or its end. How many refusals a run survives is counted
// behind the action port, which closes when there were too many.
import { type CapuchinError, SandboxViolation } from "../../diagnostics/errors.js";
import { RUN_CODES } from "../../diagnostics/run-codes.js";
import type { ActionOutcome } from "../control/action-port.js";
import { type Ending, ending } from "./dispatch-result.js";

/** Why an action ends the run; undefined when the model is told and goes on. `fatal` is the port's, after the action. */
export function judgeOutcome(outcome: ActionOutcome, fatal: CapuchinError | undefined): Ending | undefined {
  if (outcome.status === "done") return undefined;
  const { code, reason } = outcome;
  if (outcome.status === "failed") {
    return RUN_CODES[code].next === "stop" ? ending("failed", code, reason) : undefined;
  }
  if (code === "E_QUOTA") return ending("budget", code, reason, { violation: outcome.kind });
  if (fatal instanceof SandboxViolation) {
    return ending("violation", fatal.code, fatal.message, { violation: fatal.kind });
  }
  if (fatal) return ending("failed", fatal.code, fatal.message);
  return RUN_CODES[code].next === "stop" ? ending("failed", code, reason) : undefined;
}
