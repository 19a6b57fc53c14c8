// The figures of a whole run, counted over every verified record, shown or not. Memory does not grow with the trace.
import type { RecordData, TraceRecord, Usage } from "../../contract/journal-records.js";
import { isRunCode } from "../../diagnostics/run-codes.js";
import { cut } from "./row.js";

export interface Totals {
  records: number;
  firstAt: number;
  lastAt: number;
  turns: number;
  actions: { allow: number; deny: number; not_executed: number };
  /** Receipts that are not `committed`. */
  troubled: number;
  effects: { confirmed: number; partial: number; unverifiable: number; suspected_noop: number };
  /** Refusals by code, most frequent first when shown; a code outside the table counts as "other". */
  codes: Map<string, number>;
  events: number;
  retries: number;
  retryWaitMs: number;
  prunedImages: number;
  violations: number;
  pauses: number;
  endorsements: number;
  /** Milliseconds between a request and its reply, and between a verdict and the last record of its action. */
  modelMs: number;
  actingMs: number;
  usage: Usage;
  pictureTokens: number;
  /** What the requests were counted to hold before they were sent. */
  countedTokens: number;
  started?: RecordData<"run_started"> & { readonly at: string };
  opened?: RecordData<"desktop_opened">;
  ended?: RecordData<"run_ended">;
}

export function newTotals(): Totals {
  return {
    records: 0,
    firstAt: 0,
    lastAt: 0,
    turns: 0,
    actions: { allow: 0, deny: 0, not_executed: 0 },
    troubled: 0,
    effects: { confirmed: 0, partial: 0, unverifiable: 0, suspected_noop: 0 },
    codes: new Map(),
    events: 0,
    retries: 0,
    retryWaitMs: 0,
    prunedImages: 0,
    violations: 0,
    pauses: 0,
    endorsements: 0,
    modelMs: 0,
    actingMs: 0,
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    pictureTokens: 0,
    countedTokens: 0,
  };
}

function addUsage(totals: Totals, usage: Usage): void {
  const before = totals.usage;
  totals.usage = {
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
    cacheReadTokens: before.cacheReadTokens + usage.cacheReadTokens,
    cacheWriteTokens: before.cacheWriteTokens + usage.cacheWriteTokens,
  };
}

/** Counts one record. Times between records are the time line's to add. */
export function countRecord(totals: Totals, record: TraceRecord): void {
  if (totals.records === 0) totals.firstAt = record.mono;
  totals.records += 1;
  totals.lastAt = Math.max(totals.lastAt, record.mono);
  switch (record.kind) {
    case "run_started":
      totals.started ??= { ...record.data, at: record.at };
      return;
    case "desktop_opened":
      totals.opened ??= record.data;
      return;
    case "picture":
      totals.pictureTokens += record.data.tokens;
      return;
    case "model_request": {
      const { text = 0, images = 0, tool = 0 } = record.data.tokens ?? {};
      totals.turns += 1;
      totals.countedTokens += text + images + tool;
      return;
    }
    case "model_reply":
      addUsage(totals, record.data.usage);
      return;
    case "retry":
      totals.retries += 1;
      totals.retryWaitMs += record.data.waitMs;
      return;
    case "history_pruned":
      totals.prunedImages += record.data.images;
      return;
    case "action":
      countAction(totals, record.data);
      return;
    case "receipt":
      totals.events += record.data.events;
      if (record.data.status !== "committed") totals.troubled += 1;
      return;
    case "verification":
      totals.effects[record.data.effect] += 1;
      return;
    case "violation":
      totals.violations += 1;
      return;
    case "control":
      if (record.data.what === "pause") totals.pauses += 1;
      return;
    case "endorsed":
      totals.endorsements += 1;
      return;
    case "run_ended":
      totals.ended = { ...record.data, message: cut(record.data.message ?? "") };
      return;
    case "frame":
    case "answers":
    case "intent":
    case "released":
      return;
  }
}

function countAction(totals: Totals, { verdict, code }: RecordData<"action">): void {
  totals.actions[verdict] += 1;
  if (verdict !== "deny") return;
  const name = code !== undefined && isRunCode(code) ? code : "other";
  totals.codes.set(name, (totals.codes.get(name) ?? 0) + 1);
}
