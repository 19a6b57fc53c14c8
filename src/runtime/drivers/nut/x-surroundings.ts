// The surroundings of the nut driver on X11, over a connection of our own: the state before is checked, and each event
// of nut-js is seen to have come out as the key or button that was meant. No server grab is taken here: nut-js would
// wait for its end inside a call that lets nothing else run.
import { type Clock, systemClock } from "../../../base/clock.js";
import type { Released } from "../../../contract/driver-protocol.js";
import type { Point, Size } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { Hand } from "../gestures/hand.js";
import { awaitFocus } from "../x11/focus.js";
import { nameOfKey, releaseEverything } from "../x11/neutral-state.js";
import type { OpenedState } from "../x11/opened-state.js";
import type { ScreenWatch } from "../x11/screen-watch.js";
import { openTakenDisplay } from "../x11/taken-display.js";
import { typeStrokes } from "../x11/type-strokes.js";
import type { XDisplay } from "../x11/x-display.js";
import type { KeyBook, NutKey, NutStroke } from "./key-book.js";
import type { Surroundings } from "./surroundings.js";
import { XKeyBook } from "./x-key-book.js";

/** Events of another connection may arrive at the server a moment after our question. */
const LOOKS = 20;
const LOOK_MS = 2;

export class XSurroundings implements Surroundings {
  readonly serverId: string;
  readonly released: Released;
  readonly #display: XDisplay;
  readonly #opened: OpenedState;
  readonly #watch: ScreenWatch;
  readonly #clock: Clock;

  private constructor(
    display: XDisplay,
    opened: OpenedState,
    watch: ScreenWatch,
    found: { readonly serverId: string; readonly released: Released },
    clock: Clock,
  ) {
    this.#display = display;
    this.#opened = opened;
    this.#watch = watch;
    this.serverId = found.serverId;
    this.released = found.released;
    this.#clock = clock;
  }

  /** Opens the display, takes it and makes it neutral; only then may nut-js be loaded, which dies without one. */
  static async open(name: string, clock: Clock = systemClock): Promise<XSurroundings> {
    const { display, opened, watch, serverId, released } = await openTakenDisplay(name);
    return new XSurroundings(display, opened, watch, { serverId, released }, clock);
  }

  get size(): Size {
    return this.#opened.size;
  }

  get lost(): Promise<string> {
    return this.#display.connection.lost;
  }

  async requirePossible(): Promise<void> {
    // While another client holds the server, nut-js would wait inside a call: found out before the first event.
    await this.#display.connection.sync();
  }

  requireKeysUp(sent: number): Promise<void> {
    return this.#opened.requireKeysUp(sent);
  }

  async keyBook(sent: number): Promise<KeyBook> {
    return new XKeyBook(await this.#opened.keymap(sent));
  }

  async pointer(): Promise<Point> {
    return (await this.#display.pointer()).at;
  }

  async pointerAfterMotion(to: Point): Promise<Point> {
    let found = await this.pointer();
    await this.#until(async () => {
      found = await this.pointer();
      return found.x === to.x && found.y === to.y;
    });
    return found;
  }

  async heldButtons(): Promise<readonly number[]> {
    return (await this.#display.pointer()).buttons;
  }

  async confirmKey({ name, keycode }: NutKey, down: boolean, sent: number): Promise<void> {
    if (keycode === undefined) return;
    const seen = await this.#until(async () => (await this.#display.keysDown()).includes(keycode) === down);
    if (seen) return;
    const keymap = await this.#display.keymap();
    throw new DriverError(
      "E_INDETERMINATE",
      `nut-js was told to ${down ? "press" : "release"} ${name}, but ${nameOfKey(keymap, keycode)} is not ${down ? "down" : "up"}`,
      sent,
    );
  }

  async confirmButton(button: number, down: boolean, sent: number): Promise<void> {
    const seen = await this.#until(async () => (await this.heldButtons()).includes(button) === down);
    if (seen) return;
    throw new DriverError(
      "E_INDETERMINATE",
      `nut-js was told to ${down ? "press" : "release"} mouse button ${button}, but it is not ${down ? "down" : "up"}`,
      sent,
    );
  }

  async #until(look: () => Promise<boolean>): Promise<boolean> {
    for (let n = 0; n < LOOKS; n++) {
      if (await look()) return true;
      await this.#clock.sleep(LOOK_MS);
    }
    return false;
  }

  async type(
    hand: Hand<NutKey>,
    strokes: readonly NutStroke[],
    send: (strokes: readonly NutStroke[]) => Promise<void>,
  ): Promise<void> {
    const window = await awaitFocus(this.#display, (ms) => hand.pause(ms));
    await typeStrokes({ display: this.#display, hand, send }, strokes, window);
  }

  settle(quietMs: number, maxMs: number, signal: AbortSignal) {
    return this.#watch.quiet(quietMs, maxMs, signal);
  }

  releaseAll(): Promise<Released> {
    return releaseEverything(this.#display);
  }

  close(): void {
    this.#display.connection.close();
  }
}
