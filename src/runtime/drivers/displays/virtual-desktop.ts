// A private display: an X server of the declared size that only this run can reach, a window manager, the programs
// asked for, and an X11 driver. It ends with the run, however the run ends.
import process from "node:process";
import type { Released } from "../../../contract/driver-protocol.js";
import { type Size, sizeSchema } from "../../../contract/geometry.js";
import { ConfigurationError, DriverError } from "../../../diagnostics/errors.js";
import type {
  Desktop,
  DesktopSession,
  OpenOptions,
  Performed,
  PerformOptions,
} from "../../cap/desktop-port.js";
import type { PermittedAction } from "../../cap/permitted.js";
import { nutOnX11Program } from "../nut/program.js";
import { type DriverSession, openDriverSession } from "../session/driver-session.js";
import { x11Program } from "../x11/program.js";
import { appEnvironment } from "./app-environment.js";
import type { HostDriver } from "./host-desktop.js";
import { type App, Keeper } from "./keeper.js";
import { requirePrograms } from "./program-path.js";

const WINDOW_MS = 20_000;

/** A program to start on the display. */
export interface AppOptions {
  /** The program and its arguments; no shell is involved. */
  readonly argv: readonly string[];
  /** Beyond the environment that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether to wait until the program shows a window; true unless told. */
  readonly awaitWindow?: boolean;
}

/** What a private display starts with. */
export interface VirtualDesktopOptions {
  /** Programs started, in order, before the session is handed over. */
  readonly apps?: readonly AppOptions[];
  /**
   * Where programs write: our standard error unless told, escaped line by line; nothing; or a file descriptor of
   * ours, as it is.
   */
  readonly appOutput?: "inherit" | "ignore" | number;
  /** An XKB layout such as `de` or `us,ru`; the server's own unless told. */
  readonly layout?: string;
  /** What drives the display: `x11` unless told. */
  readonly driver?: HostDriver;
}

/** A session on a private display, with what programs of the same run need to reach it. */
export interface VirtualSession extends DesktopSession {
  readonly kind: "virtual";
  /** The display's name, such as `:3`. */
  readonly display: string;
  /** The file with its cookie. */
  readonly authority: string;
  /** Process ids of the keeper, the X server and the driver. */
  readonly processes: { readonly keeper: number; readonly server: number; readonly driver: number };
  /** Starts a program on the display. */
  startApp(options: AppOptions): Promise<App>;
}

/** Opens private X displays of this machine. */
export interface VirtualDesktop extends Desktop {
  readonly kind: "virtual";
  open(options: OpenOptions): Promise<VirtualSession>;
}

/** A private X display for each run: its own server, its own cookie, gone at the end. Linux only. */
export function virtualDesktop(options: VirtualDesktopOptions = {}): VirtualDesktop {
  return {
    kind: "virtual",
    async open({ size: viewport, display: declared, signal }) {
      signal?.throwIfAborted();
      const size = declared ?? viewport;
      requireLinux();
      requirePrograms(["Xvfb", "openbox"]);
      const escapeOutput = (options.appOutput ?? "inherit") === "inherit";
      const program = options.driver === "nut" ? nutOnX11Program : x11Program;
      const wanted = { size: sizeSchema.parse(size), escapeOutput, ...layoutOf(options) };
      const keeper = await Keeper.start(wanted, outputOf(options), signal);
      try {
        const address = { display: keeper.display, authority: keeper.authority };
        const driver = await openDriverSession("virtual", program(address), signal);
        const session = new Session(keeper, driver);
        try {
          requireSize(driver.size, size);
          for (const app of options.apps ?? []) {
            signal?.throwIfAborted();
            await session.startApp(app);
          }
          return session;
        } catch (error) {
          await driver.close();
          throw error;
        }
      } catch (error) {
        await keeper.stop();
        throw error;
      }
    },
  };
}

function requireLinux(): void {
  if (process.platform === "linux") return;
  throw new ConfigurationError(
    "E_UNSUPPORTED",
    `the virtual desktop needs Linux with Xvfb, this is ${process.platform}: use the fake desktop`,
  );
}

function layoutOf({ layout }: VirtualDesktopOptions): { layout?: string } {
  if (layout === undefined) return {};
  requirePrograms(["setxkbmap"]);
  return { layout };
}

function outputOf({ appOutput = "inherit" }: VirtualDesktopOptions): number | "ignore" {
  return appOutput === "inherit" ? 2 : appOutput;
}

function requireSize(found: Size, wanted: Size): void {
  if (found.width === wanted.width && found.height === wanted.height) return;
  throw new DriverError(
    "E_ENV_DRIFT",
    `the virtual display has ${found.width} × ${found.height} pixels instead of ${wanted.width} × ${wanted.height}`,
    0,
  );
}

class Session implements VirtualSession {
  readonly kind = "virtual";
  readonly lost: Promise<string>;
  readonly #keeper: Keeper;
  readonly #driver: DriverSession;
  #closing: Promise<void> | undefined;

  constructor(keeper: Keeper, driver: DriverSession) {
    this.#keeper = keeper;
    this.#driver = driver;
    this.lost = new Promise((resolve) => {
      const unlessClosed = (reason: string) => {
        if (!this.#closing) resolve(reason);
      };
      void keeper.lost.then(unlessClosed);
      void driver.lost.then(unlessClosed);
    });
  }

  get serverId(): string {
    return this.#driver.serverId;
  }

  get size(): Size {
    return this.#driver.size;
  }

  get released(): Released {
    return this.#driver.released;
  }

  get display(): string {
    return this.#keeper.display;
  }

  get authority(): string {
    return this.#keeper.authority;
  }

  get processes() {
    return {
      keeper: this.#keeper.process.pid ?? 0,
      server: this.#keeper.server,
      driver: this.#driver.driverPid ?? 0,
    };
  }

  startApp({ argv, env = {}, cwd = process.cwd(), awaitWindow = true }: AppOptions): Promise<App> {
    if (argv.length === 0) {
      throw new ConfigurationError("E_SPEC", "a program needs at least its name in argv");
    }
    return this.#keeper.startApp({
      argv: [...argv],
      env: appEnvironment(process.env, { DISPLAY: this.display, XAUTHORITY: this.authority }, env),
      cwd,
      windowMs: awaitWindow ? WINDOW_MS : 0,
    });
  }

  perform(action: PermittedAction, options?: PerformOptions): Promise<Performed> {
    return this.#driver.perform(action, options);
  }

  settle(quietMs: number, maxMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#driver.settle(quietMs, maxMs, signal);
  }

  releaseAll(): Promise<Released> {
    return this.#driver.releaseAll();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#driver.close();
    } finally {
      await this.#keeper.stop();
    }
  }
}
