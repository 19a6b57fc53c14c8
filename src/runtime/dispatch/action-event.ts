// An action's outcome as an event, the same for the loop's and the agent's own actions.
import { escapeText } from "../../base/escape.js";
import type { Action } from "../../contract/actions.js";
import type { ActionOutcome, ActionSource } from "../control/action-port.js";
import { describeAction } from "./describe-action.js";
import type { RunEvent } from "./run-event.js";

type ActionEventFields = Extract<RunEvent, { type: "action" }>;

/** The event of an action that was tried. */
export function actionEvent(
  source: ActionSource,
  action: Action | undefined,
  outcome: ActionOutcome,
): ActionEventFields {
  const head = eventHead(source, action, outcome.status === "done" ? "" : outcome.reason);
  if (outcome.status === "done") {
    const { effect, changed } = outcome;
    return { ...head, verdict: "allow", effect, ...(changed === undefined ? {} : { changed }) };
  }
  const { code, reason } = outcome;
  return {
    ...head,
    verdict: outcome.status === "refused" ? "deny" : "failed",
    code,
    reason: escapeText(reason),
  };
}

/** The event of a call that was not tried. */
export function skippedEvent(source: ActionSource, action: Action | undefined): ActionEventFields {
  return { ...eventHead(source, action, "a malformed call"), verdict: "not_executed" };
}

function eventHead(source: ActionSource, action: Action | undefined, otherwise: string) {
  return {
    type: "action",
    turn: source.turn,
    source: source.by,
    ...(source.callId === undefined ? {} : { callId: source.callId }),
    ...(action ? { name: action.name } : {}),
    summary: action ? describeAction(action) : escapeText(otherwise),
  } as const;
}
