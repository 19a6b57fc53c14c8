// `capuchin trace replay`: plays the model's replies of a trace again on the fake desktop, and compares each verdict
// with the one of then. Nothing is carried out anywhere else, no model is asked, and no key is read.
import { resolve } from "node:path";
import type { Command } from "commander";
import type { AgentEntry } from "../../contract/agent-spec.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import { readSpecFile } from "../../runtime/store/spec-file.js";
import { pathValue, positionalPath } from "../flag-values.js";
import { addHelp } from "../help.js";
import type { CliIo } from "../io.js";
import { EXIT_FAILED, EXIT_OK } from "../io.js";
import { jsonDocument } from "../json-text.js";
import { chooseEntry } from "../spec-agent.js";
import { describeProblem } from "../trace-problem.js";
import { UsageError } from "../usage-error.js";
import type { RecordedRun } from "./replay/recorded-run.js";
import { countResults, describeReplay, listOwnActions, type ReplayReport } from "./replay/report.js";

interface ReplayFlags {
  readonly spec?: string;
  readonly json?: true;
}

/** Of a larger display the plain pictures alone would take gigabytes. */
const PIXELS_MAX = 7680 * 4320;

function entryFor(run: RecordedRun, flags: ReplayFlags, io: CliIo, kept: () => AgentEntry): AgentEntry {
  const entry =
    flags.spec === undefined
      ? kept()
      : chooseEntry(readSpecFile(resolve(io.cwd, flags.spec)), run.start.agent);
  const { width, height } = entry.display ?? entry;
  if (width * height > PIXELS_MAX)
    throw new UsageError(`the display of ${width} × ${height} is larger than what is replayed`);
  return entry;
}

async function replayFolder(folder: string, flags: ReplayFlags, io: CliIo): Promise<ReplayReport> {
  const { frameReader, keptEntry, openTrace, replyReader } = await import("./replay/open-trace.js");
  const { report, run } = await openTrace(folder, (read) => describeProblem(read) === undefined);
  const none = { same: 0, differs: 0, uncertain: 0 };
  if (!run) {
    const problem = describeProblem(report) ?? "";
    return {
      version: 1,
      ok: false,
      intact: false,
      problem,
      counts: none,
      actions: [],
      notReplayed: [],
      notes: [],
    };
  }
  const entry = entryFor(run, flags, io, () => keptEntry(folder, run));
  const { replayRun } = await import("./replay/replay-run.js");
  const { fakeDesktop } = await import("../../runtime/drivers/index.js");
  const { actions, notes } = await replayRun({
    run,
    entry,
    replyOf: replyReader(folder),
    frameOf: frameReader(folder),
    fakeDesktop,
  });
  const counts = countResults(actions);
  return {
    version: 1,
    ok: counts.differs === 0 && counts.uncertain === 0,
    intact: true,
    agent: run.start.agent,
    entry: flags.spec === undefined ? "kept" : "spec",
    counts,
    actions,
    notReplayed: listOwnActions(run),
    notes,
  };
}

/** With --json there is one document whatever happens, as of `capuchin run`. */
async function tellFault(error: unknown, io: CliIo): Promise<never> {
  if (error instanceof CapuchinError) {
    const { code, message } = error;
    await io.stdout.write(jsonDocument({ version: 1, ok: false, error: { code, message } }));
  }
  throw error;
}

async function replay(folder: string, flags: ReplayFlags, io: CliIo): Promise<number> {
  const playing = replayFolder(resolve(io.cwd, folder), flags, io);
  const report = await (flags.json ? playing.catch((error: unknown) => tellFault(error, io)) : playing);
  await io.stdout.write(flags.json ? jsonDocument(report) : describeReplay(report));
  return report.ok ? EXIT_OK : EXIT_FAILED;
}

export function registerReplay(trace: Command, io: CliIo, finish: (code: number) => void): void {
  const command = trace
    .command("replay")
    .description("play the model's replies again on the fake desktop, and compare the verdicts")
    .argument("<dir>", "the folder that holds trace.jsonl", positionalPath)
    .option("--spec <file>", "judge by this spec instead of the entry that the trace keeps", pathValue)
    .option("--json", "print one JSON document")
    .action(async (folder: string, flags: ReplayFlags) => finish(await replay(folder, flags, io)));
  addHelp(command, {
    examples: ["capuchin trace replay runs/1", "capuchin trace replay runs/1 --spec computer-use.json"],
    exits: {
      0: "every verdict agrees",
      1: "a verdict differs or cannot be judged again, or the trace is not intact",
      2: "the trace keeps no replies, or another thing that was given cannot be used",
    },
  });
}
