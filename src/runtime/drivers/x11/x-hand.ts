// The hand of the X11 driver: one action's events on a real display, counted as they are sent.
import { abortReason } from "../../../base/abort.js";
import { type Clock, systemClock } from "../../../base/clock.js";
import type { Point, Size } from "../../../contract/geometry.js";
import { keysymOf, MODIFIER_KEYSYMS, type Modifier } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { ChordPlan, Hand } from "../gestures/hand.js";
import { requireTypable } from "../gestures/typable.js";
import { stoppedUnderWay } from "../session/action-queue.js";
import type { ReaderWait } from "./await-reader.js";
import type { BorrowedKeys } from "./borrowed-keys.js";
import { awaitFocus } from "./focus.js";
import type { Keymap, KeyPosition } from "./keymap.js";
import type { OpenedState } from "./opened-state.js";
import { planText, type Stroke } from "./text-plan.js";
import { typeStrokes } from "./type-strokes.js";
import type { XDisplay } from "./x-display.js";

/** What outlives an action: the display as it was when it was opened, and its helpers. */
export interface XStage {
  readonly display: XDisplay;
  readonly opened: OpenedState;
  readonly borrowed: BorrowedKeys;
  readonly reader: ReaderWait;
}

export class XHand implements Hand<number> {
  readonly size: Size;
  sent = 0;
  readonly #stage: XStage;
  readonly #display: XDisplay;
  readonly #signal: AbortSignal;
  readonly #announce: (events: number) => void;
  readonly #clock: Clock;

  /** `announce` is told, before events are sent, how many there will be in all. */
  constructor(
    stage: XStage,
    signal: AbortSignal,
    announce: (events: number) => void,
    clock: Clock = systemClock,
  ) {
    this.#stage = stage;
    this.#display = stage.display;
    this.size = stage.opened.size;
    this.#signal = signal;
    this.#announce = announce;
    this.#clock = clock;
  }

