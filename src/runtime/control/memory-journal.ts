// A journal in memory, for tests and for runs that asked for no trace. It makes the same records with the same
// checks as the one on disk, so that a run which works with it works with a file.
import { type Clock, systemClock } from "../../base/clock.js";
import { type Digest, digestBytes } from "../../base/digest.js";
import type { RecordData, RecordKind, TraceRecord } from "../../contract/journal-records.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import { RecordChain } from "../../journal/index.js";
import type { Journal } from "./journal-port.js";

/** Bytes of frames that are kept. Beyond it the oldest go: a long run must not fill the memory with pictures. */
const FRAME_BYTES_MAX = 128 * 1024 * 1024;

/** A journal in memory, with the same records and checks as one on disk. Of frames it keeps the newest 128 MiB. */
export class MemoryJournal implements Journal {
  readonly location = "memory";
  readonly #chain: RecordChain;
  readonly #records: TraceRecord[] = [];
  readonly #lines: string[] = [];
  readonly #frames = new Map<Digest, Uint8Array>();
  readonly #documents = new Map<Digest, string>();
  readonly #frameBytesMax: number;
  #frameBytes = 0;
  #closed = false;
  #failed: unknown;

  /** `frameBytesMax` is in bytes. */
  constructor(clock: Clock = systemClock, frameBytesMax = FRAME_BYTES_MAX) {
    this.#chain = new RecordChain(clock);
    this.#frameBytesMax = frameBytesMax;
  }

  get records(): readonly TraceRecord[] {
    return this.#records;
  }

  /** Hash of the last record. */
  get head(): Digest {
    return this.#chain.head;
  }

  /** What trace.jsonl would hold. */
  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }

  /** A kept frame's bytes; undefined for one that was never kept, or has gone. */
  frame(digest: Digest): Uint8Array | undefined {
    return this.#frames.get(digest)?.slice();
  }

  /** A kept document's text. */
  document(digest: string): string | undefined {
    return this.#documents.get(digest as Digest);
  }

  /** The records of one kind, in order. */
  ofKind<Kind extends RecordKind>(kind: Kind): Extract<TraceRecord, { kind: Kind }>[] {
    return this.#records.filter((record) => record.kind === kind) as Extract<TraceRecord, { kind: Kind }>[];
  }

  /** From now on every append is refused, as when a disk failed. For tests of what a run does then. */
  fail(cause: unknown = new Error("the journal was made to fail")): void {
    this.#failed ??= cause;
  }

  async append<Kind extends RecordKind>(kind: Kind, data: RecordData<Kind>): Promise<void> {
    this.#requireOpen();
    try {
      const { record, line } = this.#chain.next(kind, data);
      this.#records.push(record);
      this.#lines.push(line);
    } catch (error) {
      this.#failed = error;
      this.#requireOpen();
    }
  }

  async keepFrame(png: Uint8Array): Promise<Digest> {
    this.#requireOpen();
    const digest = digestBytes(png);
    if (this.#frames.has(digest)) return digest;
    this.#frames.set(digest, png.slice());
    this.#frameBytes += png.byteLength;
    // In the order of their coming; the newest stays, whatever its size.
    for (const [oldest, bytes] of this.#frames) {
      if (this.#frameBytes <= this.#frameBytesMax || oldest === digest) break;
      this.#frames.delete(oldest);
      this.#frameBytes -= bytes.byteLength;
    }
    return digest;
  }

  async keepDocument(text: string): Promise<Digest> {
    this.#requireOpen();
    const digest = digestBytes(text);
    this.#documents.set(digest, text);
    return digest;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #requireOpen(): void {
    if (this.#failed !== undefined) {
      const reason = this.#failed instanceof Error ? this.#failed.message : "an earlier record failed";
      throw new CapuchinError("E_AUDIT", `the trace cannot be kept: ${reason}`, { cause: this.#failed });
    }
    if (this.#closed) throw new CapuchinError("E_AUDIT", "the trace is closed");
  }
}
