// The X11 driver proper: one opened display, from neutral state to neutral state. It runs in a process of its own.
import { Buffer } from "node:buffer";
import type { DriverAction, DriverResult, Released } from "../../../contract/driver-protocol.js";
import type { Size } from "../../../contract/geometry.js";
import { withEvents } from "../gestures/failed-after.js";
import { isInput, performInput } from "../gestures/perform-input.js";
import { ReaderWait } from "./await-reader.js";
import { BorrowedKeys } from "./borrowed-keys.js";
import { capture } from "./capture.js";
import { releaseEverything } from "./neutral-state.js";
import type { ScreenWatch } from "./screen-watch.js";
import { openTakenDisplay } from "./taken-display.js";
import { XHand, type XStage } from "./x-hand.js";

export class XDriver {
  readonly serverId: string;
  readonly size: Size;
  /** What was found held or locked, and let go. */
  readonly released: Released;
  readonly #stage: XStage;
  readonly #watch: ScreenWatch;

  private constructor(stage: XStage, watch: ScreenWatch, serverId: string, released: Released) {
    this.#stage = stage;
    this.#watch = watch;
    this.size = stage.opened.size;
    this.serverId = serverId;
    this.released = released;
  }

  static async open(name: string): Promise<XDriver> {
    const { display, opened, watch, serverId, released } = await openTakenDisplay(name);
    const stage: XStage = {
      display,
      opened,
      borrowed: new BorrowedKeys(display),
      reader: new ReaderWait(display, watch),
    };
    return new XDriver(stage, watch, serverId, released);
  }

  /** Settles when the X server is gone. */
  get lost(): Promise<string> {
    return this.#stage.display.connection.lost;
  }

  async perform(
    action: DriverAction,
    signal: AbortSignal,
    announce: (events: number) => void,
  ): Promise<DriverResult> {
    const { display } = this.#stage;
    if (!isInput(action)) {
      if (action.kind === "cursor") return { kind: "cursor", at: (await display.pointer()).at };
      const region = action.kind === "capture" ? action.region : undefined;
      const frame = await capture(display, this.size, region);
      return { kind: "frame", png: Buffer.from(frame.png).toString("base64"), size: frame.size };
    }
    // While another client holds the server nothing is answered: better found out before the first event.
    await display.connection.sync();
    const hand = new XHand(this.#stage, signal, announce);
    try {
      await performInput(hand, action);
      return { kind: "delivered", events: hand.sent, pointer: (await display.pointer()).at };
    } catch (error) {
      throw withEvents(error, hand.sent);
    }
  }

  settle(quietMs: number, maxMs: number, signal: AbortSignal) {
    return this.#watch.quiet(quietMs, maxMs, signal);
  }

  async releaseAll(): Promise<Released> {
    const released = await releaseEverything(this.#stage.display);
    await this.#stage.borrowed.giveBack();
    return released;
  }

  close(): void {
    this.#stage.display.connection.close();
  }
}
