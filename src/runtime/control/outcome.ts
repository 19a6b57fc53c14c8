// What an action's way through control comes to, in the words of the action port: done, refused or failed.
import { ACTIONS, type Action, type ActionName } from "../../contract/actions.js";
import type { Effect, ExecutionReceipt, VerificationOutcome } from "../../contract/control.js";
import { RUN_CODES, type RunCodeName } from "../../diagnostics/run-codes.js";
import { isViolation, type Refusal } from "../cap/refusal.js";
import type { ActionOutcome } from "./action-port.js";

/** An action of which nothing was sent. */
export function refusedOutcome(
  actionId: string,
  name: ActionName | undefined,
  code: RunCodeName,
  kind: Refusal["kind"],
  reason: string,
): ActionOutcome {
  return {
    status: "refused",
    actionId,
    name,
    code,
    kind,
    reason,
    toModel: RUN_CODES[code].toModel,
    violation: isViolation(code),
  };
}

/** A receipt that is not committed: refused when nothing was sent, failed when something may have been. */
export function failedOutcome(actionId: string, name: ActionName, receipt: ExecutionReceipt): ActionOutcome {
  const code = (receipt.error?.code ?? "E_INDETERMINATE") as RunCodeName;
  const reason = receipt.error?.message ?? "it may or may not have happened";
  if (receipt.status === "rejected" && RUN_CODES[code].next === "refuse")
    return refusedOutcome(actionId, name, code, "state", reason);
  const shown: RunCodeName = receipt.status === "indeterminate" ? "E_INDETERMINATE" : code;
  return {
    status: "failed",
    actionId,
    name,
    code: shown,
    events: receipt.events,
    reason,
    toModel: RUN_CODES[shown].toModel,
  };
}

/** What is known of an executed action's effect. */
export function effectOf(
  action: Action,
  verification: VerificationOutcome,
  changed: boolean | undefined,
): Effect {
  if (ACTIONS[action.name].effect === "observe") return "confirmed";
  if (verification.outcome === "verified") return "confirmed";
  if (verification.outcome === "failed") return "partial";
  return changed === false ? "suspected_noop" : "unverifiable";
}
