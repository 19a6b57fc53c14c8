// The parent's end of a driver process: a `DesktopSession`. Whatever becomes of that process, nothing stays
// held: when it dies or does not answer in time, it is killed and a second process releases what is down.
import { Buffer } from "node:buffer";
import { abortReason, raceAbort } from "../../../base/abort.js";
import { deadline } from "../../../base/clock.js";
import type { DriverAction, Released } from "../../../contract/driver-protocol.js";
import { type Size, wholeOf } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { DesktopSession, Performed, PerformOptions } from "../../cap/desktop-port.js";
import { type PermittedAction, requirePermitted } from "../../cap/permitted.js";
import { ActionQueue, DEFAULT_DEADLINE_MS, ownDurationMs } from "./action-queue.js";
import {
  type DriverAnswer,
  type DriverCall,
  DriverLink,
  type DriverProgram,
  type DriverReady,
  runReleaser,
} from "./driver-link.js";
import { requirePng } from "./png.js";

const OPEN_MS = 20_000;
/** What a cancelled action may still take: programs must read what was typed before borrowed keys go back. */
const CANCEL_MS = 8000;
const RELEASE_MS = 8000;
const CLOSE_MS = 5000;

/** Opens the display in a driver process of its own. */
export async function openDriverSession(
  kind: string,
  program: DriverProgram,
  signal?: AbortSignal,
): Promise<DriverSession> {
  const link = new DriverLink(program);
  const late = new DriverError("E_BACKEND", `the driver was not ready within ${OPEN_MS} ms`, 0);
  const limit = deadline(OPEN_MS, late, signal);
  try {
    const ready = await link.process.holding(raceAbort(link.ready, limit.signal));
    return new DriverSession(kind, link, ready);
  } catch (error) {
    link.process.kill();
    throw error;
  } finally {
    limit.clear();
  }
}

export class DriverSession implements DesktopSession {
  readonly kind: string;
  readonly serverId: string;
  readonly size: Size;
  readonly released: Released;
  readonly lost: Promise<string>;
  readonly #link: DriverLink;
  readonly #queue = new ActionQueue();
  #recovery: Promise<Released> | undefined;
  #closing: Promise<void> | undefined;
  #settleLost: (reason: string) => void = () => {};

