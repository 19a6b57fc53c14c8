// The real process behind `CliIo`. A reader that goes away (EPIPE) is no error; any other failure to write is.
import { Console } from "node:console";
import { homedir } from "node:os";
import type { CliIo, Output, StopSignal } from "./io.js";
import { SIGNAL_EXIT } from "./io.js";

type Write = (text: string, done: (error?: Error | null) => void) => boolean;

class StreamOutput implements Output {
  readonly #write: Write;
  readonly #stream: NodeJS.WriteStream;
  #closed = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    // Bound now: `divertForeignOutput` exchanges the method on the stream.
    this.#write = stream.write.bind(stream) as Write;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
      this.#closed = true;
    });
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  write(text: string): Promise<void> {
    if (this.#closed || text === "") return Promise.resolve();
    return new Promise((resolve) => {
      // A failure arrives at the stream's error handler as well, which judges it.
      this.#write(text, () => resolve());
    });
  }
}

const STOP_SIGNALS = Object.keys(SIGNAL_EXIT) as readonly StopSignal[];

/** The streams, environment and signals of this process. Call it once. */
export function processIo(): CliIo {
  const stdout = new StreamOutput(process.stdout);
  const stderr = new StreamOutput(process.stderr);
  return {
    stdin: process.stdin,
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    divertForeignOutput() {
      process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
      globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
    },
    onSignal(handler) {
      const listeners = STOP_SIGNALS.map((signal) => [signal, () => handler(signal)] as const);
      for (const [signal, listener] of listeners) process.on(signal, listener);
      return () => {
        for (const [signal, listener] of listeners) process.off(signal, listener);
      };
    },
    onUncaught(handler) {
      process.on("uncaughtException", handler);
      return () => {
        process.off("uncaughtException", handler);
      };
    },
  };
}
