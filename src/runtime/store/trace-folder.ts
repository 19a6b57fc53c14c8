// A trace on disk as a reader sees it: hostile until the chain and every frame were verified. Bytes stream through;
// neither a long trace nor a large frame is held in memory.
import { createHash } from "node:crypto";
import { closeSync, lstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { quoteText } from "../../base/escape.js";
import type { TraceRecord } from "../../contract/journal-records.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import { readTrace, type TraceReport } from "../../journal/index.js";
import { describeSystemError, FileRefusal, kindOfFile, openRegularFile } from "./regular-file.js";
import { FRAMES_FOLDER, TRACE_FILE } from "./trace-files.js";

const CHUNK_BYTES = 64 * 1024;

/** A frame that a verified record names and that is not there, or is not what the record says. */
export interface FrameProblem {
  /** The record that names it. */
  readonly index: number;
  readonly digest: string;
  readonly reason: string;
}

export interface FolderReport extends TraceReport {
  /** Different frames named by verified records. */
  readonly frames: number;
  readonly frameProblem?: FrameProblem;
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

/** The kept frames that a record rests on. */
function framesNamedBy(record: TraceRecord): readonly string[] {
  if (record.kind === "frame") return [record.data.digest];
  if (record.kind !== "verification") return [];
  return [record.data.before, record.data.after].filter((digest) => digest !== undefined);
}

/** What is wrong with a kept frame; undefined when its bytes have the digest that it is named by. */
function judgeFrame(folder: string, digest: string): string | undefined {
  const hex = digest.slice("sha256:".length);
  let fd: number;
  try {
    fd = openRegularFile(join(folder, FRAMES_FOLDER, `${hex}.png`)).fd;
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return `its file ${error.message}`;
  }
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let length = 1; length > 0; ) {
      length = readSync(fd, buffer, 0, CHUNK_BYTES, null);
      hash.update(buffer.subarray(0, length));
    }
    return hash.digest("hex") === hex ? undefined : "its file has another content";
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads a trace folder: verified records go to `onRecord` in order; the report says how far the trace holds.
 * @throws ConfigurationError when there is no trace to read.
 */
export async function readTraceFolder(
  folder: string,
  onRecord?: (record: TraceRecord) => void | Promise<void>,
): Promise<FolderReport> {
  const fd = openTrace(folder);
  const frames = new Set<string>();
  let frameProblem: FrameProblem | undefined;
  try {
    const records = readTrace(chunksOf(fd));
    for (;;) {
      const step = await records.next();
      if (step.done) {
        return { ...step.value, frames: frames.size, ...(frameProblem ? { frameProblem } : {}) };
      }
      const record = step.value;
      for (const digest of framesNamedBy(record)) {
        if (frames.has(digest)) continue;
        frames.add(digest);
        const reason = judgeFrame(folder, digest);
        if (reason !== undefined) frameProblem ??= { index: record.seq, digest, reason };
      }
      await onRecord?.(record);
    }
  } finally {
    closeSync(fd);
  }
}
