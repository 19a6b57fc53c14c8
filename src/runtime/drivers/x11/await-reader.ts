// Programs look a key up when they read its event, not when it is sent. Before a lent keycode changes its meaning,
// the program must have read what was typed with the old one. A window that answers a ping proves it, since it reads
// in order; so does a local program that has come to rest. Of any other, only time can tell.
import { familyOf, findProcess, untilAtRest } from "./client-process.js";
import { core, EVENT_MASKS } from "./requests.js";
import type { ScreenWatch } from "./screen-watch.js";
import type { XDisplay } from "./x-display.js";

const CLIENT_MESSAGE = 33;
const CLIMB_MAX = 16;
const PONG_STEP_MS = 4;
const PONG_MS = 3000;
const REST_MS = 5000;
const LEAST_MS = 500;
const QUIET_MS = 100;
const QUIET_MAX_MS = 2000;

export class ReaderWait {
  readonly #display: XDisplay;
  readonly #watch: ScreenWatch;
  #serial = 1;
  #answered = 0;
  #listening = false;

  constructor(display: XDisplay, watch: ScreenWatch) {
    this.#display = display;
    this.#watch = watch;
  }

  /** Waits until the focused program has read all input sent so far, as far as that can be known. */
  async untilRead(pause: (ms: number) => Promise<void>): Promise<void> {
    await this.#display.connection.sync();
    const window = await this.#pingable();
    if (window !== undefined && (await this.#ping(window, pause))) return;
    if (await this.#atRest(pause)) return;
    await pause(LEAST_MS);
    await this.#watch.quiet(QUIET_MS, QUIET_MAX_MS);
  }

  /** Waits until the focused program and the server rest; false when they are not known or do not. */
  async #atRest(pause: (ms: number) => Promise<void>): Promise<boolean> {
    const { connection, root } = this.#display;
    const program = await findProcess(connection, await this.#display.focus());
    const server = await findProcess(connection, root);
    if (program === undefined || server === undefined) return false;
    return untilAtRest([server, ...familyOf(program)], REST_MS, pause);
  }

  /** The focused window, or the one around it, that says it answers pings. */
  async #pingable(): Promise<number | undefined> {
    const { connection, root } = this.#display;
    const ping = await connection.atom("_NET_WM_PING");
    let window = await this.#display.focus();
    for (let n = 0; n < CLIMB_MAX && window > 1 && window !== root; n++) {
      const protocols = await connection.property(window, "WM_PROTOCOLS").catch(() => undefined);
      for (let at = 0; protocols && at + 4 <= protocols.length; at += 4) {
        if (protocols.readUInt32LE(at) === ping) return window;
      }
      window = await this.#display.parentOf(window).catch(() => 0);
    }
    return undefined;
  }

  async #ping(window: number, pause: (ms: number) => Promise<void>): Promise<boolean> {
    const { connection, root } = this.#display;
    const [protocols, ping] = await Promise.all([
      connection.atom("WM_PROTOCOLS"),
      connection.atom("_NET_WM_PING"),
    ]);
    if (!this.#listening) {
      this.#listening = true;
      connection.onEvent(CLIENT_MESSAGE, (event) => {
        if (event.readUInt32LE(12) === ping) this.#answered = event.readUInt32LE(16);
      });
    }
    const serial = this.#serial++;
    connection.send(core.selectEvents(root, EVENT_MASKS.substructureNotify));
    try {
      connection.send(core.clientMessage(window, 0, window, protocols, [ping, serial, window]));
      for (let waited = 0; waited < PONG_MS; waited += PONG_STEP_MS) {
        await connection.sync();
        if (this.#answered === serial) return true;
        await pause(PONG_STEP_MS);
      }
      return false;
    } finally {
      connection.send(core.selectEvents(root, 0));
    }
  }
}
