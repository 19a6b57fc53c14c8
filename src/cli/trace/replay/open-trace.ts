// A trace folder opened for replaying: verified whole before anything in it is used, each kept file checked against
// its digest and its size before it is read, and all of it against strict schemas.
import { type AgentEntry, agentEntrySchema } from "../../../contract/agent-spec.js";
import { DOCUMENT_MAX_BYTES, type KeptReply } from "../../../contract/kept-documents.js";
import { FileRefusal } from "../../../runtime/store/regular-file.js";
import {
  type FolderReport,
  readDocument,
  readFrame,
  readTraceFolder,
} from "../../../runtime/store/trace-folder.js";
import { UsageError } from "../../usage-error.js";
import { type RecordedRun, type RecordedTurn, RunRecorder } from "./recorded-run.js";
import { readKeptReply } from "./replay-model.js";

const FRAME_MAX_BYTES = 64 * 1024 * 1024;
/** Replies stay in the conversation, so that their sizes add up. */
const REPLIES_MAX_BYTES = 64 * 1024 * 1024;
const ENTRY_MAX_BYTES = 4 * 1024 * 1024;

export interface OpenedTrace {
  readonly report: FolderReport;
  /** Undefined when the trace is not intact: then nothing in it is used. */
  readonly run: RecordedRun | undefined;
}

export async function openTrace(
  folder: string,
  isWhole: (report: FolderReport) => boolean,
): Promise<OpenedTrace> {
  const recorder = new RunRecorder();
  let failure: unknown;
  const report = await readTraceFolder(folder, (record) => {
    // Told only when the trace is intact: what is not is a matter of its own.
    try {
      recorder.take(record);
    } catch (error) {
      failure ??= error;
    }
  });
  if (!isWhole(report)) return { report, run: undefined };
  if (failure !== undefined) throw failure;
  return { report, run: recorder.finish() };
}

function unusable(what: string, error: unknown): UsageError {
  return new UsageError(`${what} ${error instanceof Error ? error.message : "cannot be used"}`);
}

/** The entry that the run was held to. @throws UsageError where it was not kept. */
export function keptEntry(folder: string, run: RecordedRun): AgentEntry {
  if (run.start.keeps?.entry !== true) {
    throw new UsageError("the trace keeps no spec entry: name a spec with --spec");
  }
  try {
    const text = readDocument(folder, run.start.entryDigest, ENTRY_MAX_BYTES);
    return agentEntrySchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof FileRefusal) throw unusable("the kept spec entry", error);
    throw new UsageError("the kept spec entry is no entry of this version: name a spec with --spec");
  }
}

/** Reads the kept replies of a run, each when it is its turn. */
export function replyReader(folder: string): (turn: RecordedTurn) => KeptReply {
  let total = 0;
  return ({ turn, reply }) => {
    try {
      const text = readDocument(folder, reply, DOCUMENT_MAX_BYTES);
      total += text.length;
      if (total > REPLIES_MAX_BYTES) throw new Error("is too long to be replayed with those before it");
      return readKeptReply(text);
    } catch (error) {
      throw unusable(`the kept reply of turn ${turn}`, error);
    }
  };
}

/** Reads kept frames; undefined for one that is not there, which verification has told if it had to be. */
export function frameReader(folder: string): (digest: string) => Uint8Array | undefined {
  return (digest) => {
    try {
      return readFrame(folder, digest, FRAME_MAX_BYTES);
    } catch (error) {
      if (error instanceof FileRefusal) return undefined;
      throw error;
    }
  };
}
