// `capuchin trace export`: a trace as one page for people, and as a table. The trace is verified while it is read;
// what does not hold is said on the page and by the exit code, and nothing after it is shown. Signals are heard while
// it works, so that nothing half written stays behind.
import { resolve } from "node:path";
import type { Command } from "commander";
import { systemClock } from "../base/clock.js";
import { keptReplySchema } from "../contract/kept-documents.js";
import { FileRefusal } from "../runtime/store/regular-file.js";
import {
  type FolderReport,
  readDocument,
  readFrame,
  readTraceFolder,
  sizeOfFrame,
} from "../runtime/store/trace-folder.js";
import {
  csvHead,
  csvLine,
  type Judgement,
  type KeptSource,
  pageOf,
  type Row,
  RowWindow,
  type Shown,
  TimeLine,
  type Totals,
} from "../viewer/index.js";
import { integerValue, pathValue, positionalPath } from "./flag-values.js";
import { addHelp, SIGNAL_EXITS } from "./help.js";
import type { CliIo } from "./io.js";
import { EXIT_FAILED, EXIT_OK, SIGNAL_EXIT, type StopSignal } from "./io.js";
import { OutputFile } from "./output-file.js";
import { requireOutputsApart } from "./trace-output.js";
import { describeProblem } from "./trace-problem.js";
import { UsageError } from "./usage-error.js";

export const DEFAULT_ROWS = 10_000;
const ROWS_MAX = 200_000;
export const DEFAULT_PICTURE_MIB = 48;
const PICTURE_MIB_MAX = 1024;
const MIB = 1024 * 1024;
/** Characters of row data that are held for the page, whatever the number of rows. */
const ROW_WEIGHT_MAX = 48 * MIB;

/** What a page is made of, kept within bounds. */
export interface Reading {
  readonly shown: Shown;
  readonly totals: Totals;
  readonly report: FolderReport;
}

export interface PageLimits {
  readonly rows: number;
  /** Rows whose first record comes before this one are counted, not shown. */
  readonly from: number;
  readonly pictureBytes: number;
}

/** Pieces of work, none of which waits for anything, after which the process looks at what else has come. */
const PIECES_AT_ONCE = 500;

/** To be called after each piece of long work: without it no signal is heard and no request answered until the end. */
function breathing(): () => Promise<void> | undefined {
  let pieces = 0;
  return () => {
    pieces += 1;
    return pieces % PIECES_AT_ONCE === 0 ? systemClock.sleep(0) : undefined;
  };
}

/** Verifies a trace from end to end and keeps the rows to be shown; `onRow` sees every one. */
export async function readRows(
  folder: string,
  { rows, from }: PageLimits,
  onRow: (row: Row) => void = () => {},
): Promise<Reading> {
  const window = new RowWindow(rows, ROW_WEIGHT_MAX);
  const line = new TimeLine((row) => {
    onRow(row);
    if (row.seq >= from) window.add(row);
  });
  const breathe = breathing();
  const report = await readTraceFolder(folder, (record) => {
    line.add(record);
    return breathe();
  });
  line.finish();
  return { shown: window.shown(), totals: line.totals, report };
}

export function judgementOf(report: FolderReport): Judgement {
  const text = describeProblem(report);
  if (text === undefined) return { report };
  const { problem, frameProblem, documentProblem } = report;
  if (problem) return { report, problem: { kind: "chain", text, index: problem.index } };
  const kept = frameProblem ?? documentProblem;
  if (kept) return { report, problem: { kind: "kept", text, index: kept.index } };
  return { report, problem: { kind: "end", text, index: report.records } };
}

/** A frame that is larger is not read: about four times the largest that a driver takes. */
const FRAME_MAX_BYTES = 64 * MIB;
/** A reply that is larger is not read for its words. */
const REPLY_MAX_BYTES = 4 * MIB;

