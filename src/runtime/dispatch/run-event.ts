// What happens in a run, as told to whoever watches it: the command line, `Run.events`. Events carry no typed text,
// no picture and no secret; the model's own words are untrusted and marked so.
import type { ActionName } from "../../contract/actions.js";
import type { Effect } from "../../contract/control.js";
import type { Outcome, Usage } from "../../contract/journal-records.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";

/** Something that happened in a run, told as it happens. */
export type RunEvent =
  /** Something that the operator should know or change; the run goes on. */
  | { readonly type: "advice"; readonly message: string }
  | { readonly type: "turn"; readonly turn: number; readonly maxTurns: number }
  | {
      readonly type: "reply";
      readonly turn: number;
      readonly stopReason: string;
      readonly calls: number;
      /** The model's words. Untrusted: escape before showing. */
      readonly untrustedText: string;
      readonly usage: Usage | undefined;
    }
  | {
      readonly type: "action";
      /** 0 for the agent's own calls. */
      readonly turn: number;
      readonly source: "model" | "agent";
      readonly callId?: string;
      /** Absent when the call could not be parsed. */
      readonly name?: ActionName;
      /** Already escaped: `left_click (120, 44)`, `type 12 characters`. */
      readonly summary: string;
      /** `failed`: allowed, but it may have been carried out only in part or not at all. */
      readonly verdict: "allow" | "deny" | "failed" | "not_executed";
      readonly code?: RunCodeName;
      /** For the operator, escaped. */
      readonly reason?: string;
      readonly effect?: Effect;
      /** Whether the screen differed before and after. */
      readonly changed?: boolean;
    }
  | {
      readonly type: "retry";
      readonly turn: number;
      readonly attempt: number;
      readonly reason: string;
      readonly waitMs: number;
    }
  | { readonly type: "pruned"; readonly turn: number; readonly images: number }
  | {
      readonly type: "end";
      readonly outcome: Outcome;
      readonly turns: number;
      readonly actions: number;
      readonly code?: RunCodeName;
      readonly message?: string;
    };

/** Is told of each event. What it throws changes nothing in the run. */
export type RunEventListener = (event: RunEvent) => void;
