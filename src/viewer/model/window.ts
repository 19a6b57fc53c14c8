// Which rows of a long time line a page shows: the first ones and the last ones, within a number and a weight. What
// lies between is counted, not kept.
import type { Row } from "./row.js";

export interface Gap {
  readonly rows: number;
  /** First and last record of what was left out. */
  readonly from: number;
  readonly to: number;
}

export interface Shown {
  readonly rows: readonly Row[];
  /** Stands before the row of this index in `rows`. */
  readonly gap?: Gap & { readonly before: number };
}

/** A share for the end of the run, where it is seen how it came out. */
const TAIL_SHARE = 0.25;

function weightOf(row: Row): number {
  return JSON.stringify(row).length;
}

export class RowWindow {
  readonly #headMax: number;
  readonly #tailMax: number;
  readonly #headWeight: number;
  readonly #tailWeight: number;
  readonly #head: Row[] = [];
  readonly #tail: (readonly [Row, number])[] = [];
  #weight = 0;
  #tailHeld = 0;
  #left = 0;
  #firstLeft = 0;
  #lastLeft = 0;

  /** At most so many rows, of at most so many characters in all. */
  constructor(maxRows: number, maxWeight: number) {
    this.#tailMax = Math.max(1, Math.floor(maxRows * TAIL_SHARE));
    this.#headMax = Math.max(1, maxRows - this.#tailMax);
    this.#tailWeight = Math.floor(maxWeight * TAIL_SHARE);
    this.#headWeight = maxWeight - this.#tailWeight;
  }

  add(row: Row): void {
    const weight = weightOf(row);
    const fits = this.#tail.length === 0 && this.#head.length < this.#headMax;
    if (fits && this.#weight + weight <= this.#headWeight) {
      this.#head.push(row);
      this.#weight += weight;
      return;
    }
    this.#tail.push([row, weight]);
    this.#tailHeld += weight;
    if (this.#tail.length <= this.#tailMax && this.#tailHeld <= this.#tailWeight) return;
    const [dropped, droppedWeight] = this.#tail.shift() ?? [row, weight];
    this.#tailHeld -= droppedWeight;
    if (this.#left === 0) this.#firstLeft = dropped.seq;
    this.#left += 1;
    this.#lastLeft = dropped.seq;
  }

  shown(): Shown {
    const rows = [...this.#head, ...this.#tail.map(([row]) => row)];
    if (this.#left === 0) return { rows };
    const gap = { rows: this.#left, from: this.#firstLeft, to: this.#lastLeft, before: this.#head.length };
    return { rows, gap };
  }
}
