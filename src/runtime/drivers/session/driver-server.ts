// The driver process's end of the protocol: one JSON line in, one out. A line that is not a request of the protocol
// ends the service, since the other end is not who it should be. Input ended means that the parent is gone.
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { escapeText } from "../../../base/escape.js";
import {
  type DriverAction,
  type DriverFailure,
  type DriverReply,
  type DriverRequest,
  type DriverResult,
  driverFailureCodeSchema,
  driverRequestSchema,
  type Released,
} from "../../../contract/driver-protocol.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { ActionQueue } from "./action-queue.js";

/** What a driver process serves. */
export interface ServedDriver {
  /** `announce` is told, before events are sent, how many there will be in all. */
  perform(
    action: DriverAction,
    signal: AbortSignal,
    announce: (events: number) => void,
  ): Promise<DriverResult>;
  settle(
    quietMs: number,
    maxMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly quiet: boolean; readonly waitedMs: number }>;
  releaseAll(): Promise<Released>;
}

/** Any error as a failure of the protocol. */
export function failureOf(error: unknown): DriverFailure {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
  const events = error instanceof DriverError ? error.events : 0;
  const code = driverFailureCodeSchema.safeParse(error instanceof Error && "code" in error ? error.code : "");
  return { code: code.success ? code.data : "E_BACKEND", message, events };
}

/**
 * Serves requests until the input ends or a `close` request comes.
 * @throws DriverError E_SCHEMA at a line that is no request.
 */
export async function serveDriver(
  driver: ServedDriver,
  input: Readable,
  reply: (message: DriverReply) => void,
): Promise<void> {
  const service = new Service(driver, reply);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) {
      if (line === "") continue;
      if (!service.take(parseRequest(line))) return;
    }
  } finally {
    service.cancelAll();
    lines.close();
    await service.idle();
  }
}

function parseRequest(line: string): DriverRequest {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new DriverError("E_SCHEMA", "a line to the driver is not JSON", 0);
  }
  const parsed = driverRequestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = escapeText((issue?.path ?? []).map(String).join("."));
  throw new DriverError(
    "E_SCHEMA",
    `a line to the driver is no request: ${where}: ${issue?.message ?? ""}`,
    0,
  );
}

class Service {
  readonly #driver: ServedDriver;
  readonly #reply: (message: DriverReply) => void;
  readonly #queue = new ActionQueue();
  readonly #running = new Map<number, AbortController>();

  constructor(driver: ServedDriver, reply: (message: DriverReply) => void) {
    this.#driver = driver;
    this.#reply = reply;
  }

  /** Takes a request; false when it asks to close. */
  take(request: DriverRequest): boolean {
    switch (request.method) {
      case "perform":
        this.#start(request.id, async (signal) => ({
          type: "result",
          id: request.id,
          result: await this.#driver.perform(request.action, signal, (events) =>
            this.#reply({ type: "progress", id: request.id, events }),
          ),
        }));
        return true;
      case "settle":
        this.#start(request.id, async (signal) => ({
          type: "settled",
          id: request.id,
          ...(await this.#driver.settle(request.quietMs, request.maxMs, signal)),
        }));
        return true;
      case "releaseAll":
        // Whatever is under way is over: it would press again what is released here.
        this.cancelAll();
        this.#start(request.id, async () => ({
          type: "released",
          id: request.id,
          released: await this.#driver.releaseAll(),
        }));
        return true;
      case "cancel":
        this.#running.get(request.target)?.abort(new Error("cancelled"));
        return true;
      case "close":
        this.cancelAll();
        this.#start(request.id, async () => ({ type: "done", id: request.id }));
        return false;
    }
  }

  #start(id: number, task: (signal: AbortSignal) => Promise<DriverReply>): void {
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#queue
      .run(() => task(controller.signal), controller.signal)
      .then(
        (message) => this.#reply(message),
        (error) => this.#reply({ type: "error", id, failure: failureOf(error) }),
      )
      .finally(() => this.#running.delete(id));
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort(new Error("cancelled"));
  }

  /** When everything taken so far was answered. */
  async idle(): Promise<void> {
    await this.#queue.run(async () => {});
  }
}
