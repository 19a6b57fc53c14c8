// What is wrong with a trace, in words; the same for every command that reads one.
import type { FolderReport } from "../runtime/store/trace-folder.js";

const PROBLEMS = {
  altered: "altered",
  removed: "records are missing before it",
  moved: "not in its place",
  duplicated: "duplicated",
  unlinked: "does not belong to the chain",
  after_end: "stands after the end of the run",
  cut_short: "cut short",
} as const;

/** What is wrong with a trace, in one sentence; undefined when it is whole. */
export function describeProblem(report: FolderReport): string | undefined {
  const { problem, frameProblem, documentProblem } = report;
  if (problem) return `record ${problem.index}: ${PROBLEMS[problem.kind]} (${problem.reason})`;
  if (frameProblem)
    return `record ${frameProblem.index}: its frame ${frameProblem.digest}: ${frameProblem.reason}`;
  if (documentProblem)
    return `record ${documentProblem.index}: its document ${documentProblem.digest}: ${documentProblem.reason}`;
  if (!report.complete) return "incomplete: the last record is not run_ended";
  return undefined;
}
