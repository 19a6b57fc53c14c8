// A trace on disk as a reader sees it: hostile until the chain and every frame were verified. Bytes stream through;
// neither a long trace nor a large frame is held in memory.
import { createHash } from "node:crypto";
import { closeSync, lstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { digestBytes } from "../../base/digest.js";
import { quoteText } from "../../base/escape.js";
import type { TraceRecord } from "../../contract/journal-records.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import { readTrace, type TraceReport } from "../../journal/index.js";
import {
  describeSystemError,
  FileRefusal,
  kindOfFile,
  openRegularFile,
  readRegularFile,
} from "./regular-file.js";
import { DOCUMENTS_FOLDER, FRAMES_FOLDER, TRACE_FILE } from "./trace-files.js";

const CHUNK_BYTES = 64 * 1024;
/** No writer keeps a larger file. One that is (or says so, with nothing in it) is not read at all. */
const KEPT_MAX_BYTES = 256 * 1024 * 1024;

/** A frame or document that a verified record names and that is not there, or is not what the record says. */
export interface KeptProblem {
  /** The record that names it. */
  readonly index: number;
  readonly digest: string;
  readonly reason: string;
}

export interface FolderReport extends TraceReport {
  /** Different frames named by verified records. */
  readonly frames: number;
  /** Kept documents named by verified records. */
  readonly documents: number;
  readonly frameProblem?: KeptProblem;
  readonly documentProblem?: KeptProblem;
}

async function* chunksOf(fd: number): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const length = readSync(fd, buffer, 0, CHUNK_BYTES, null);
    if (length === 0) return;
    yield buffer.subarray(0, length);
  }
}

function refuse(folder: string, reason: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError("E_AUDIT", `the trace ${quoteText(folder, 300)} ${reason}`, { cause });
}

function openTrace(folder: string): number {
  try {
    const stats = lstatSync(folder);
    if (!stats.isDirectory())
      throw refuse(folder, `is ${kindOfFile(stats)}; name the folder that holds ${TRACE_FILE}`);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw refuse(folder, describeSystemError(error), error);
  }
  try {
    return openRegularFile(join(folder, TRACE_FILE)).fd;
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    throw refuse(folder, `cannot be read: its ${TRACE_FILE} ${error.message}`, error);
  }
}

/** The frames that a record rests on. */
function framesNamedBy(record: TraceRecord): readonly string[] {
  if (record.kind === "frame") return [record.data.digest];
  if (record.kind !== "verification") return [];
  return [record.data.before, record.data.after].filter((digest) => digest !== undefined);
}

/** The kept documents that a record rests on. */
function documentsNamedBy(record: TraceRecord): readonly string[] {
  if (record.kind === "run_started") return record.data.keeps?.entry ? [record.data.entryDigest] : [];
  return record.kind === "model_reply" && record.data.kept !== undefined ? [record.data.kept] : [];
}

function hexOf(digest: string): string {
  return digest.slice("sha256:".length);
}

function framePath(folder: string, digest: string): string {
  return join(folder, FRAMES_FOLDER, `${hexOf(digest)}.png`);
}

function documentPath(folder: string, digest: string): string {
  return join(folder, DOCUMENTS_FOLDER, `${hexOf(digest)}.json`);
}

/** What is wrong with a kept file; undefined when its bytes have the digest that it is named by. */
function judgeKept(path: string, digest: string): string | undefined {
  let opened: ReturnType<typeof openRegularFile>;
  try {
    opened = openRegularFile(path);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return `its file ${error.message}`;
  }
  const { fd, stats } = opened;
  try {
    if (stats.size > KEPT_MAX_BYTES) return `its file has ${stats.size} bytes, more than ${KEPT_MAX_BYTES}`;
    const hash = createHash("sha256");
    const buffer = Buffer.alloc(CHUNK_BYTES);
    let left = stats.size;
    for (let length = 1; length > 0; left -= length) {
      length = readSync(fd, buffer, 0, CHUNK_BYTES, null);
      if (length > left) return "its file grew while it was read";
      hash.update(buffer.subarray(0, length));
    }
    return hash.digest("hex") === hexOf(digest) ? undefined : "its file has another content";
  } finally {
    closeSync(fd);
  }
}

/** Judges each kept file once, and remembers the first that is not as it must be. */
class KeptFiles {
  readonly #pathOf: (digest: string) => string;
  readonly #seen = new Set<string>();
  problem: KeptProblem | undefined;

  constructor(pathOf: (digest: string) => string) {
    this.#pathOf = pathOf;
  }

  get count(): number {
    return this.#seen.size;
  }

  judge(digests: readonly string[], index: number, isKept: boolean): void {
    for (const digest of digests) {
      if (this.#seen.has(digest)) continue;
      this.#seen.add(digest);
      const reason = isKept ? judgeKept(this.#pathOf(digest), digest) : undefined;
      if (reason !== undefined) this.problem ??= { index, digest, reason };
    }
  }
}

/**
 * Reads a trace folder: verified records go to `onRecord` in order; the report says how far the trace holds. A trace
 * that says at its beginning that it keeps no frames is whole without them.
 * @throws ConfigurationError when there is no trace to read.
 */
export async function readTraceFolder(
  folder: string,
  onRecord?: (record: TraceRecord) => void | Promise<void>,
): Promise<FolderReport> {
  const fd = openTrace(folder);
  const frames = new KeptFiles((digest) => framePath(folder, digest));
  const documents = new KeptFiles((digest) => documentPath(folder, digest));
  let keepsFrames = true;
  try {
    const records = readTrace(chunksOf(fd));
    for (;;) {
      const step = await records.next();
      if (step.done) {
        return {
          ...step.value,
          frames: frames.count,
          documents: documents.count,
          ...(frames.problem ? { frameProblem: frames.problem } : {}),
          ...(documents.problem ? { documentProblem: documents.problem } : {}),
        };
      }
      const record = step.value;
      // Only the first record can say so: a later one would be about frames that were named before it.
      if (record.seq === 0 && record.kind === "run_started")
        keepsFrames = record.data.keeps?.frames !== "digest-only";
      frames.judge(framesNamedBy(record), record.seq, keepsFrames);
      documents.judge(documentsNamedBy(record), record.seq, true);
      await onRecord?.(record);
    }
  } finally {
    closeSync(fd);
  }
}

function readKept(path: string, digest: string, maxBytes: number): Uint8Array {
  const bytes = readRegularFile(path, maxBytes);
  if (digestBytes(bytes) !== digest) throw new FileRefusal("has another content");
  return bytes;
}

/** A kept document's text, checked against its digest before anything reads it. @throws FileRefusal */
export function readDocument(folder: string, digest: string, maxBytes: number): string {
  return Buffer.from(readKept(documentPath(folder, digest), digest, maxBytes)).toString("utf8");
}

/** A kept frame's bytes, checked against their digest. @throws FileRefusal */
export function readFrame(folder: string, digest: string, maxBytes: number): Uint8Array {
  return readKept(framePath(folder, digest), digest, maxBytes);
}

/** Bytes of a kept frame's file, unread; undefined where there is no regular file. */
export function sizeOfFrame(folder: string, digest: string): number | undefined {
  try {
    const stats = lstatSync(framePath(folder, digest));
    return stats.isFile() ? stats.size : undefined;
  } catch {
    // Whatever stands in the way, also in the folder's own place: reading it says what.
    return undefined;
  }
}
