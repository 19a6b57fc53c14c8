// A recorded and a present verdict side by side. What cannot be judged again, because the trace withholds what
// decided it, is told apart from what is judged differently; neither counts as agreement.
import type { RecordData } from "../../../contract/journal-records.js";
import type { RecordedAction, Verdict } from "./recorded-run.js";

export interface Judged {
  readonly verdict: Verdict;
  readonly code?: string;
  readonly reason?: string;
}

export interface Comparison {
  readonly turn: number;
  readonly seq: number;
  readonly name: string | undefined;
  readonly input: RecordedAction["input"];
  readonly recorded: Judged;
  /** Absent when the replay did not get so far. */
  readonly now?: Judged;
  readonly result: "same" | "differs" | "uncertain";
  /** Why it is uncertain, or what the difference may come from. */
  readonly note?: string;
}

const TEXT_CODES: ReadonlySet<string> = new Set(["E_TEXT_DENIED", "E_TEXT_UNSUPPORTED"]);

export interface Circumstances {
  /** The agent's own code acted, and what it used of the quotas is not replayed. */
  readonly hasOwnActions: boolean;
  /** The pointer's place is known when the action begins. */
  readonly pointerKnown: boolean;
}

/** Whether an action acts where the pointer is. */
export function actsAtPointer({ name, input }: RecordedAction): boolean {
  if (name === "left_mouse_down" || name === "left_mouse_up") return true;
  const places = ["left_click", "right_click", "middle_click", "double_click", "triple_click", "scroll"];
  return name !== undefined && places.includes(name) && input?.["coordinate"] === undefined;
}

function judgedOf({ verdict, code, reason }: Judged): Judged {
  return { verdict, ...(code === undefined ? {} : { code }), ...(reason === undefined ? {} : { reason }) };
}

function whyUncertain(
  recorded: RecordedAction,
  now: Judged,
  circumstances: Circumstances,
): string | undefined {
  const codes = [recorded.code, recorded.receipt?.code, now.code];
  if (recorded.name === "type" && codes.some((code) => code !== undefined && TEXT_CODES.has(code)))
    return "the typed text is withheld, so that its characters cannot be judged again";
  if (!circumstances.pointerKnown && actsAtPointer(recorded))
    return "it acts where the pointer is, and the trace does not say where that was";
  if (circumstances.hasOwnActions && codes.includes("E_QUOTA"))
    return "the agent's own actions, which are not replayed, count against the same quota";
  return undefined;
}

/** Compares one action. `now` is absent when the replay did not come to it. */
export function compareVerdicts(
  turn: number,
  recorded: RecordedAction,
  now: RecordData<"action"> | undefined,
  circumstances: Circumstances,
): Comparison {
  const { seq, name, input } = recorded;
  const then = { verdict: recorded.verdict, ...(recorded.code === undefined ? {} : { code: recorded.code }) };
  const head = { turn, seq, name, input, recorded: then };
  if (!now) return { ...head, result: "differs", note: "the replay ended before it" };
  const present = { ...head, now: judgedOf(now as Judged) };
  if (now.verdict === recorded.verdict && now.code === recorded.code) return { ...present, result: "same" };
  const note = whyUncertain(recorded, now as Judged, circumstances);
  return note === undefined ? { ...present, result: "differs" } : { ...present, result: "uncertain", note };
}
