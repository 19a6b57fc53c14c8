// What may end a run from outside: a signal, an error that the agent's code let loose, its call of `process.exit`, or
// that nobody reads on. The first one counts.
import { describeValue, escapeText } from "../../base/escape.js";
import type { CliIo, StopSignal } from "../io.js";

export type StopCause =
  | { readonly kind: "signal"; readonly signal: StopSignal }
  | { readonly kind: "uncaught"; readonly message: string }
  | { readonly kind: "exit"; readonly code: string }
  | { readonly kind: "unwatched" };

/** Listens from its making to the end of the process: what comes after the run's end changes nothing any more. */
export class StopRequest {
  readonly #controller = new AbortController();
  #cause: StopCause | undefined;

  constructor(io: CliIo) {
    io.onSignal((signal) => this.#request({ kind: "signal", signal }));
    io.onUncaught((error) => {
      const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.#request({ kind: "uncaught", message: escapeText(message) });
    });
    io.onForeignExit((code) => this.#request({ kind: "exit", code: describeValue(code ?? 0) }));
  }

  get cause(): StopCause | undefined {
    return this.#cause;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whoever read the progress has gone away. */
  noteUnwatched(): void {
    this.#request({ kind: "unwatched" });
  }

  #request(cause: StopCause): void {
    this.#cause ??= cause;
    this.#controller.abort(new Error(describeCause(this.#cause)));
  }
}

/** Why the run was stopped, for the trace and for people. */
export function describeCause(cause: StopCause): string {
  switch (cause.kind) {
    case "signal":
      return `the command line received ${cause.signal}`;
    case "uncaught":
      return `the agent's code threw an error that nothing caught: ${cause.message}`;
    case "exit":
      return `the agent's code called process.exit(${cause.code})`;
    case "unwatched":
      return "whoever read the output has closed it";
  }
}