  #announcing(events: number): void {
    this.sent += events;
    this.#announce(this.sent);
  }

  checkpoint(): void {
    if (this.#signal.aborted) throw stoppedUnderWay(this.sent, abortReason(this.#signal));
  }

  async pause(ms: number): Promise<void> {
    this.checkpoint();
    await this.#clock.sleep(ms, this.#signal).catch(() => {});
    this.checkpoint();
  }

  async pointer(): Promise<Point> {
    return (await this.#display.pointer()).at;
  }

  async heldButtons(): Promise<readonly number[]> {
    return (await this.#display.pointer()).buttons;
  }

  async motion(to: Point): Promise<Point> {
    this.#announcing(1);
    this.#display.motion(to);
    // Leaves in one write with the motion, so that no other client is likely to be served in between.
    const landed = await this.pointer();
    await this.#display.connection.sync();
    return landed;
  }

  async pressAt(button: number, at: Point): Promise<Point> {
    return this.#display.undisturbed(async () => {
      const found = await this.pointer();
      if (found.x === at.x && found.y === at.y) {
        this.#announcing(1);
        this.#display.button(button, true);
        await this.#display.connection.sync();
      }
      return found;
    });
  }

  async release(button: number): Promise<void> {
    this.#announcing(1);
    this.#display.button(button, false);
    await this.#display.connection.sync();
  }

  requireKeysUp(): Promise<void> {
    return this.#stage.opened.requireKeysUp(this.sent);
  }

  async planChord(modifiers: readonly Modifier[], key: string | undefined): Promise<ChordPlan<number>> {
    if (modifiers.length === 0 && key === undefined) return { modifiers: [], finish: async () => {} };
    const keymap = await this.#stage.opened.keymap(this.sent);
    const down = modifiers.map((modifier) => this.#modifierKey(keymap, modifier));
    if (key === undefined) return { modifiers: down, finish: async () => {} };
    const keysym = keysymOf(key);
    if (keysym === undefined) throw this.#noKey(key, "it is not in the key table");
    const place = keymap.find(keysym);
    if (place) return { ...this.#withShift(keymap, place, down, modifiers), finish: async () => {} };
    return this.#borrowedChord(keymap, key, keysym, down);
  }

  #withShift(
    keymap: Keymap,
    place: KeyPosition,
    down: readonly number[],
    modifiers: readonly Modifier[],
  ): { modifiers: readonly number[]; key: number } {
    const needs = place.shift && !modifiers.includes("shift");
    const shift = needs ? [this.#modifierKey(keymap, "shift")] : [];
    return { modifiers: [...down, ...shift], key: place.keycode };
  }

  async #borrowedChord(
    keymap: Keymap,
    key: string,
    keysym: number,
    down: readonly number[],
  ): Promise<ChordPlan<number>> {
    const [spare] = keymap.spares();
    if (spare === undefined) throw this.#noKey(key, "the keyboard map lacks it and has no spare keycode");
    const shifted = keysym >= 0x61 && keysym <= 0x7a ? keysym - 0x20 : keysym;
    const finish = async () => {
      await this.#stage.reader.untilRead((ms) => this.#clock.sleep(ms));
      await this.#stage.borrowed.giveBack();
    };
    try {
      await this.#stage.borrowed.lend([{ keycode: spare, keysyms: [keysym, shifted] }]);
    } catch (error) {
      await this.#stage.borrowed.giveBack();
      throw error;
    }
    return { modifiers: down, key: spare, finish };
  }

  #modifierKey(keymap: Keymap, modifier: Modifier): number {
    const keycode = keymap.find(MODIFIER_KEYSYMS[modifier])?.keycode;
    if (keycode === undefined || !keymap.modifiers.has(keycode)) {
      throw this.#noKey(modifier, "the keyboard map has no such modifier");
    }
    return keycode;
  }

  #noKey(key: string, why: string): DriverError {
    return new DriverError("E_KEY_UNSUPPORTED", `${key} cannot be pressed here: ${why}`, this.sent);
  }

  async keyDown(keycode: number): Promise<void> {
    this.#announcing(1);
    this.#display.key(keycode, true);
    await this.#display.connection.sync();
  }

  async keyUp(keycode: number): Promise<void> {
    this.#announcing(1);
    this.#display.key(keycode, false);
    await this.#display.connection.sync();
  }

  async type(text: string): Promise<void> {
    requireTypable(text);
    const keymap = await this.#stage.opened.keymap(this.sent);
    const batches = planText(text, keymap);
    const shift = this.#modifierKey(keymap, "shift");
    let window = await awaitFocus(this.#display, (ms) => this.pause(ms));
    const { borrowed, reader } = this.#stage;
    const send = (chunk: readonly Stroke[]) => this.#sendChunk(chunk, shift);
    const wait = () => reader.untilRead((ms) => this.#clock.sleep(ms));
    let lent = false;
    try {
      for (const { loans, strokes } of batches) {
        this.checkpoint();
        if (lent) await wait();
        lent ||= loans.length > 0;
        await borrowed.lend(loans);
        window = await typeStrokes({ display: this.#display, hand: this, send }, strokes, window);
      }
    } finally {
      if (lent) {
        await wait();
        await borrowed.giveBack();
      }
    }
  }

  async #sendChunk(strokes: readonly Stroke[], shift: number): Promise<void> {
    this.#announcing(strokes.reduce((events, stroke) => events + (stroke.shift ? 4 : 2), 0));
    for (const stroke of strokes) this.#stroke(stroke, shift);
    await this.#display.connection.sync();
  }

  #stroke({ keycode, shift: shifted }: Stroke, shift: number): void {
    if (shifted) this.#display.key(shift, true);
    this.#display.key(keycode, true);
    this.#display.key(keycode, false);
    if (shifted) this.#display.key(shift, false);
  }
}
