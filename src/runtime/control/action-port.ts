// The only door from the loop and the run API to a display. One call runs the whole controlled action: parse result
// in, gate, preview, lease, intent, execution, receipt, verification, and an honest outcome back. Never throws for
// what an action did wrong; throws only for what ends the run (E_AUDIT, aborted).
import type { Action, ActionName } from "../../contract/actions.js";
import type { Effect } from "../../contract/control.js";
import type { Point, Size } from "../../contract/geometry.js";
import type { ParsedAction } from "../../contract/parse-action.js";
import type { CapuchinError, ViolationKind } from "../../diagnostics/errors.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";

/** What was captured: the whole display or a region of it, in display pixels. */
export interface Frame {
  readonly png: Uint8Array;
  readonly size: Size;
  readonly digest: string;
}

/** Who asked for an action, and when. */
export interface ActionSource {
  readonly by: "model" | "agent";
  /** The turn of the loop; 0 for the agent's own calls. */
  readonly turn: number;
  /** The model's tool_use id. */
  readonly callId?: string;
}

/** What became of an action: done, refused with nothing sent, or failed with the display in doubt. */
export type ActionOutcome =
  | {
      readonly status: "done";
      readonly actionId: string;
      readonly name: ActionName;
      readonly effect: Effect;
      /** A picture for screenshot and zoom. */
      readonly frame?: Frame;
      /** The pointer for cursor_position, in viewport pixels. */
      readonly pointer?: Point;
      /** Whether the screen differed before and after; undefined when it was not looked at. */
      readonly changed?: boolean;
    }
  | {
      /** Nothing was sent to the display, at most one motion of the pointer. */
      readonly status: "refused";
      readonly actionId: string;
      readonly name: ActionName | undefined;
      readonly code: RunCodeName;
      readonly kind: ViolationKind;
      /** For the trace and the operator. */
      readonly reason: string;
      /** The fixed phrase that the model may read. */
      readonly toModel: string;
      /** Whether it is a violation of the cap, as opposed to a malformed or impossible action. */
      readonly violation: boolean;
    }
  | {
      /** Something may have been sent. */
      readonly status: "failed";
      readonly actionId: string;
      readonly name: ActionName;
      readonly code: RunCodeName;
      readonly events: number;
      readonly reason: string;
      readonly toModel: string;
    };

/** A run's one door to its display: every action of the loop and of the agent comes through it. */
export interface ActionPort {
  /** The actions that the cap grants, in the order of the action table. */
  offered(): readonly ActionName[];
  /** Runs a parsed action, or records the refusal of one that did not parse. */
  act(parsed: ParsedAction, source: ActionSource, signal?: AbortSignal): Promise<ActionOutcome>;
  /** Records calls that were not run because an earlier one of the turn failed. */
  skip(source: ActionSource): Promise<void>;
  /** A picture of the loop's own: checked for the screen word, not counted. Undefined without the word. */
  observe(reason: "start" | "turn", signal?: AbortSignal): Promise<Frame | undefined>;
  /** Set once the run is over for good: a violation under `abort`, too many refusals, a stop. */
  readonly fatal: CapuchinError | undefined;
  /** Counted so far in this run. */
  counts(): { readonly actions: number; readonly events: number };
}

export type { Action };
