// How a loop ended. One object for every way: never an exception for what a model or a screen did.
import type { Outcome, Usage } from "../../contract/journal-records.js";
import type { ViolationKind } from "../../diagnostics/errors.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";

export interface DispatchError {
  readonly code: RunCodeName;
  /** For the operator, escaped; never for the model. */
  readonly message: string;
  /** Whether the same run may succeed later without anything being changed. */
  readonly retryable: boolean;
  /** For outcome `violation`: what the cap forbade. */
  readonly violation?: ViolationKind;
}

/** What one loop used. */
export interface DispatchCounts {
  readonly turns: number;
  readonly actions: number;
  readonly usage: Usage;
}

/** How a goal ended, and what it used. */
export type DispatchResult = DispatchCounts &
  (
    | {
        readonly outcome: "completed";
        /** The model's last words. They may repeat what the screen said: untrusted. */
        readonly text: string;
      }
    | { readonly outcome: Exclude<Outcome, "completed">; readonly error: DispatchError }
  );

/** Why a loop ends, before its counts are known. */
export type Ending =
  | { readonly outcome: "completed"; readonly text: string }
  | { readonly outcome: Exclude<Outcome, "completed">; readonly error: DispatchError };

export function ending(
  outcome: Exclude<Outcome, "completed">,
  code: RunCodeName,
  message: string,
  more: { readonly retryable?: boolean; readonly violation?: ViolationKind } = {},
): Ending {
  const { retryable = false, violation } = more;
  const error = { code, message, retryable, ...(violation === undefined ? {} : { violation }) };
  return { outcome, error };
}
