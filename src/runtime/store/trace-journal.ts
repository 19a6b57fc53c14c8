// The journal on disk: DIR/trace.jsonl, DIR/frames/<sha256 hex>.png and DIR/documents/<sha256 hex>.json. A record is appended when it is on disk;
// after one failure nothing more is written and every append is refused, so that nothing executes unrecorded.
import { join } from "node:path";
import { type Clock, systemClock } from "../../base/clock.js";
import { type Digest, digestBytes } from "../../base/digest.js";
import type { RecordData, RecordKind } from "../../contract/journal-records.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import { RecordChain, RecordError } from "../../journal/index.js";
import type { Journal } from "../control/journal-port.js";
import { describeSystemError } from "./regular-file.js";
import { TraceFiles, type WritingCalls } from "./trace-files.js";

export interface TraceJournalOptions {
  readonly clock?: Clock;
  /** The calls that write, for tests of a failing disk. */
  readonly calls?: WritingCalls;
}

export class TraceJournal implements Journal {
  readonly location: string;
  readonly #files: TraceFiles;
  readonly #chain: RecordChain;
  readonly #frames = new Set<Digest>();
  readonly #documents = new Set<Digest>();
  #failed: CapuchinError | undefined;
  #closed = false;

  private constructor(files: TraceFiles, clock: Clock) {
    this.location = files.folder;
    this.#files = files;
    this.#chain = new RecordChain(clock);
  }

  /** Begins a trace in a folder that holds none. @throws CapuchinError E_AUDIT */
  static create(folder: string, options: TraceJournalOptions = {}): TraceJournal {
    return new TraceJournal(new TraceFiles(folder, options.calls), options.clock ?? systemClock);
  }

  /** Records written so far. */
  get records(): number {
    return this.#chain.records;
  }

  /** Hash of the last record: with the count, what shows later that the end was cut off. */
  get head(): Digest {
    return this.#chain.head;
  }

  async append<Kind extends RecordKind>(kind: Kind, data: RecordData<Kind>): Promise<void> {
    this.#guard(() => this.#files.append(Buffer.from(`${this.#chain.next(kind, data).line}\n`, "utf8")));
  }

  async keepFrame(png: Uint8Array): Promise<Digest> {
    const digest = digestBytes(png);
    this.#guard(() => {
      if (this.#frames.has(digest)) return;
      this.#files.createFrame(`${digest.slice("sha256:".length)}.png`, png);
      this.#frames.add(digest);
    });
    return digest;
  }

  async keepDocument(text: string): Promise<Digest> {
    const bytes = Buffer.from(text, "utf8");
    const digest = digestBytes(bytes);
    this.#guard(() => {
      if (this.#documents.has(digest)) return;
      this.#files.createDocument(`${digest.slice("sha256:".length)}.json`, bytes);
      this.#documents.add(digest);
    });
    return digest;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#files.close();
  }

  #guard(write: () => void): void {
    if (this.#failed) throw this.#failed;
    if (this.#closed) throw new CapuchinError("E_AUDIT", "the trace is closed");
    try {
      write();
    } catch (error) {
      // For good: what the disk did with the bytes of a failed write or fsync is not known.
      const reason =
        error instanceof RecordError ? error.message : `its folder ${describeSystemError(error)}`;
      this.#failed = new CapuchinError("E_AUDIT", `the trace cannot be kept: ${reason}`, { cause: error });
      throw this.#failed;
    }
  }
}

/** Where a run's trace goes when nobody said: a folder of its own below the user's state folder. */
export function defaultTraceFolder(
  runId: string,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const state = env["XDG_STATE_HOME"];
  // The XDG rule: a relative value is invalid and counts as unset.
  const base = state?.startsWith("/") ? state : join(home, ".local", "state");
  return join(base, "capuchin", "runs", runId);
}
