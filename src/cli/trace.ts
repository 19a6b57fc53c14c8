// `capuchin trace`: reads a trace that a run wrote. What it shows is what was verified, and it says how far that is.
import { resolve } from "node:path";
import type { Command } from "commander";
import { type FolderReport, readTraceFolder } from "../runtime/store/trace-folder.js";
import { positionalPath } from "./flag-values.js";
import { addHelp } from "./help.js";
import type { CliIo } from "./io.js";
import { EXIT_FAILED, EXIT_OK } from "./io.js";
import { registerReplay } from "./trace/replay.js";
import { registerTraceExport } from "./trace-export.js";
import { describeRecord } from "./trace-lines.js";
import { describeProblem } from "./trace-problem.js";
import { registerTraceView } from "./trace-view.js";

function describeExtent(report: FolderReport): string {
  const records = `${report.records} record${report.records === 1 ? "" : "s"}`;
  const frames = `${report.frames} frame${report.frames === 1 ? "" : "s"}`;
  const documents = report.documents === 1 ? ", 1 document" : `, ${report.documents} documents`;
  return `${records} verified, ${frames}${report.documents === 0 ? "" : documents}, head ${report.head}`;
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
  const trace = program.command("trace").description("show, verify, replay or export the trace of a run");
  trace.helpCommand(false);
  addHelp(trace, {
    examples: [
      "capuchin trace show runs/1",
      "capuchin trace verify runs/1",
      "capuchin trace export runs/1 --html report.html",
    ],
    exits: { 0: "see the help of each command" },
  });
  const showing = trace
    .command("show")
    .description("list what happened, turn by turn")
    .argument("<dir>", "the folder that holds trace.jsonl", positionalPath)
    .action(async (folder: string) => finish(await show(folder, io)));
  const verifying = trace
    .command("verify")
    .description("verify chain, frames, documents and end; exit 1 names the first record that is not intact")
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
  registerTraceExport(trace, io, finish);
  registerTraceView(trace, io, finish);
  registerReplay(trace, io, finish);
}
