// Everything that a command touches of its process, as a parameter: streams, environment, signals. Commands never
// use `process` themselves, so that tests run them in-process.

export interface Output {
  /** Resolves when the text was taken; quietly does nothing once the reader has gone away. */
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
  /** How wide the terminal is now; undefined where none reads. */
  readonly columns: number | undefined;
  /** Nothing more arrives: the reader has closed its end, or writing failed. */
  readonly isClosed: boolean;
  /** Why writing failed, such as ENOSPC; undefined when it did not, and when the reader just went away. */
  readonly failure: string | undefined;
}

/** Wraps a write of foreign code: must call it, once. */
export type AroundWrite = (write: () => boolean, text: string) => boolean;

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  /**
   * From now on, whatever other code writes to standard output or the console goes to standard error; `stdout`
   * above keeps its way out. For commands that load somebody's code. `around` is called for each such write, so
   * that a line which is being drawn on the terminal can make room for it; `mask` takes each piece of it and gives
   * back what may be shown.
   */
  divertForeignOutput(around?: AroundWrite, mask?: (piece: string) => string): void;
  /** From now on, calls the handler for a signal instead of ending the process. */
  onSignal(handler: (signal: StopSignal) => void): void;
  /** From now on, calls the handler for an error that nobody caught instead of ending the process. */
  onUncaught(handler: (error: unknown) => void): void;
  /** From now on, `process.exit` of code that is not the command line's calls the handler, and throws. */
  onForeignExit(handler: (code: unknown) => void): void;
}

/** What the process ends with after a signal. */
export const SIGNAL_EXIT: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

export const EXIT_OK = 0;
/** The thing that was checked or run failed. */
export const EXIT_FAILED = 1;
/** Usage, configuration, or a fault of our own. */
export const EXIT_USAGE = 2;
