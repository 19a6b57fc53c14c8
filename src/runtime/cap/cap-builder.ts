// Collects the parts of a cap for direct use. It grants nothing itself: what it collected is judged, and the cap made,
// by the module that keeps the registry of genuine caps.
import type { CapabilityWord } from "../../contract/capability.js";
import type { ViolationMode } from "../../contract/declaration.js";
import type { Rect } from "../../contract/geometry.js";
import type { ComputerCap } from "./computer-cap.js";

/** Judges the collected words and options and makes the cap. */
export type MakeCap = (
  words: readonly CapabilityWord[],
  options: Readonly<Record<string, unknown>>,
) => ComputerCap;

/** Collects the parts of a cap. Every call is checked when `build` is called. */
export class ComputerCapBuilder {
  readonly #make: MakeCap;
  readonly #words = new Set<CapabilityWord>();
  // Without a prototype: what was not set is asked for below, and must not be found elsewhere.
  readonly #options: Record<string, unknown> = Object.create(null);

  /** @internal Builders come from `ComputerCap.builder`, which alone can make a cap of the parts. */
  constructor(make: MakeCap) {
    this.#make = make;
  }

  /** Grants `computer.screen`. */
  allowScreen(): this {
    return this.allow("computer.screen");
  }

  /** Grants `computer.input`: pointer and keyboard. */
  allowInput(): this {
    return this.allow("computer.input");
  }

  /** Grants a word. */
  allow(word: CapabilityWord): this {
    this.#words.add(word);
    return this;
  }

  /**
   * Sets the viewport's size in pixels. When not set, direct checks see 1024 × 768, or as much more as the bounds
   * need, and `launch` fits the cap to the viewport of the agent's spec.
   */
  withViewport(width: number, height: number): this {
    Object.assign(this.#options, { width, height });
    return this;
  }

  /** Holds pointer actions inside a half-open rectangle: as a rectangle, or as its corners (min inside, max outside). */
  withBounds(bounds: Rect): this;
  withBounds(xMin: number, yMin: number, xMax: number, yMax: number): this;
  withBounds(first: Rect | number, yMin?: number, xMax?: number, yMax?: number): this {
    this.#options["bounds"] =
      typeof first === "number"
        ? {
            x: first,
            y: yMin,
            width: (xMax ?? Number.NaN) - first,
            height: (yMax ?? Number.NaN) - (yMin ?? Number.NaN),
          }
        : first;
    return this;
  }

  /** Denies chords besides the default ones. */
  denyKeys(keys: Iterable<string>): this {
    this.#addKeys("denyKeys", keys);
    return this;
  }

  /** Takes chords off the default deny-list. */
  allowKeys(keys: Iterable<string>): this {
    this.#addKeys("allowKeys", keys);
    return this;
  }

  /** Actions allowed in a run, 0 or more. */
  maxActionsPerRun(actions: number): this {
    this.#options["maxActions"] = actions;
    return this;
  }

  /** Events allowed in a run: characters, key presses, wheel clicks, button presses. */
  maxEventsPerRun(events: number): this {
    this.#options["maxEvents"] = events;
    return this;
  }

  /** What a run does with a violation: end (`"abort"`, the default) or tell the model (`"refuse"`). */
  onViolation(mode: ViolationMode): this {
    this.#options["onViolation"] = mode;
    return this;
  }

  /** A text is iterable too, but its letters are not what was meant: `build` refuses it. */
  #addKeys(option: "denyKeys" | "allowKeys", keys: Iterable<string>): void {
    const before = this.#options[option] ?? [];
    this.#options[option] =
      Array.isArray(before) && typeof keys !== "string" ? [...before, ...keys] : String(keys);
  }

  /** @throws ConfigurationError E_SPEC when a part is malformed. */
  build(): ComputerCap {
    return this.#make([...this.#words], this.#options);
  }
}
