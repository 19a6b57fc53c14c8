// What a trace says of a run's course, as far as replaying it needs: goals, turns, each model action with its verdict
// and its outcome. Read from verified records only, and bounded: a trace is somebody else's file.
import type { Point } from "../../../contract/geometry.js";
import type { RecordData, RecordedInput, TraceRecord } from "../../../contract/journal-records.js";
import { UsageError } from "../../usage-error.js";

export type Verdict = RecordData<"action">["verdict"];

export interface RecordedAction {
  readonly seq: number;
  readonly name: string | undefined;
  readonly input: RecordedInput | undefined;
  readonly verdict: Verdict;
  readonly code: string | undefined;
  /** Where the agent's own code had put the pointer since the action before. */
  readonly pointer: Point | undefined;
  receipt:
    | { readonly status: string; readonly events: number; readonly code: string | undefined }
    | undefined;
  /** Frames seen before and after it, and the one that it took. */
  before: string | undefined;
  after: string | undefined;
  frame: string | undefined;
  /** What the host did directly after it. */
  interrupted: "pause" | "stop" | undefined;
}

export interface RecordedTurn {
  readonly turn: number;
  /** Digest of the kept reply. */
  readonly reply: string;
  readonly pointer: Point | undefined;
  readonly actions: RecordedAction[];
  /** The frame that the model was shown after its actions. */
  frame: string | undefined;
  /** What the host did before its first action. */
  interrupted: "pause" | "stop" | undefined;
}

export interface RecordedGoal {
  /** The first frame; undefined for an agent that may not see, whose goals cannot be told apart. */
  readonly frame: string | undefined;
  readonly turns: RecordedTurn[];
}

export interface RecordedRun {
  readonly start: RecordData<"run_started">;
  readonly limits: RecordData<"desktop_opened">["limits"];
  readonly goals: readonly RecordedGoal[];
  /** Actions of the agent's own code. */
  readonly own: readonly RecordedAction[];
  /** The size of the first picture that the model was shown. */
  readonly picture: { readonly width: number; readonly height: number } | undefined;
}

/** More than any run does; each action is held in memory. */
const ACTIONS_MAX = 200_000;

/** Outcomes of runs that others than the model ended. */
const CUT_SHORT: ReadonlySet<string> = new Set(["stopped", "budget", "failed"]);

export class RunRecorder {
  #start: RecordData<"run_started"> | undefined;
  #limits: RecordData<"desktop_opened">["limits"];
  #picture: RecordedRun["picture"];
  readonly #goals: RecordedGoal[] = [];
  readonly #own: RecordedAction[] = [];
  /** Actions by their id, until they have their receipt and verification. */
  readonly #byId = new Map<string, RecordedAction>();
  #pointer: Point | undefined;
  #actions = 0;
  #withoutReply = 0;
  /** Model actions that follow no reply. */
  #loose = 0;

  take(record: TraceRecord): void {
    switch (record.kind) {
      case "run_started":
        this.#start ??= record.data;
        break;
      case "desktop_opened":
        this.#limits = record.data.limits;
        break;
      case "frame":
        this.#frame(record.data);
        break;
      case "picture":
        this.#picture ??= record.data.size;
        break;
      case "model_reply":
        this.#reply(record.data);
        break;
      case "action":
        this.#action(record.seq, record.data);
        break;
      case "receipt":
      case "verification":
        this.#outcome(record);
        break;
      case "control":
        this.#control(record.data.what);
        break;
      case "run_ended":
        if (CUT_SHORT.has(record.data.outcome)) this.#markStop();
        break;
      default:
        break;
    }
  }

