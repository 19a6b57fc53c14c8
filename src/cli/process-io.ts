// The real process behind `CliIo`. A reader that goes away (EPIPE) is no error; any other failure to write is, and
// is reported when the command has ended. An error that nobody caught ends the process with exit 2, never 1.
import { Console } from "node:console";
import { writeSync } from "node:fs";
import { homedir } from "node:os";
import { describeFault, escapeLines } from "./fault.js";
import { type CliIo, EXIT_USAGE, type Output, SIGNAL_EXIT, type StopSignal } from "./io.js";
import { keyMask } from "./masked-output.js";

type Write = (text: string, done: (error?: Error | null) => void) => boolean;

class StreamOutput implements Output {
  readonly #write: Write;
  readonly #stream: NodeJS.WriteStream;
  #closed = false;
  #failure: string | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    // Bound now: `divertForeignOutput` exchanges the method on the stream.
    this.#write = stream.write.bind(stream) as Write;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      this.#closed = true;
      if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") {
        this.#failure ??= error.code ?? error.message;
      }
    });
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number | undefined {
    return this.isTerminal && this.#stream.columns > 0 ? this.#stream.columns : undefined;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  write(text: string): Promise<void> {
    if (this.#closed || text === "") return Promise.resolve();
    return new Promise((resolve) => {
      // A failure arrives at the stream's error handler as well, which judges it.
      this.#write(text, () => resolve());
    });
  }
}

const exit = process.exit.bind(process);

type UncaughtHandler = (error: unknown) => void;

/** Written without the event loop, which may be what broke. */
function endByFault(error: unknown): void {
  // On a terminal a line may stand there that was drawn over; it makes way.
  const start = process.stderr.isTTY && process.env["TERM"] !== "dumb" ? "\r\u001b[K" : "";
  const fault = escapeLines(describeFault(error, process.env["CAPUCHIN_DEBUG"] === "1"));
  writeSync(2, `${start}${keyMask(process.env)(`capuchin: ${fault}`)}\n`);
  exit(EXIT_USAGE);
}

/** The arguments of a stream's `write` with its text masked; bytes are taken for UTF-8. */
function maskedArguments(
  [chunk, ...rest]: readonly unknown[],
  mask: (piece: string) => string,
): readonly unknown[] {
  const [first, ...others] = rest;
  const encoding = typeof first === "string" ? first : undefined;
  const callbacks = encoding === undefined ? rest : others;
  if (typeof chunk === "string") {
    const isBytes = encoding !== undefined && Buffer.isEncoding(encoding) && !/^utf-?8$/i.test(encoding);
    return [mask(isBytes ? Buffer.from(chunk, encoding).toString("utf8") : chunk), ...callbacks];
  }
  if (!(chunk instanceof Uint8Array)) return [chunk, ...rest];
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return [mask(bytes.toString("utf8")), ...callbacks];
}

const STOP_SIGNALS = Object.keys(SIGNAL_EXIT) as readonly StopSignal[];

/** The streams, environment and signals of this process. Call it once. */
export function processIo(): CliIo {
  const stdout = new StreamOutput(process.stdout);
  const stderr = new StreamOutput(process.stderr);
  let onUncaught: UncaughtHandler = endByFault;
  process.on("uncaughtException", (error) => onUncaught(error));
  return {
    stdin: process.stdin,
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    divertForeignOutput(around = (write) => write(), mask) {
      const write = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;
      const diverted = (...given: unknown[]) => {
        const args = mask ? maskedArguments(given, mask) : given;
        return around(() => write(...args), typeof args[0] === "string" ? args[0] : "");
      };
      process.stdout.write = diverted as typeof process.stdout.write;
      process.stderr.write = diverted as typeof process.stderr.write;
      globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
    },
    onSignal(handler) {
      for (const signal of STOP_SIGNALS) process.on(signal, () => handler(signal));
    },
    onUncaught(handler) {
      onUncaught = handler;
    },
    onForeignExit(handler) {
      process.exit = (code) => {
        handler(code);
        throw new Error("process.exit ends the run, not the process");
      };
    },
  };
}
