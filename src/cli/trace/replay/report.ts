// What a replay found, for people and as one JSON document. Everything that comes from the trace is escaped.
import { escapeText } from "../../../base/escape.js";
import { describeAction } from "../../trace-lines.js";
import type { RecordedRun } from "./recorded-run.js";
import type { Comparison, Judged } from "./verdicts.js";

export interface ReplayReport {
  readonly version: 1;
  /** Every verdict agrees, and the trace is intact. */
  readonly ok: boolean;
  readonly intact: boolean;
  /** What is wrong with the trace. */
  readonly problem?: string;
  readonly agent?: string;
  /** What the verdicts of now rest on: the entry that was kept, or a spec that was named. */
  readonly entry?: "kept" | "spec";
  readonly counts: { readonly same: number; readonly differs: number; readonly uncertain: number };
  readonly actions: readonly Comparison[];
  /** Actions of the agent's own code, which are not replayed. */
  readonly notReplayed: readonly {
    readonly seq: number;
    readonly name: string | undefined;
    readonly verdict: string;
  }[];
  readonly notes: readonly string[];
}

export function countResults(actions: readonly Comparison[]): ReplayReport["counts"] {
  const count = (result: Comparison["result"]) => actions.filter((action) => action.result === result).length;
  return { same: count("same"), differs: count("differs"), uncertain: count("uncertain") };
}

export function listOwnActions(run: RecordedRun): ReplayReport["notReplayed"] {
  return run.own.map(({ seq, name, verdict }) => ({ seq, name, verdict }));
}

function verdictText({ verdict, code }: Judged): string {
  return code === undefined ? verdict : `${verdict} ${code}`;
}

const WORDS = { same: "same   ", differs: "DIFFERS", uncertain: "UNSURE " } as const;

function comparisonLine(comparison: Comparison): string {
  const { turn, name, input, recorded, now, result, note } = comparison;
  const what = `${`turn ${turn}`.padEnd(8)} ${WORDS[result]}  ${describeAction(name, input)}`;
  if (result === "same") return escapeText(`${what} ─ ${verdictText(recorded)}`);
  const present = now ? verdictText(now) : "not judged";
  const reason = now?.reason === undefined ? "" : ` (${now.reason})`;
  const why = note === undefined ? "" : `: ${note}`;
  return escapeText(`${what} ─ then ${verdictText(recorded)}, now ${present}${reason}${why}`);
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function summary({ counts, notReplayed, entry }: ReplayReport): string {
  const total = counts.same + counts.differs + counts.uncertain;
  const against = entry === "kept" ? "the entry that the run was held to" : "the spec that was named";
  const found =
    counts.differs + counts.uncertain === 0
      ? "all verdicts agree"
      : [
          counts.differs > 0 ? `${plural(counts.differs, "verdict")} differ` : "",
          counts.uncertain > 0 ? `${counts.uncertain} cannot be judged again` : "",
        ]
          .filter((part) => part !== "")
          .join(", ");
  const own =
    notReplayed.length === 0
      ? ""
      : `; ${plural(notReplayed.length, "action")} of the agent's own code not replayed`;
  return `${plural(total, "model action")} replayed under ${against}: ${found}${own}`;
}

export function describeReplay(report: ReplayReport): string {
  if (!report.intact) return `not replayed: the trace is not intact: ${report.problem ?? ""}\n`;
  const own = report.notReplayed.map(({ name, verdict, seq }) =>
    escapeText(`agent    not replayed  ${name ?? "(not an action)"} ─ ${verdict} (record ${seq})`),
  );
  const notes = report.notes.map((note) => `note: ${escapeText(note)}`);
  const lines = [...report.actions.map(comparisonLine), ...own, ...notes, summary(report)];
  return lines.map((line) => `${line}\n`).join("");
}
