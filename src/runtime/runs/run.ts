/// <reference lib="esnext.disposable" preserve="true" />
// A started run as host code holds it: awaitable, watchable, stoppable.
import type { RunEvent } from "../dispatch/run-event.js";
import type { EventStream } from "./event-stream.js";
import type { RunResult } from "./run-result.js";

/** What a run can be told. */
export interface RunCommands {
  pause(reason: string): Promise<void>;
  resume(reason: string): Promise<void>;
  stop(reason: string): Promise<void>;
}

/** A run. Awaiting it gives its result and never rejects; disposing of it stops it and waits for its end. */
export class Run<Value = unknown> implements PromiseLike<RunResult<Value>>, AsyncDisposable {
  readonly #result: Promise<RunResult<Value>>;
  readonly #commands: RunCommands;
  /** Everything that happens, from the start; ends with the run. */
  readonly events: AsyncIterable<RunEvent>;

  /** @internal Runs come from `launch`. */
  constructor(result: Promise<RunResult<Value>>, events: EventStream<RunEvent>, commands: RunCommands) {
    this.#result = result;
    this.#commands = commands;
    this.events = events;
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is awaitable by design.
  then<Fulfilled = RunResult<Value>, Rejected = never>(
    onFulfilled?: ((result: RunResult<Value>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#result.then(onFulfilled, onRejected);
  }

  /** Holds the run before its next action, and lets go of everything held. */
  pause(reason = "paused by the host"): Promise<void> {
    return this.#commands.pause(reason);
  }

  /** Goes on; what was decided before the pause is decided anew. */
  resume(reason = "resumed by the host"): Promise<void> {
    return this.#commands.resume(reason);
  }

  /** Ends the run: no event reaches the display once this has resolved. Idempotent. */
  async stop(reason = "stopped by the host"): Promise<void> {
    await this.#commands.stop(reason);
    await this.#result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("disposed of");
  }
}
