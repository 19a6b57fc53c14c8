// `capuchin trace`: reads a trace that a run wrote. What it shows is what was verified, and it says how far that is.
import { resolve } from "node:path";
import type { Command } from "commander";
import { type FolderReport, readTraceFolder } from "../runtime/store/trace-folder.js";
import { positionalPath } from "./flag-values.js";
import { addHelp } from "./help.js";
import type { CliIo } from "./io.js";
import { EXIT_FAILED, EXIT_OK } from "./io.js";
import { registerLaterCommands } from "./later.js";
import { describeRecord } from "./trace-lines.js";

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
  const { problem, frameProblem } = report;
  if (problem) return `record ${problem.index}: ${PROBLEMS[problem.kind]} (${problem.reason})`;
  if (frameProblem)
    return `record ${frameProblem.index}: its frame ${frameProblem.digest}: ${frameProblem.reason}`;
  if (!report.complete) return "incomplete: the last record is not run_ended";
  return undefined;
}

function describeExtent(report: FolderReport): string {
  const records = `${report.records} record${report.records === 1 ? "" : "s"}`;
  const frames = `${report.frames} frame${report.frames === 1 ? "" : "s"}`;
  return `${records} verified, ${frames}, head ${report.head}`;
}

async function verify(folder: string, io: CliIo): Promise<number> {
  const report = await readTraceFolder(resolve(io.cwd, folder));
  const problem = describeProblem(report);
  await io.stdout.write(problem ? `not intact: ${problem}\n` : "intact and complete\n");
  await io.stdout.write(`${describeExtent(report)}\n`);
  return problem ? EXIT_FAILED : EXIT_OK;
}

/** Ends the reading of a long trace when nobody reads the listing any more. */
class ReaderGone extends Error {}

async function show(folder: string, io: CliIo): Promise<number> {
  const report = await readTraceFolder(resolve(io.cwd, folder), async (record) => {
    const lines = describeRecord(record);
    if (lines.length > 0) await io.stdout.write(lines.map((line) => `${line}\n`).join(""));
    if (io.stdout.isClosed) throw new ReaderGone();
  }).catch((error: unknown) => {
    if (error instanceof ReaderGone) return undefined;
    throw error;
  });
  if (!report) return EXIT_OK;
  const problem = describeProblem(report);
  await io.stdout.write(`\n${describeExtent(report)}\n`);
  await io.stdout.write(
    problem
      ? `NOT INTACT: ${problem}; what stands above was verified, nothing after it is shown\n`
      : "intact and complete\n",
  );
  return EXIT_OK;
}

export function registerTrace(program: Command, io: CliIo, finish: (code: number) => void): void {
  const trace = program.command("trace").description("show or verify the trace of a run");
  trace.helpCommand(false);
  addHelp(trace, {
    examples: ["capuchin trace show runs/1", "capuchin trace verify runs/1"],
    exits: { 0: "see the help of each command" },
  });
  const showing = trace
    .command("show")
    .description("list what happened, turn by turn")
    .argument("<dir>", "the folder that holds trace.jsonl", positionalPath)
    .action(async (folder: string) => finish(await show(folder, io)));
  const verifying = trace
    .command("verify")
    .description("verify chain, frames and end; exit 1 names the first record that is not intact")
    .argument("<dir>", "the folder that holds trace.jsonl", positionalPath)
    .action(async (folder: string) => finish(await verify(folder, io)));
  addHelp(showing, {
    examples: ["capuchin trace show runs/1", "capuchin trace show runs/1 | grep denied"],
    exits: { 0: "shown, whole or not: the last line says whether it is intact" },
  });
  addHelp(verifying, {
    examples: ["capuchin trace verify runs/1 && echo kept"],
    exits: { 0: "intact and complete", 1: "altered, cut short or not ended; the first line says where" },
  });
  registerLaterCommands(trace, ["replay", "export"]);
}
