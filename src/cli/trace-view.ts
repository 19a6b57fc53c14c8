// `capuchin trace view`: the page of a trace in this machine's own browser, without a file. Ends with ctrl+c.
import { resolve } from "node:path";
import type { Command } from "commander";
import { randomId } from "../base/digest.js";
import { contentPolicy, servePage } from "../viewer/index.js";
import { integerValue, positionalPath } from "./flag-values.js";
import { addHelp, SIGNAL_EXITS } from "./help.js";
import { type CliIo, EXIT_FAILED, SIGNAL_EXIT, type StopSignal } from "./io.js";
import { DEFAULT_PICTURE_MIB, DEFAULT_ROWS, pageOfReading, readRows } from "./trace-export.js";
import { describeProblem } from "./trace-problem.js";
import { UsageError } from "./usage-error.js";

const PORT_MIN = 1024;
const PORT_MAX = 65_535;

const LIMITS = { rows: DEFAULT_ROWS, from: 0, pictureBytes: DEFAULT_PICTURE_MIB * 1024 * 1024 };

function cannotListen(port: number, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException;
  const why = code === "EADDRINUSE" ? "is taken" : `cannot be used (${code ?? "unknown error"})`;
  return new UsageError(`the port ${port} ${why}: name another one with --port, or none for any free one`);
}

async function view(dir: string, port: number, io: CliIo): Promise<number> {
  const folder = resolve(io.cwd, dir);
  // Read once before anything is served: what is no trace is said here, and what does not hold as well.
  const first = await readRows(folder, LIMITS);
  const stopped = new Promise<StopSignal>((stop) => io.onSignal(stop));
  const server = await servePage({
    port,
    token: randomId("report"),
    policy: contentPolicy(),
    async *page() {
      yield* pageOfReading(folder, await readRows(folder, LIMITS), LIMITS);
    },
  }).catch((error: unknown) => {
    throw cannotListen(port, error);
  });
  const problem = describeProblem(first.report);
  if (problem !== undefined) await io.stderr.write(`capuchin: the trace is not intact: ${problem}\n`);
  await io.stdout.write(`${server.address}\n`);
  await io.stderr.write("open this address in a browser of this machine; ctrl+c ends it\n");
  const signal = await stopped;
  await server.close();
  return problem === undefined ? SIGNAL_EXIT[signal] : EXIT_FAILED;
}

export function registerTraceView(trace: Command, io: CliIo, finish: (code: number) => void): void {
  const command = trace
    .command("view")
    .description("show the page of a trace to this machine's browser, until ctrl+c")
    .argument("<dir>", "the folder that holds trace.jsonl", positionalPath)
    .option("--port <n>", "the port on 127.0.0.1 (default: any free one)", integerValue(PORT_MIN, PORT_MAX))
    .action(async (dir: string, { port = 0 }: { port?: number }) => finish(await view(dir, port, io)));
  addHelp(command, {
    examples: ["capuchin trace view runs/1", "capuchin trace view runs/1 --port 8123"],
    exits: { 1: "ended, and the trace was not intact", ...SIGNAL_EXITS },
  });
}
