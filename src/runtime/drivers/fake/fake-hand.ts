// The hand of a fake desktop: it records what a real one would send, and keeps the state of pointer, buttons and keys.
import { abortReason } from "../../../base/abort.js";
import type { Clock } from "../../../base/clock.js";
import { escapeText } from "../../../base/escape.js";
import type { Point, Size } from "../../../contract/geometry.js";
import { MODIFIERS, type Modifier, pressableKeys } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { ChordPlan, Hand } from "../gestures/hand.js";
import { cannotType, requireTypable } from "../gestures/typable.js";
import { stoppedUnderWay } from "../session/action-queue.js";
import type { FakeEvent } from "./fake-events.js";

const PRESSABLE: ReadonlySet<string> = new Set(pressableKeys());

export interface FakeState {
  readonly size: Size;
  pointer: Point;
  readonly buttons: Set<number>;
  /** Keys that are down, in the order they were pressed. */
  readonly keys: Set<string>;
  readonly events: FakeEvent[];
  text: string;
}

/** What a scripted fault does to the action under way. */
export interface HandFault {
  /** Fails when this many events were sent. */
  readonly failAfter?: { readonly events: number; readonly error: () => DriverError };
  /** Where somebody else puts the pointer directly after each motion. */
  readonly warp?: Point;
}

export class FakeHand implements Hand<string> {
  readonly size: Size;
  sent = 0;
  readonly #state: FakeState;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #unsupported: RegExp | undefined;
  readonly #fault: HandFault;

  constructor(
    state: FakeState,
    options: { clock: Clock; signal: AbortSignal; unsupported?: RegExp | undefined; fault?: HandFault },
  ) {
    this.size = state.size;
    this.#state = state;
    this.#clock = options.clock;
    this.#signal = options.signal;
    this.#unsupported = options.unsupported;
    this.#fault = options.fault ?? {};
  }

  checkpoint(): void {
    if (this.#signal.aborted) throw stoppedUnderWay(this.sent, abortReason(this.#signal));
    const { failAfter } = this.#fault;
    if (failAfter && this.sent >= failAfter.events) throw failAfter.error();
  }

  async pause(ms: number): Promise<void> {
    this.checkpoint();
    // Only waits that were asked for pass time; the small gaps that real programs need do not.
    if (ms >= 100) await this.#clock.sleep(ms, this.#signal).catch(() => {});
    else await Promise.resolve();
    this.checkpoint();
  }

  async pointer(): Promise<Point> {
    return this.#state.pointer;
  }

  async motion(to: Point): Promise<Point> {
    this.#record({ type: "motion", x: to.x, y: to.y });
    this.#state.pointer = this.#fault.warp ?? to;
    return to;
  }

  async pressAt(button: number, at: Point): Promise<Point> {
    const { pointer } = this.#state;
    if (pointer.x !== at.x || pointer.y !== at.y) return pointer;
    this.#record({ type: "button", button, down: true, ...pointer, modifiers: this.#modifiers() });
    this.#state.buttons.add(button);
    return pointer;
  }

  async release(button: number): Promise<void> {
    const { pointer } = this.#state;
    this.#record({ type: "button", button, down: false, ...pointer, modifiers: this.#modifiers() });
    this.#state.buttons.delete(button);
  }

  async heldButtons(): Promise<readonly number[]> {
    return [...this.#state.buttons];
  }

  async requireKeysUp(): Promise<void> {
    const held = [...this.#state.keys];
    if (held.length === 0) return;
    throw new DriverError("E_STATE", `${held.join(", ")} is held down: nothing was pressed`, this.sent);
  }

  async planChord(modifiers: readonly Modifier[], key: string | undefined): Promise<ChordPlan<string>> {
    if (key !== undefined && !PRESSABLE.has(key)) {
      throw new DriverError("E_KEY_UNSUPPORTED", `no key ${escapeText(key)} can be pressed here`, this.sent);
    }
    return { modifiers, ...(key === undefined ? {} : { key }), finish: async () => {} };
  }

  async keyDown(key: string): Promise<void> {
    this.#record({ type: "key", key, down: true, modifiers: this.#modifiers() });
    this.#state.keys.add(key);
  }

  async keyUp(key: string): Promise<void> {
    this.#state.keys.delete(key);
    this.#record({ type: "key", key, down: false, modifiers: this.#modifiers() });
  }

  async type(text: string): Promise<void> {
    requireTypable(text);
    const refused = [...text].find((character) => this.#unsupported?.test(character));
    if (refused !== undefined) {
      throw cannotType(refused.codePointAt(0) ?? 0, "this fake desktop was made without it");
    }
    let typed = 0;
    for (const character of text) {
      if (typed++ % 20 === 0) await this.pause(0);
      const key = character === "\n" ? "Return" : character === "\t" ? "Tab" : character;
      this.checkpoint();
      this.#record({ type: "key", key, down: true, modifiers: [] });
      this.#record({ type: "key", key, down: false, modifiers: [] });
      this.#state.text += character;
    }
  }

  #modifiers(): Modifier[] {
    return MODIFIERS.filter((modifier) => this.#state.keys.has(modifier));
  }

  #record(event: FakeEvent): void {
    this.#state.events.push(event);
    this.sent += 1;
  }
}