/** What the trace keeps beside its records, each file compared with its digest before anything looks at it. */
function keptOf(folder: string, { totals }: Reading): KeptSource {
  const isKept = totals.started?.keeps?.frames !== "digest-only";
  return {
    sizeOf: (digest) => (isKept ? sizeOfFrame(folder, digest) : undefined),
    read(digest) {
      if (!isKept) return { ok: false, reason: "the run was told to keep no pictures, only their digests" };
      try {
        return { ok: true, bytes: readFrame(folder, digest, FRAME_MAX_BYTES) };
      } catch (error) {
        if (error instanceof FileRefusal) return { ok: false, reason: `its file ${error.message}` };
        throw error;
      }
    },
    words(digest) {
      try {
        const parsed = keptReplySchema.safeParse(JSON.parse(readDocument(folder, digest, REPLY_MAX_BYTES)));
        if (!parsed.success) return undefined;
        const texts = parsed.data.content.flatMap((block) => ("text" in block ? [block.text] : []));
        return texts.length > 0 ? texts.join("\n") : undefined;
      } catch (error) {
        if (error instanceof FileRefusal || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
  };
}

/** The page of a reading, piece by piece. */
export async function* pageOfReading(
  folder: string,
  reading: Reading,
  { pictureBytes }: PageLimits,
): AsyncGenerator<string> {
  const { shown, totals, report } = reading;
  const breathe = breathing();
  const kept = keptOf(folder, reading);
  for await (const piece of pageOf({ shown, totals, judgement: judgementOf(report), kept, pictureBytes })) {
    yield piece;
    await breathe();
  }
}

interface Flags {
  readonly html?: string;
  readonly csv?: string;
  readonly rows?: number;
  readonly from?: number;
  readonly pictures?: number;
}

/** A signal came while files were being written. */
class Interrupted extends Error {
  readonly signal: StopSignal;
  constructor(signal: StopSignal) {
    super(`ended by ${signal}`);
    this.signal = signal;
  }
}

/** From now on a signal is what the returned function throws, so that all is tidied up before the process ends. */
function interruptible(io: CliIo): () => void {
  let came: StopSignal | undefined;
  io.onSignal((signal) => {
    came ??= signal;
  });
  return () => {
    if (came) throw new Interrupted(came);
  };
}

async function exportTrace(dir: string, flags: Flags, io: CliIo): Promise<number> {
  if (flags.html === undefined && flags.csv === undefined) {
    throw new UsageError("nothing to write: name a file with --html FILE, --csv FILE or both");
  }
  const folder = resolve(io.cwd, dir);
  const limits: PageLimits = {
    rows: flags.rows ?? DEFAULT_ROWS,
    from: flags.from ?? 0,
    pictureBytes: (flags.pictures ?? DEFAULT_PICTURE_MIB) * MIB,
  };
  const outputs = [flags.html, flags.csv].flatMap((path) =>
    path === undefined ? [] : [resolve(io.cwd, path)],
  );
  requireOutputsApart(folder, outputs);
  const check = interruptible(io);
  const csv = flags.csv === undefined ? undefined : new OutputFile(resolve(io.cwd, flags.csv), 0o600);
  let html: OutputFile | undefined;
  try {
    if (flags.html !== undefined) html = new OutputFile(resolve(io.cwd, flags.html), 0o600);
    csv?.write(csvHead());
    const reading = await readRows(folder, limits, (row) => {
      check();
      if (row.kind === "action") csv?.write(csvLine(row));
    });
    if (html) {
      for await (const piece of pageOfReading(folder, reading, limits)) {
        check();
        html.write(piece);
      }
    }
    check();
    for (const file of [html, csv]) file?.finish();
    return await tell(reading, [html, csv], io);
  } catch (error) {
    if (error instanceof Interrupted) return SIGNAL_EXIT[error.signal];
    throw error;
  } finally {
    html?.discard();
    csv?.discard();
  }
}

async function tell(
  { report, shown }: Reading,
  files: readonly (OutputFile | undefined)[],
  io: CliIo,
): Promise<number> {
  for (const file of files) {
    if (file) await io.stdout.write(`wrote ${file.name} (${Math.ceil(file.bytes / 1000)} kB)\n`);
  }
  if (shown.gap) {
    await io.stdout.write(
      `the page leaves out ${shown.gap.rows} rows, records ${shown.gap.from} to ${shown.gap.to}: --from or --rows shows them\n`,
    );
  }
  const problem = describeProblem(report);
  if (problem === undefined) return EXIT_OK;
  await io.stderr.write(
    `capuchin: the trace is not intact: ${problem}; what was verified before it was exported\n`,
  );
  return EXIT_FAILED;
}

export function registerTraceExport(trace: Command, io: CliIo, finish: (code: number) => void): void {
  const command = trace
    .command("export")
    .description("write one self-contained page that shows the run, or a table of its actions")
    .argument("<dir>", "the folder that holds trace.jsonl", positionalPath)
    .option("--html <file>", "the page; nothing in it is loaded from elsewhere", pathValue)
    .option("--csv <file>", "every action as a line of a table", pathValue)
    .option(
      "--rows <n>",
      `rows that the page shows at most (default ${DEFAULT_ROWS})`,
      integerValue(2, ROWS_MAX),
    )
    .option("--from <n>", "show rows from this record on", integerValue(0, Number.MAX_SAFE_INTEGER))
    .option(
      "--pictures <mib>",
      `pictures that the page holds at most, in MiB (default ${DEFAULT_PICTURE_MIB}; 0 for none)`,
      integerValue(0, PICTURE_MIB_MAX),
    )
    .action(async (dir: string, flags: Flags) => finish(await exportTrace(dir, flags, io)));
  addHelp(command, {
    examples: [
      "capuchin trace export runs/1 --html report.html",
      "capuchin trace export runs/1 --csv actions.csv",
      "capuchin trace export runs/1 --html small.html --pictures 0",
    ],
    exits: {
      0: "written, and the trace is intact and complete",
      1: "written up to where the trace stops being intact; the page says so in red",
      ...SIGNAL_EXITS,
    },
  });
}
