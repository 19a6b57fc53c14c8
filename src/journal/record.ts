// One record and its one line. The hash is the digest of the record's canonical JSON without `hash`; the line is
// that canonical JSON, with every character outside printable ASCII written as \uXXXX, so that no text in a record
// can end a line, reorder it or drive a terminal. Any other spelling of a record is refused.
import { canonicalJson } from "../base/canonical-json.js";
import { type Digest, digestBytes, digestJson } from "../base/digest.js";
import { describeValue } from "../base/escape.js";
import {
  RECORD_SCHEMAS,
  type RecordData,
  type RecordKind,
  TRACE_VERSION,
  type TraceRecord,
} from "../contract/journal-records.js";

/** Longest line of a trace, its line feed not counted. */
export const LINE_MAX_BYTES = 64 * 1024;

/** The head of an empty chain: what the first record names as the one before it. */
export const EMPTY_HEAD: Digest = digestBytes("");

/** What a record gets from its place in the trace. */
export interface RecordPlace {
  readonly seq: number;
  readonly prev: Digest;
  readonly at: string;
  readonly mono: number;
}

/** A record that is not one: what is wrong with it, in words for people. */
export class RecordError extends Error {
  override readonly name = "RecordError";
}

export interface MadeRecord {
  readonly record: TraceRecord;
  /** The record's line, without the line feed. */
  readonly line: string;
  readonly hash: Digest;
}

function lineOf(record: TraceRecord): string {
  return canonicalJson(record).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function hashOf(record: Omit<TraceRecord, "hash">): Digest {
  const { hash: _hash, ...content } = record as TraceRecord;
  return digestJson(content);
}

/**
 * Makes the record for a place in the chain.
 * @throws RecordError when the data are not the kind's, or the line would be too long.
 */
export function makeRecord<Kind extends RecordKind>(
  kind: Kind,
  data: RecordData<Kind>,
  place: RecordPlace,
): MadeRecord {
  const content = { v: TRACE_VERSION, ...place, kind, data };
  const hash = hashOf(content as unknown as Omit<TraceRecord, "hash">);
  const checked = checkShape({ ...content, hash });
  if (!checked.ok) throw new RecordError(`a record of kind ${kind} is malformed: ${checked.reason}`);
  const line = lineOf(checked.record);
  if (line.length > LINE_MAX_BYTES) {
    throw new RecordError(`a record of kind ${kind} has ${line.length} bytes, more than ${LINE_MAX_BYTES}`);
  }
  return { record: checked.record, line, hash };
}

type Shape =
  | { readonly ok: true; readonly record: TraceRecord }
  | { readonly ok: false; readonly reason: string };

function checkShape(value: unknown): Shape {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, reason: `it is ${describeValue(value)}, not an object` };
  }
  const version: unknown = Object.hasOwn(value, "v") ? (value as { v: unknown }).v : undefined;
  if (version !== TRACE_VERSION) {
    return {
      ok: false,
      reason: `its format version is ${describeValue(version)}; this reader knows ${TRACE_VERSION}`,
    };
  }
  const kind: unknown = Object.hasOwn(value, "kind") ? (value as { kind: unknown }).kind : undefined;
  if (typeof kind !== "string" || !Object.hasOwn(RECORD_SCHEMAS, kind)) {
    return { ok: false, reason: `${describeValue(kind)} is no kind of record` };
  }
  const parsed = RECORD_SCHEMAS[kind as RecordKind].safeParse(value);
  if (parsed.success) return { ok: true, record: parsed.data as TraceRecord };
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? `${issue.path.map(String).join(".")}: ` : "";
  return { ok: false, reason: `${describeValue(`${where}${issue?.message ?? "malformed"}`, 200)}` };
}

export type RecordReading =
  | { readonly ok: true; readonly record: TraceRecord; readonly hash: Digest }
  | { readonly ok: false; readonly reason: string };

/** Reads the bytes of one line, without its line feed. The chain is not judged here. */
export function readRecord(bytes: Uint8Array): RecordReading {
  if (bytes.byteLength > LINE_MAX_BYTES) {
    return { ok: false, reason: `the line is longer than ${LINE_MAX_BYTES} bytes` };
  }
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, reason: "the line is not UTF-8" };
  }
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "the line is not JSON" };
  }
  const shape = checkShape(value);
  if (!shape.ok) return shape;
  const { record } = shape;
  const hash = hashOf(record);
  if (record.hash !== hash) {
    return { ok: false, reason: `its content has the hash ${hash}, but it carries ${record.hash}` };
  }
  // Last, so that a changed value is named as such and not as a matter of spelling.
  if (lineOf(record) !== text) {
    return { ok: false, reason: "the line is not the canonical text of its record (keys, order or spacing)" };
  }
  return { ok: true, record, hash };
}
