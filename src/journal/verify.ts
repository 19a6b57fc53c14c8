// Judges a trace as a stream, with the memory of one line. Reading stops at the first record that is not what the
// chain says must be there; what was verified before it counts, nothing after it does.
import type { Digest } from "../base/digest.js";
import type { TraceRecord } from "../contract/journal-records.js";
import { type StreamLine, splitLines } from "./lines.js";
import { EMPTY_HEAD, LINE_MAX_BYTES, readRecord } from "./record.js";

/**
 * What is wrong at a record: `altered` content, records `removed` before it, it was `moved` or `duplicated`, it
 * does not follow (`unlinked`: it or its neighbour was inserted or rewritten), bytes `after_end`, `cut_short`.
 */
export type ProblemKind =
  | "altered"
  | "removed"
  | "moved"
  | "duplicated"
  | "unlinked"
  | "after_end"
  | "cut_short";

export interface TraceProblem {
  readonly kind: ProblemKind;
  /** Place of the record in the file, counted from 0; a record in its place has this as its `seq`. */
  readonly index: number;
  readonly reason: string;
}

export interface TraceReport {
  /** Nothing that was read contradicts the chain. */
  readonly ok: boolean;
  /** The last record is `run_ended`. */
  readonly complete: boolean;
  /** Records verified, from the first on. */
  readonly records: number;
  /** Hash of the last verified record. */
  readonly head: Digest;
  readonly problem?: TraceProblem;
}

interface Place {
  readonly index: number;
  readonly head: Digest;
  readonly ended: boolean;
}

function judgeLink(record: TraceRecord, place: Place): TraceProblem | undefined {
  const { index } = place;
  const problem = (kind: ProblemKind, reason: string): TraceProblem => ({ kind, index, reason });
  if (place.ended) return problem("after_end", "a record follows run_ended");
  if (record.seq > index) {
    const missing = record.seq - index;
    const what = missing === 1 ? `record ${index} is` : `records ${index} to ${record.seq - 1} are`;
    return problem("removed", `here stands record ${record.seq}: ${what} missing`);
  }
  if (record.seq === index - 1) {
    return record.hash === place.head
      ? problem("duplicated", `record ${record.seq} stands here a second time`)
      : problem("unlinked", `here is another record ${record.seq}: one of the two was inserted`);
  }
  if (record.seq < index) {
    return problem("moved", `record ${record.seq} stands here, after record ${index - 1}`);
  }
  if (record.prev !== place.head) {
    const reason =
      index === 0
        ? "it does not begin a trace: it names another record before it"
        : `it was not written after the record before it: record ${index - 1} or this one was inserted or rewritten`;
    return problem("unlinked", reason);
  }
  return undefined;
}

function judgeLine(
  line: StreamLine,
  place: Place,
): { readonly record: TraceRecord } | { readonly problem: TraceProblem } {
  const { index, ended } = place;
  if (ended && line.kind !== "line") {
    return { problem: { kind: "after_end", index, reason: "bytes follow run_ended" } };
  }
  if (line.kind === "oversize") {
    return {
      problem: { kind: "altered", index, reason: `the line is longer than ${LINE_MAX_BYTES} bytes` },
    };
  }
  if (line.kind === "unterminated") {
    const reason = `the last line is not ended: ${line.bytes.length} bytes without a line feed`;
    return { problem: { kind: "cut_short", index, reason } };
  }
  const reading = readRecord(line.bytes);
  if (!reading.ok) {
    return { problem: { kind: ended ? "after_end" : "altered", index, reason: reading.reason } };
  }
  const problem = judgeLink(reading.record, place);
  return problem ? { problem } : { record: reading.record };
}

/** A gap that the very next line fills is a swap, not a removal. */
function refineGap(problem: TraceProblem, next: StreamLine | undefined): TraceProblem {
  if (problem.kind !== "removed" || next?.kind !== "line") return problem;
  const reading = readRecord(next.bytes);
  if (!reading.ok || reading.record.seq !== problem.index) return problem;
  return {
    ...problem,
    kind: "moved",
    reason: `record ${problem.index} stands after the one that follows it`,
  };
}

/**
 * The verified records of a trace, one by one; the report is the generator's return value. Records that come after
 * the first problem are not yielded.
 */
export async function* readTrace(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<TraceRecord, TraceReport, undefined> {
  let place: Place = { index: 0, head: EMPTY_HEAD, ended: false };
  const report = (problem?: TraceProblem): TraceReport => ({
    ok: problem === undefined,
    complete: place.ended && problem === undefined,
    records: place.index,
    head: place.head,
    ...(problem ? { problem } : {}),
  });
  const lines = splitLines(chunks, LINE_MAX_BYTES);
  try {
    for (let step = await lines.next(); !step.done; step = await lines.next()) {
      const judged = judgeLine(step.value, place);
      if ("problem" in judged) {
        const following = judged.problem.kind === "removed" ? await lines.next() : undefined;
        return report(refineGap(judged.problem, following?.value ?? undefined));
      }
      const { record } = judged;
      place = {
        index: place.index + 1,
        head: record.hash as Digest,
        ended: record.kind === "run_ended",
      };
      yield record;
    }
    return report();
  } finally {
    await lines.return();
  }
}

/** Verifies a whole trace; `onRecord` sees each verified record in order and may be asynchronous. */
export async function verifyTrace(
  chunks: AsyncIterable<Uint8Array>,
  onRecord?: (record: TraceRecord) => void | Promise<void>,
): Promise<TraceReport> {
  const records = readTrace(chunks);
  for (;;) {
    const step = await records.next();
    if (step.done) return step.value;
    await onRecord?.(step.value);
  }
}