  /** The run. @throws UsageError for a trace that does not hold what replaying needs. */
  finish(): RecordedRun {
    if (!this.#start) throw new UsageError("the trace has no beginning: there is nothing to replay");
    if (this.#withoutReply > 0) {
      throw new UsageError(
        "the trace keeps no replies of the model, as traces of an earlier version: there is nothing to replay",
      );
    }
    if (this.#loose > 0)
      throw new UsageError(`${this.#loose} actions of the model belong to none of the trace's replies`);
    return {
      start: this.#start,
      limits: this.#limits,
      goals: this.#goals,
      own: this.#own,
      picture: this.#picture,
    };
  }

  get #turn(): RecordedTurn | undefined {
    return this.#goals.at(-1)?.turns.at(-1);
  }

  #frame({ digest, reason }: RecordData<"frame">): void {
    const turn = this.#turn;
    if (reason === "start") this.#goals.push({ frame: digest, turns: [] });
    else if (reason === "turn" && turn) turn.frame = digest;
    else if (reason === "model") {
      const action = turn?.actions.at(-1);
      if (action) action.frame = digest;
    }
  }

  #reply({ turn, kept }: RecordData<"model_reply">): void {
    if (kept === undefined) this.#withoutReply += 1;
    else {
      const pointer = this.#takePointer();
      if (this.#goals.length === 0) this.#goals.push({ frame: undefined, turns: [] });
      this.#goals.at(-1)?.turns.push({
        turn,
        reply: kept,
        pointer,
        actions: [],
        frame: undefined,
        interrupted: undefined,
      });
    }
  }

  #action(seq: number, data: RecordData<"action">): void {
    this.#actions += 1;
    if (this.#actions > ACTIONS_MAX)
      throw new UsageError(`the trace holds more than ${ACTIONS_MAX} actions: it is not replayed`);
    const { name, input, verdict, code, actionId, source } = data;
    const own = source === "agent";
    const action: RecordedAction = {
      ...{ seq, name, input, verdict, code },
      pointer: own ? undefined : this.#takePointer(),
      ...{
        receipt: undefined,
        before: undefined,
        after: undefined,
        frame: undefined,
        interrupted: undefined,
      },
    };
    this.#byId.set(actionId, action);
    if (!own) {
      const turn = this.#turn;
      if (turn) turn.actions.push(action);
      else this.#loose += 1;
    } else {
      this.#own.push(action);
      if (verdict === "allow") this.#pointer = placeOf(input) ?? this.#pointer;
    }
  }

  #outcome(record: Extract<TraceRecord, { kind: "receipt" | "verification" }>): void {
    const action = this.#byId.get(record.data.actionId);
    if (!action) return;
    if (record.kind === "receipt") {
      const { status, events, code } = record.data;
      action.receipt ??= { status, events, code };
    } else {
      action.before ??= record.data.before;
      action.after ??= record.data.after;
      this.#byId.delete(record.data.actionId);
    }
  }

  #control(what: RecordData<"control">["what"]): void {
    const turn = this.#turn;
    if (what === "resume" || !turn) return;
    const place = turn.actions.at(-1) ?? turn;
    place.interrupted ??= what;
  }

  /** A host that ends a run by a signal leaves no record of it but the calls that were not carried out any more. */
  #markStop(): void {
    const turn = this.#turn;
    const at = turn?.actions.findIndex(({ verdict }) => verdict === "not_executed") ?? -1;
    if (!turn || at === -1) return;
    const before = turn.actions.slice(0, at);
    const place = before.at(-1) ?? turn;
    const isExplained = before.some(({ verdict, receipt, interrupted }) => {
      const failed = receipt !== undefined && receipt.status !== "committed";
      return verdict === "deny" || failed || interrupted !== undefined;
    });
    if (!isExplained) place.interrupted ??= "stop";
  }

  #takePointer(): Point | undefined {
    const pointer = this.#pointer;
    this.#pointer = undefined;
    return pointer;
  }
}

/** Where an action leaves the pointer, when its record says so. */
function placeOf(input: RecordedInput | undefined): Point | undefined {
  const place = input?.["coordinate"];
  return typeof place === "object" && "x" in place && !("width" in place) ? place : undefined;
}
