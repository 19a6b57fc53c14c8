// One connection to an X server. Requests go out in order; an X error rejects the request that caused it and never
// ends the process; when the server goes away, `lost` settles and everything that waits is rejected.
import { Buffer } from "node:buffer";
import { raceAbort } from "../../../base/abort.js";
import { deadline } from "../../../base/clock.js";
import { escapeText } from "../../../base/escape.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { core } from "./requests.js";
import {
  loadX11,
  type X11Client,
  type X11Display,
  type X11Done,
  type X11Error,
  type X11Reply,
} from "./x11-package.js";

interface RawRequests {
  send(bytes: Buffer, done: X11Done<undefined>): void;
  ask(bytes: Buffer, done: X11Done<X11Reply>): void;
}

const TEMPLATES = {
  send: [(bytes: Buffer) => bytes],
  ask: [(bytes: Buffer) => bytes, (body: Buffer, detail: number): X11Reply => ({ body, detail })],
};

const CONNECT_MS = 10_000;
/** A display's port is 6000 and its number. */
const LAST_DISPLAY = 0xffff - 6000;

export interface Extension {
  readonly opcode: number;
  readonly firstEvent: number;
}

export function displayLost(why: string): DriverError {
  return new DriverError("E_DISPLAY_LOST", `the X server is gone: ${why}`, 0);
}

function describe(error: X11Error): DriverError {
  if (error.error === undefined) return displayLost(escapeText(error.message));
  return new DriverError(
    "E_BACKEND",
    `X error ${error.error} (${escapeText(error.message)}) of request ${error.majorOpcode ?? 0}.${error.minorOpcode ?? 0}, value ${error.badParam ?? 0}`,
    0,
    { cause: error },
  );
}

export class XConnection {
  readonly display: X11Display;
  /** Settles when the connection has ended, with the reason. */
  readonly lost: Promise<string>;
  readonly #client: X11Client;
  readonly #raw: RawRequests;
  readonly #gone = new AbortController();
  readonly #atoms = new Map<string, number>();
  #failed: DriverError | undefined;
  readonly #listeners = new Map<number, (event: Buffer) => void>();
  #settleLost: (reason: string) => void = () => {};

  private constructor(client: X11Client, display: X11Display) {
    this.#client = client;
    this.display = display;
    this.lost = new Promise((resolve) => {
      this.#settleLost = resolve;
    });
    const raw: Partial<RawRequests> = {};
    client.importRequestsFromTemplates(raw, TEMPLATES);
    // The package's request functions read their table from `this`, which is the client.
    const { send, ask } = raw as RawRequests;
    this.#raw = { send: send.bind(client), ask: ask.bind(client) };
    client.on("error", (error: X11Error) => {
      // An error of the stream has no X error code: the connection is gone.
      if (error.error === undefined) this.#end(escapeText(error.message));
      else this.#failed ??= describe(error);
    });
    client.on("end", () => this.#end("it closed the connection"));
    client.on("event", (event: { readonly rawData?: Buffer }) => {
      // The top bit marks events that another client made up; they count as the event they claim to be.
      if (event.rawData) this.#listeners.get(event.rawData.readUInt8(0) & 0x7f)?.(event.rawData);
    });
  }

  /** Connects to the display with the cookie of XAUTHORITY. */
  static open(display: string): Promise<XConnection> {
    if (Number(/:(\d+)/.exec(display)?.[1] ?? 0) > LAST_DISPLAY) {
      const why = `there is no display above :${LAST_DISPLAY}`;
      return Promise.reject(
        new DriverError("E_BACKEND", `cannot open display ${escapeText(display)}: ${why}`, 0),
      );
    }
    const x11 = loadX11();
    const late = new DriverError(
      "E_BACKEND",
      `display ${escapeText(display)} did not answer in ${CONNECT_MS} ms`,
      0,
    );
    const limit = deadline(CONNECT_MS, late);
    let client: X11Client | undefined;
    const opened = new Promise<XConnection>((resolve, reject) => {
      const options = { display, bufferRequests: true, disableBigRequests: true, shm: false } as const;
      client = x11.createClient(options, (error, info) => {
        if (error || !info) {
          const why = escapeText(error?.message ?? "no reason given");
          reject(new DriverError("E_BACKEND", `cannot open display ${escapeText(display)}: ${why}`, 0));
        } else resolve(new XConnection(info.client, info));
      });
      client.on("error", () => {});
    });
    return raceAbort(opened, limit.signal)
      .catch((error) => {
        client?.stream?.destroy();
        throw error;
      })
      .finally(limit.clear);
  }

  get root(): number {
    return this.#screen().root;
  }

  #screen() {
    const screen = this.display.screen[0];
    if (!screen) throw new DriverError("E_BACKEND", "the X server has no screen", 0);
    return screen;
  }

  get rootDepth(): number {
    return this.#screen().root_depth;
  }

  /** Whether the connection has ended. */
  get isLost(): boolean {
    return this.#gone.signal.aborted;
  }

  /** Sets the listener for events of a type. */
  onEvent(type: number, listener: (event: Buffer) => void): void {
    this.#listeners.set(type, listener);
  }

  /** Sends a request that has no reply; `sync` tells whether it failed. */
  send(bytes: Buffer): void {
    if (this.isLost) return;
    this.#raw.send(bytes, (error) => {
      if (error) this.#failed ??= describe(error);
      return true;
    });
  }

  /** Sends a request and gives its reply. */
  ask(bytes: Buffer): Promise<X11Reply> {
    if (this.isLost) return Promise.reject(this.#gone.signal.reason);
    const reply = new Promise<X11Reply>((resolve, reject) => {
      this.#raw.ask(bytes, (error, value) => {
        if (error) reject(describe(error));
        else if (value) resolve(value);
        return true;
      });
    });
    return raceAbort(reply, this.#gone.signal);
  }

  /** Waits until the server has worked off everything sent so far; fails when any of it failed. */
  async sync(): Promise<void> {
    await this.ask(core.getInputFocus());
    const failed = this.#failed;
    this.#failed = undefined;
    if (failed) throw failed;
  }

  async atom(name: string): Promise<number> {
    const known = this.#atoms.get(name);
    if (known !== undefined) return known;
    const { body } = await this.ask(core.internAtom(name));
    const atom = body.readUInt32LE(0);
    this.#atoms.set(name, atom);
    return atom;
  }

  /** The data of a property; undefined when it is not set. */
  async property(window: number, name: string): Promise<Buffer | undefined> {
    const { body, detail } = await this.ask(core.getProperty(window, await this.atom(name)));
    const length = body.readUInt32LE(8) * (detail / 8);
    return detail === 0 ? undefined : Buffer.from(body.subarray(24, 24 + length));
  }

  async extension(name: string): Promise<Extension> {
    const { body } = await this.ask(core.queryExtension(name));
    if (body.readUInt8(0) === 0) {
      throw new DriverError("E_UNSUPPORTED", `the X server has no ${name} extension`, 0);
    }
    return { opcode: body.readUInt8(1), firstEvent: body.readUInt8(2) };
  }

  newId(): number {
    return this.#client.AllocID();
  }

  close(): void {
    if (this.isLost) return;
    this.#end("the connection was closed");
    this.#client.terminate();
  }

  #end(reason: string): void {
    if (this.isLost) return;
    this.#gone.abort(displayLost(reason));
    this.#settleLost(reason);
  }
}