  constructor(kind: string, link: DriverLink, ready: DriverReady) {
    this.kind = kind;
    this.#link = link;
    this.serverId = ready.serverId;
    this.size = ready.size;
    this.released = ready.released;
    this.lost = new Promise((resolve) => {
      this.#settleLost = resolve;
    });
    void link.ended.then(async (error) => {
      if (this.#closing) return;
      await this.#recover().catch(() => {});
      this.#settleLost(error.message);
    });
  }

  /** The driver process, for tests that kill it. */
  get driverPid(): number | undefined {
    return this.#link.process.pid;
  }

  perform(token: PermittedAction, options: PerformOptions = {}): Promise<Performed> {
    let action: DriverAction;
    try {
      action = requirePermitted(token);
    } catch (error) {
      return Promise.reject(error);
    }
    const deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS + ownDurationMs(action);
    return this.#queue.run(async () => {
      const answer = await this.#call({ method: "perform", action, deadlineMs }, deadlineMs, options.signal);
      if (answer.type !== "result") throw unexpected(answer);
      const { result } = answer;
      if (result.kind !== "frame") return result;
      const png = new Uint8Array(Buffer.from(result.png, "base64"));
      const asked = action.kind === "capture" ? (action.region ?? wholeOf(this.size)) : this.size;
      requirePng(png, asked);
      return { kind: "frame", png, size: { width: asked.width, height: asked.height } };
    }, options.signal);
  }

  settle(quietMs: number, maxMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#queue.run(async () => {
      const answer = await this.#call({ method: "settle", quietMs, maxMs }, maxMs + CANCEL_MS, signal);
      if (answer.type !== "settled") throw unexpected(answer);
      return answer.quiet;
    }, signal);
  }

  async #call(request: DriverCall, deadlineMs: number, signal?: AbortSignal): Promise<DriverAnswer> {
    this.#requireOpen();
    if (this.#link.isEnded) throw await this.#deadDriver(0);
    const asked = this.#link.ask(request);
    const late = new Error("deadline");
    const limit = deadline(deadlineMs, late, signal);
    try {
      const answer = await raceAbort(asked.answer, limit.signal);
      if (answer.type === "error") {
        const { code, message, events } = answer.failure;
        throw new DriverError(code, message, events);
      }
      return answer;
    } catch (error) {
      if (limit.signal.aborted && limit.signal.reason === late)
        throw await this.#overdue(deadlineMs, asked.events());
      if (signal?.aborted && error === abortReason(signal)) return await this.#cancelled(asked, error);
      if (this.#link.isEnded) throw await this.#deadDriver(asked.events());
      throw error;
    } finally {
      limit.clear();
    }
  }

  /** Stops the action between two events and waits until it let go of what it holds. */
  async #cancelled(asked: ReturnType<DriverLink["ask"]>, cause: unknown): Promise<DriverAnswer> {
    this.#link.cancel(asked.id);
    const limit = deadline(CANCEL_MS, new Error("deadline"));
    try {
      const answer = await raceAbort(asked.answer, limit.signal);
      // Finished before the cancel arrived: it happened, and that is the truth.
      if (answer.type !== "error") return answer;
      const { code, message, events } = answer.failure;
      throw new DriverError(code, message, events, { cause });
    } catch (error) {
      if (error instanceof DriverError && !this.#link.isEnded) throw error;
      if (this.#link.isEnded) throw await this.#deadDriver(asked.events());
      throw await this.#overdue(CANCEL_MS, asked.events());
    } finally {
      limit.clear();
    }
  }

  async #overdue(ms: number, events: number): Promise<DriverError> {
    this.#link.process.kill();
    const released = await this.#recover().then(
      () => "what it held is released",
      (error: unknown) => `what it held may still be down: ${error instanceof Error ? error.message : ""}`,
    );
    return events === 0
      ? new DriverError(
          "E_BACKEND",
          `the driver did not answer within ${ms} ms, before any event; ${released}`,
          0,
        )
      : new DriverError(
          "E_INDETERMINATE",
          `the driver did not answer within ${ms} ms, after at most ${events} events; ${released}`,
          events,
        );
  }

  /** What to report when the driver process has ended by itself; what it held is released first. */
  async #deadDriver(events: number): Promise<DriverError> {
    const ended = await this.#link.ended;
    try {
      await this.#recover();
      return new DriverError(ended.code, ended.message, events, { cause: ended });
    } catch (error) {
      return new DriverError(
        "E_DISPLAY_LOST",
        `${ended.message}; the display does not answer: ${error instanceof Error ? error.message : ""}`,
        events,
        { cause: ended },
      );
    }
  }

  async releaseAll(): Promise<Released> {
    if (!this.#link.isEnded) {
      const asked = this.#link.ask({ method: "releaseAll" });
      const limit = deadline(RELEASE_MS, new Error("deadline"));
      try {
        const answer = await raceAbort(asked.answer, limit.signal);
        if (answer.type === "released") return answer.released;
      } catch {
        // Whatever kept it from answering, the second process below does the work.
      } finally {
        limit.clear();
      }
      this.#link.process.kill();
    }
    return this.#recover();
  }

  /** Ends the driver's process for certain and releases everything by another one. */
  #recover(): Promise<Released> {
    this.#recovery ??= this.#link.ended.then(() => runReleaser(this.#link.program));
    // A display that did not answer may do so later: then it is tried again.
    this.#recovery.catch(() => {
      this.#recovery = undefined;
    });
    return this.#recovery;
  }

  #requireOpen(): void {
    if (this.#closing) throw new DriverError("E_STATE", "the desktop session was closed", 0);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#link.isEnded) {
      await this.#recover().catch(() => {});
      return;
    }
    this.#link.process.send({ id: Number.MAX_SAFE_INTEGER, method: "close" });
    this.#link.process.finish();
    const limit = deadline(CLOSE_MS, new Error("deadline"));
    try {
      await this.#link.process.holding(raceAbort(this.#link.ended, limit.signal));
    } catch {
      this.#link.process.kill();
      await this.#recover().catch(() => {});
    } finally {
      limit.clear();
    }
  }
}

function unexpected(answer: DriverAnswer): DriverError {
  return new DriverError("E_BACKEND", `the driver answered with ${answer.type}`, 0);
}
