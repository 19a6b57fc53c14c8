// A process for commands under test: input is given, output is kept, signals are sent by hand.
import { runCommandLine } from "../../src/cli/command-line.js";
import type { CliIo, Output, StopSignal } from "../../src/cli/io.js";

class KeptOutput implements Output {
  isTerminal = false;
  columns: number | undefined;
  isClosed = false;
  failure: string | undefined;
  text = "";

  async write(text: string): Promise<void> {
    if (!this.isClosed) this.text += text;
  }
}

export class FakeIo implements CliIo {
  readonly stdout = new KeptOutput();
  readonly stderr = new KeptOutput();
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Record<string, string | undefined> = {};
  readonly cwd: string;
  readonly home: string;
  diverted = false;
  readonly #signalHandlers = new Set<(signal: StopSignal) => void>();

  constructor(cwd: string, stdin: AsyncIterable<Uint8Array> | string = "") {
    this.cwd = cwd;
    this.home = cwd;
    this.stdin = typeof stdin === "string" ? once(stdin) : stdin;
  }

  divertForeignOutput(): void {
    this.diverted = true;
  }

  onSignal(handler: (signal: StopSignal) => void): void {
    this.#signalHandlers.add(handler);
  }

  onUncaught(): void {}

  onForeignExit(): void {}

  send(signal: StopSignal): void {
    for (const handler of this.#signalHandlers) handler(signal);
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  if (text !== "") yield Buffer.from(text, "utf8");
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in-process. */
export async function runCli(
  argv: readonly string[],
  options: { cwd?: string; stdin?: AsyncIterable<Uint8Array> | string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const io = new FakeIo(options.cwd ?? "/", options.stdin);
  Object.assign(io.env, options.env);
  const code = await runCommandLine(argv, io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}
