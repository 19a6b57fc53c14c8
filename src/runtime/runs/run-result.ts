// What a run comes to. One object for every way: awaiting a run never rejects.
import type { Outcome, Usage } from "../../contract/journal-records.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";
import type { Tainted } from "./tainted.js";

/** What a run used, however it ended. */
export interface RunCounts {
  /** Replies of the model. */
  readonly turns: number;
  /** Validated actions, the agent's own and the model's. */
  readonly actions: number;
  readonly usage: Usage;
  /** Where the trace is: a folder, or "memory". */
  readonly trace: string;
}

/** Why a run did not complete. */
export interface RunError {
  readonly code: RunCodeName;
  readonly message: string;
  /** Whether the same run may succeed later without anything being changed. */
  readonly retryable: boolean;
}

/**
 * How a run ended, and what it used. Under `completed` there are the method's value and the model's last words,
 * else the error.
 */
export type RunResult<Value = unknown> = RunCounts &
  (
    | {
        readonly outcome: "completed";
        /** What the agent's method returned. */
        readonly value: Value;
        /** The model's last words; empty when the agent never ran the loop. */
        readonly text: Tainted<string>;
      }
    | { readonly outcome: Exclude<Outcome, "completed">; readonly error: RunError }
  );
