// The surroundings of the nut driver on macOS and Windows: only what nut-js itself can tell. What is held is what this
// driver has pressed; the keys of others, locks, the focus and the keyboard map are not known.
import { type Clock, systemClock } from "../../../base/clock.js";
import { digestBytes } from "../../../base/digest.js";
import type { DriverAction, Released } from "../../../contract/driver-protocol.js";
import type { Point, Size } from "../../../contract/geometry.js";
import { MODIFIERS } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { Hand } from "../gestures/hand.js";
import { BUTTONS } from "../gestures/pointer.js";
import type { KeyBook, NutKey, NutStroke } from "./key-book.js";
import { NutInput } from "./nut-input.js";
import { NUT_MODIFIERS } from "./nut-keys.js";
import type { NutPackage } from "./nut-package.js";
import { plainKeyBook } from "./plain-key-book.js";
import type { Surroundings } from "./surroundings.js";

const CHUNK_CHARACTERS = 20;
const CHUNK_GAP_MS = 20;
const LOOK_MS = 50;
const LOOKS = 10;

export class PlainSurroundings implements Surroundings {
  readonly size: Size;
  readonly serverId: string;
  /** What others hold cannot be seen, so nothing is reported. */
  readonly released: Released = { keys: [], buttons: [] };
  /** Nothing tells of it here. */
  readonly lost = new Promise<string>(() => {});
  readonly #nut: NutPackage;
  readonly #input: NutInput;
  readonly #platform: string;
  readonly #clock: Clock;
  readonly #keys = new Map<string, NutKey>();
  readonly #buttons = new Set<number>();

  private constructor(nut: NutPackage, size: Size, platform: string, clock: Clock) {
    this.#nut = nut;
    this.size = size;
    this.#platform = platform;
    this.#clock = clock;
    this.serverId = `nut-${platform}`;
    this.#input = new NutInput(nut, size, platform);
  }

  static async open(
    nut: NutPackage,
    platform: string,
    clock: Clock = systemClock,
  ): Promise<PlainSurroundings> {
    const { width, height } = await nut.providerRegistry.getScreen().screenSize();
    return new PlainSurroundings(nut, { width, height }, platform, clock);
  }

  async requirePossible(action: DriverAction): Promise<void> {
    if (action.kind === "scroll") {
      throw this.#impossible("what nut-js calls one turn of the wheel is another distance on every platform");
    }
    if (action.kind === "click" && action.count > 1 && this.#platform === "darwin") {
      throw this.#impossible("presses of nut-js do not count as a double click there");
    }
  }

  #impossible(why: string): DriverError {
    return new DriverError("E_UNSUPPORTED", `not possible with nut-js on ${this.#platform}: ${why}`, 0);
  }

  async requireKeysUp(sent: number): Promise<void> {
    if (this.#keys.size === 0) return;
    const names = [...this.#keys.keys()].join(", ");
    throw new DriverError("E_STATE", `${names} is held down: nothing was pressed`, sent);
  }

  async keyBook(): Promise<KeyBook> {
    return plainKeyBook;
  }

  pointer(): Promise<Point> {
    return this.#input.pointer();
  }

  async pointerAfterMotion(to: Point): Promise<Point> {
    let found = await this.pointer();
    for (let n = 0; n < LOOKS && (found.x !== to.x || found.y !== to.y); n++) {
      await this.#clock.sleep(LOOK_MS / LOOKS);
      found = await this.pointer();
    }
    return found;
  }

  async heldButtons(): Promise<readonly number[]> {
    return [...this.#buttons];
  }

  async confirmKey(key: NutKey, down: boolean): Promise<void> {
    if (down) this.#keys.set(key.name, key);
    else this.#keys.delete(key.name);
  }

  async confirmButton(button: number, down: boolean): Promise<void> {
    if (down) this.#buttons.add(button);
    else this.#buttons.delete(button);
  }

  async type(
    hand: Hand<NutKey>,
    strokes: readonly NutStroke[],
    send: (strokes: readonly NutStroke[]) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < strokes.length; at += CHUNK_CHARACTERS) {
      hand.checkpoint();
      await send(strokes.slice(at, at + CHUNK_CHARACTERS));
      await hand.pause(CHUNK_GAP_MS);
    }
  }

  /** Quiet means that pictures taken over that time are the same. */
  async settle(quietMs: number, maxMs: number, signal: AbortSignal) {
    const start = this.#clock.monotonic();
    let last = "";
    let since = start;
    for (;;) {
      const { data } = await this.#nut.providerRegistry.getScreen().grabScreen();
      const now = this.#clock.monotonic();
      const digest = digestBytes(data);
      if (digest !== last) since = now;
      last = digest;
      const waitedMs = Math.round(now - start);
      if (now - since >= quietMs) return { quiet: true, waitedMs };
      if (now - start >= maxMs) return { quiet: false, waitedMs };
      await this.#clock.sleep(LOOK_MS, signal);
    }
  }

  async releaseAll(): Promise<Released> {
    const keys = [...this.#keys.keys()];
    const buttons = [...this.#buttons];
    for (const button of buttons) await this.#input.button(button, false);
    for (const name of keys.reverse()) await this.#input.key(name, false);
    this.#keys.clear();
    this.#buttons.clear();
    return { keys, buttons };
  }
}

/** After a driver's death nobody knows what it held: everything that it may have left down is released. */
export async function releaseBlindly(nut: NutPackage, platform: string): Promise<Released> {
  const { width, height } = await nut.providerRegistry.getScreen().screenSize();
  const input = new NutInput(nut, { width, height }, platform);
  for (const button of Object.values(BUTTONS)) await input.button(button, false);
  for (const modifier of MODIFIERS) await input.key(NUT_MODIFIERS[modifier], false);
  return { keys: [], buttons: [] };
}
