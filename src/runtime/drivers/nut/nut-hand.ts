// The hand of the nut driver: the gestures' single events, sent by nut-js one at a time, counted before they are sent,
// and looked at afterwards where the surroundings can.
import { abortReason } from "../../../base/abort.js";
import { type Clock, systemClock } from "../../../base/clock.js";
import type { Point, Size } from "../../../contract/geometry.js";
import type { Modifier } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { ChordPlan, Hand } from "../gestures/hand.js";
import { WHEEL } from "../gestures/pointer.js";
import { stoppedUnderWay } from "../session/action-queue.js";
import type { NutKey, NutStroke } from "./key-book.js";
import type { NutInput } from "./nut-input.js";
import type { Surroundings } from "./surroundings.js";

const WHEEL_BUTTONS: ReadonlySet<number> = new Set(Object.values(WHEEL));

export class NutHand implements Hand<NutKey> {
  readonly size: Size;
  sent = 0;
  readonly #input: NutInput;
  readonly #around: Surroundings;
  readonly #signal: AbortSignal;
  readonly #announce: (events: number) => void;
  readonly #clock: Clock;

  constructor(
    stage: { readonly input: NutInput; readonly around: Surroundings },
    signal: AbortSignal,
    announce: (events: number) => void,
    clock: Clock = systemClock,
  ) {
    this.#input = stage.input;
    this.#around = stage.around;
    this.size = stage.around.size;
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

  pointer(): Promise<Point> {
    return this.#around.pointer();
  }

  heldButtons(): Promise<readonly number[]> {
    return this.#around.heldButtons();
  }

  async motion(to: Point): Promise<Point> {
    this.#announcing(1);
    await this.#input.move(to);
    return this.#around.pointerAfterMotion(to);
  }

  async pressAt(button: number, at: Point): Promise<Point> {
    const before = await this.pointer();
    if (before.x !== at.x || before.y !== at.y) return before;
    if (WHEEL_BUTTONS.has(button)) {
      this.#announcing(2);
      await this.#input.wheel(button);
      return before;
    }
    this.#announcing(1);
    await this.#input.button(button, true);
    try {
      await this.#around.confirmButton(button, true, this.sent);
      const after = await this.pointer();
      if (after.x === at.x && after.y === at.y) return after;
      throw new DriverError(
        "E_INDETERMINATE",
        "something moved the pointer while the button was pressed: it may have gone down elsewhere",
        this.sent,
      );
    } catch (error) {
      // The gesture releases only what it knows to be pressed.
      await this.release(button);
      throw error;
    }
  }

  async release(button: number): Promise<void> {
    // A turn of the wheel was released in the same call.
    if (WHEEL_BUTTONS.has(button)) return;
    this.#announcing(1);
    await this.#input.button(button, false);
    await this.#around.confirmButton(button, false, this.sent);
  }

  requireKeysUp(): Promise<void> {
    return this.#around.requireKeysUp(this.sent);
  }

  async planChord(modifiers: readonly Modifier[], id: string | undefined): Promise<ChordPlan<NutKey>> {
    const finish = async () => {};
    if (modifiers.length === 0 && id === undefined) return { modifiers: [], finish };
    const book = await this.#around.keyBook(this.sent);
    const down = modifiers.map((modifier) => book.modifier(modifier, this.sent));
    if (id === undefined) return { modifiers: down, finish };
    const { key, shift } = book.key(id, this.sent);
    if (shift && !modifiers.includes("shift")) down.push(book.modifier("shift", this.sent));
    return { modifiers: down, key, finish };
  }

  async keyDown(key: NutKey): Promise<void> {
    this.#announcing(1);
    await this.#toggle(key, true);
  }

  async keyUp(key: NutKey): Promise<void> {
    this.#announcing(1);
    await this.#toggle(key, false);
  }

  async #toggle(key: NutKey, down: boolean): Promise<void> {
    await this.#input.key(key.name, down);
    await this.#around.confirmKey(key, down, this.sent);
  }

  async type(text: string): Promise<void> {
    const book = await this.#around.keyBook(this.sent);
    const strokes = book.strokes(text);
    const shift = book.modifier("shift", this.sent);
    await this.#around.type(this, strokes, async (chunk) => {
      this.#announcing(chunk.reduce((events, stroke) => events + (stroke.shift ? 4 : 2), 0));
      for (const stroke of chunk) await this.#stroke(stroke, shift);
    });
  }

  async #stroke(stroke: NutStroke, shift: NutKey): Promise<void> {
    const down: NutKey[] = [];
    try {
      for (const key of stroke.shift ? [shift, stroke.key] : [stroke.key]) {
        down.push(key);
        await this.#toggle(key, true);
      }
    } finally {
      for (const key of down.reverse()) await this.#toggle(key, false);
    }
  }
}
