// The run's end of a keeper. The keeper cleans up after the run; should the keeper itself be killed, the run cleans
// up after it.
import { rmSync } from "node:fs";
import { raceAbort } from "../../../base/abort.js";
import { deadline, systemClock } from "../../../base/clock.js";
import { ConfigurationError, DriverError } from "../../../diagnostics/errors.js";
import { helperEnvironment, LineProcess } from "../session/line-process.js";
import {
  type KeeperReply,
  type KeeperRequest,
  type KeeperStart,
  keeperReplySchema,
} from "./keeper-protocol.js";
import {
  findMarked,
  makeFolder,
  removeSocket,
  type SocketFile,
  signalAll,
  sweepAbandoned,
} from "./leftovers.js";

const ENTRY = new URL("./keeper-process.js", import.meta.url);
const START_MS = 40_000;
const STOP_MS = 10_000;
const SWEEP_ROUNDS = 40;
const SWEEP_MS = 25;

export interface AppEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A program on a virtual display. */
export interface App {
  readonly pid: number;
  /** Settles when the program has ended. Whoever reads it keeps this process alive until then. */
  readonly ended: Promise<AppEnd>;
}

interface PendingApp {
  readonly started: (pid: number) => void;
  readonly failed: (message: string) => void;
  readonly ended: (end: AppEnd) => void;
}

export class Keeper {
  readonly folder: string;
  /** Settles when the display is gone without `stop`, with the reason, after everything of it was removed. */
  readonly lost: Promise<string>;
  readonly process: LineProcess;
  readonly #apps = new Map<number, PendingApp>();
  #nextId = 1;
  #display = "";
  #server = 0;
  #socket: SocketFile | undefined;
  #lostReason: string | undefined;
  #failure: { code: "E_BACKEND" | "E_UNSUPPORTED"; message: string } | undefined;
  #settleReady: () => void = () => {};
  readonly #ready: Promise<void>;
  #stopping: Promise<void> | undefined;

  private constructor(appOutput: number | "ignore") {
    sweepAbandoned();
    this.folder = makeFolder();
    this.#ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    this.process = new LineProcess({
      entry: ENTRY,
      env: helperEnvironment({}),
      extra: appOutput,
      onLine: (line) => this.#take(line),
    });
    this.lost = this.process.ended.then(async () => {
      await this.#sweep();
      for (const app of this.#apps.values()) {
        app.failed("its display is gone");
        app.ended({ code: null, signal: null });
      }
      return this.#lostReason ?? `the display's keeper ended${this.#complaint()}`;
    });
  }

  static async start(
    wanted: Omit<KeeperStart, "folder">,
    appOutput: number | "ignore",
    signal?: AbortSignal,
  ): Promise<Keeper> {
    const keeper = new Keeper(appOutput);
    keeper.process.send({ ...wanted, folder: keeper.folder });
    const late = new DriverError("E_BACKEND", `the display was not ready within ${START_MS} ms`, 0);
    const limit = deadline(START_MS, late, signal);
    try {
      const gone = keeper.lost.then((reason) => {
        const { code, message } = keeper.#failure ?? { code: "E_BACKEND", message: reason };
        throw code === "E_UNSUPPORTED"
          ? new ConfigurationError(code, message)
          : new DriverError(code, `cannot start a virtual display: ${message}`, 0);
      });
      await keeper.process.holding(raceAbort(Promise.race([keeper.#ready, gone]), limit.signal));
      gone.catch(() => {});
      return keeper;
    } catch (error) {
      await keeper.stop();
      throw error;
    } finally {
      limit.clear();
    }
  }

  get display(): string {
    return this.#display;
  }

  get authority(): string {
    return `${this.folder}/authority`;
  }

  get server(): number {
    return this.#server;
  }

  #complaint(): string {
    const { complaint } = this.process;
    return complaint === "" ? "" : `: ${complaint}`;
  }

  #take(line: string): void {
    let message: KeeperReply;
    try {
      message = keeperReplySchema.parse(JSON.parse(line));
    } catch {
      this.#lostReason ??= "the display's keeper wrote what is no reply";
      this.process.kill();
      return;
    }
    switch (message.type) {
      case "ready":
        this.#display = message.display;
        this.#server = message.server;
        this.#socket = message.socket;
        this.#settleReady();
        break;
      case "failed":
        this.#failure ??= message;
        break;
      case "lost":
        this.#lostReason ??= message.message;
        break;
      case "app":
        this.#apps.get(message.id)?.started(message.pid);
        break;
      case "appFailed":
        this.#apps.get(message.id)?.failed(message.message);
        break;
      case "appEnded":
        this.#apps.get(message.id)?.ended({ code: message.code, signal: message.signal });
        break;
    }
  }

  /** Starts a program and waits until it shows a window; fails when it does not. */
  startApp(request: Omit<KeeperRequest, "id" | "method">): Promise<App> {
    const id = this.#nextId++;
    const program = request.argv[0] ?? "";
    let settleEnd: (end: AppEnd) => void = () => {};
    const ended = new Promise<AppEnd>((resolve) => {
      settleEnd = resolve;
    });
    const started = new Promise<App>((resolve, reject) => {
      this.#apps.set(id, {
        started: (pid) => resolve(this.#appOf(pid, ended)),
        failed: (why) => reject(new DriverError("E_BACKEND", `cannot start ${program}: ${why}`, 0)),
        ended: settleEnd,
      });
    });
    this.process.send({ id, method: "startApp", ...request });
    return this.process.holding(started);
  }

  #appOf(pid: number, ended: Promise<AppEnd>): App {
    const hold = () => this.process.holding(ended);
    return {
      pid,
      get ended() {
        return hold();
      },
    };
  }

  /** Ends the display and everything on it. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.process.finish();
    const limit = deadline(STOP_MS, new Error("deadline"));
    try {
      await this.process.holding(raceAbort(this.lost, limit.signal));
    } catch {
      this.process.kill();
      await this.process.holding(this.lost);
    } finally {
      limit.clear();
    }
  }

  /** Removes what a killed keeper left behind; after an orderly end there is nothing. */
  async #sweep(): Promise<void> {
    for (let round = 0; round < SWEEP_ROUNDS; round++) {
      const left = findMarked(this.folder);
      if (left.length === 0) break;
      signalAll(left, round < 4 ? "SIGTERM" : "SIGKILL");
      await systemClock.sleep(SWEEP_MS);
    }
    if (this.#socket) removeSocket(this.#socket, this.#server);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
