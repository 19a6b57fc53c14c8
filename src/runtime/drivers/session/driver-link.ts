// The pipe to a driver process: numbered requests out, checked replies in. A process that writes anything else is
// killed, since it is not the driver.
import { raceAbort } from "../../../base/abort.js";
import { deadline } from "../../../base/clock.js";
import {
  type DriverReply,
  type DriverRequest,
  driverReplySchema,
  type Released,
} from "../../../contract/driver-protocol.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { helperEnvironment, LineProcess } from "./line-process.js";

const RELEASE_MS = 4000;

/** What to start as a driver process, and what to start when that one is dead and something may still be held. */
export interface DriverProgram {
  readonly serve: Entry;
  readonly release: Entry;
  /** What both see of the environment, besides what every helper process gets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Entry {
  readonly file: URL;
  readonly args: readonly string[];
}

export type DriverCall = DriverRequest extends infer R
  ? R extends { id: number }
    ? Omit<R, "id">
    : never
  : never;
export type DriverAnswer = Exclude<DriverReply, { type: "ready" | "failed" | "progress" }>;

interface Waiting {
  readonly settle: (answer: DriverAnswer) => void;
  readonly fail: (error: unknown) => void;
  events: number;
}

export type DriverReady = Extract<DriverReply, { type: "ready" }>;

export class DriverLink {
  readonly process: LineProcess;
  readonly ready: Promise<DriverReady>;
  readonly program: DriverProgram;
  /** Settles when the process has ended, with what it is to be reported as. */
  readonly ended: Promise<DriverError>;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #settleReady: (ready: DriverReady) => void = () => {};
  #failReady: (error: DriverError) => void = () => {};
  #failure: DriverError | undefined;
  #isEnded = false;

  constructor(program: DriverProgram) {
    this.program = program;
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = resolve;
      this.#failReady = reject;
    });
    this.ready.catch(() => {});
    this.process = new LineProcess({
      entry: program.serve.file,
      args: program.serve.args,
      env: helperEnvironment(program.env),
      onLine: (line) => this.#take(line),
    });
    this.ended = this.process.ended.then(({ code, signal }) => {
      this.#isEnded = true;
      const complaint = this.process.complaint;
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      this.#failure ??= new DriverError(
        "E_BACKEND",
        `the driver process ended ${how}${complaint === "" ? "" : `: ${complaint}`}`,
        0,
      );
      this.#failReady(this.#failure);
      return this.#failure;
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  #take(line: string): void {
    const reply = parseReply(line);
    if (!reply) {
      this.#failure ??= new DriverError("E_BACKEND", "the driver process wrote what is no reply", 0);
      this.process.kill();
      return;
    }
    if (reply.type === "ready") {
      this.#settleReady(reply);
      return;
    }
    if (reply.type === "failed") {
      const { code, message, events } = reply.failure;
      this.#failure ??= new DriverError(code, message, events);
      this.#failReady(this.#failure);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    if (reply.type === "progress") {
      waiting.events = reply.events;
      return;
    }
    this.#waiting.delete(reply.id);
    waiting.settle(reply);
  }

  /** Sends a request. `events` tells how many events it has announced. */
  ask(request: DriverCall): {
    readonly id: number;
    readonly answer: Promise<DriverAnswer>;
    events(): number;
  } {
    const id = this.#nextId++;
    let waiting: Waiting | undefined;
    const answer = new Promise<DriverAnswer>((settle, fail) => {
      waiting = { settle, fail, events: 0 };
      this.#waiting.set(id, waiting);
    });
    answer.catch(() => {});
    this.process.send({ id, ...request });
    void this.ended.then((error) => waiting?.fail(error));
    return { id, answer: this.process.holding(answer), events: () => waiting?.events ?? 0 };
  }

  cancel(target: number): void {
    this.process.send({ id: this.#nextId++, method: "cancel", target });
  }
}

function parseReply(line: string): DriverReply | undefined {
  try {
    const parsed = driverReplySchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Lets everything go on a display whose driver is dead. */
export async function runReleaser({ release, env }: DriverProgram): Promise<Released> {
  let released: Released | undefined;
  let failure = "";
  const releaser = new LineProcess({
    entry: release.file,
    args: release.args,
    env: helperEnvironment(env),
    onLine(line) {
      const reply = parseReply(line);
      if (reply?.type === "released") released = reply.released;
      if (reply?.type === "failed") failure = reply.failure.message;
    },
  });
  const limit = deadline(RELEASE_MS, new DriverError("E_BACKEND", "the display does not answer", 0));
  try {
    await releaser.holding(raceAbort(releaser.ended, limit.signal));
  } catch (error) {
    releaser.kill();
    throw error;
  } finally {
    limit.clear();
  }
  if (!released)
    throw new DriverError("E_BACKEND", failure || releaser.complaint || "the releaser failed", 0);
  return released;
}
