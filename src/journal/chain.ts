// The writing end of a trace: numbers records, stamps both clocks and links each record to the one before.
// Sequence numbers count up by one whatever the clocks do.
import type { Clock } from "../base/clock.js";
import type { Digest } from "../base/digest.js";
import type { RecordData, RecordKind } from "../contract/journal-records.js";
import { EMPTY_HEAD, type MadeRecord, makeRecord } from "./record.js";

export class RecordChain {
  readonly #clock: Clock;
  readonly #start: number;
  #records = 0;
  #head: Digest = EMPTY_HEAD;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#start = clock.monotonic();
  }

  /** How many records were made. */
  get records(): number {
    return this.#records;
  }

  /** Hash of the last record: the anchor that shows a later cut. */
  get head(): Digest {
    return this.#head;
  }

  /** Makes the next record and moves the head to it. @throws RecordError; then the head stays where it was. */
  next<Kind extends RecordKind>(kind: Kind, data: RecordData<Kind>): MadeRecord {
    const elapsed = Math.max(0, this.#clock.monotonic() - this.#start);
    const made = makeRecord(kind, data, {
      seq: this.#records,
      prev: this.#head,
      at: this.#clock.now(),
      mono: Math.round(elapsed * 1000) / 1000,
    });
    this.#records += 1;
    this.#head = made.hash;
    return made;
  }
}
