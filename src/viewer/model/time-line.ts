// Verified records, one after the other, into the rows of a time line. A row goes out once nothing can be added to
// it any more, in the order of the records; what is held until then is bounded, however the trace was made.
import type { CapabilityWord } from "../../contract/capability.js";
import type { RecordData, TraceRecord } from "../../contract/journal-records.js";
import { makeNote, noteOf } from "./note.js";
import { actsAtPointer, pointIn } from "./place.js";
import { type ActionRow, cut, type FrameName, type Row, type TurnRow } from "./row.js";
import { ruleOf, wordsOf } from "./rule.js";
import { countRecord, newTotals, type Totals } from "./totals.js";

/** Rows held back at most while a turn is open. */
const OPEN_ROWS = 512;
/** Lists of one turn that are kept. */
const TURN_LIST = 16;
/** Frames whose size is remembered for records that name them by digest only. */
const KNOWN_FRAMES = 64;

type Of<Kind extends TraceRecord["kind"]> = Extract<TraceRecord, { kind: Kind }>;

export class TimeLine {
  readonly totals: Totals = newTotals();
  readonly #onRow: (row: Row) => void;
  #open: Row[] = [];
  #turn: TurnRow | undefined;
  #pictures: RecordData<"picture">[] = [];
  #action: ActionRow | undefined;
  readonly #byId = new Map<string, ActionRow>();
  readonly #byCall = new Map<string, ActionRow>();
  readonly #frames = new Map<string, FrameName>();
  #screen: FrameName | undefined;
  #pointer: { readonly x: number; readonly y: number } | undefined;
  #words: readonly CapabilityWord[] = [];
  #actions = 0;
  #charged = 0;

  constructor(onRow: (row: Row) => void) {
    this.#onRow = onRow;
  }

  add(record: TraceRecord): void {
    countRecord(this.totals, record);
    switch (record.kind) {
      case "action":
        this.#begin(record);
        return;
      case "intent":
      case "receipt":
      case "verification":
        this.#follow(record);
        return;
      case "violation":
        this.#violate(record);
        return;
      case "picture":
        // It is recorded before the request that sends it.
        if (this.#pictures.length < TURN_LIST) this.#pictures.push(record.data);
        return;
      case "model_request":
      case "model_reply":
      case "retry":
      case "history_pruned":
        this.#addTurnPart(record);
        return;
      case "answers":
        this.#answer(record);
        return;
      case "frame":
        this.#addFrame(record);
        return;
      case "run_started":
        this.#words = wordsOf(record.data.capability);
        return;
      default:
        this.#push(noteOf(record));
    }
  }

  /** Gives out what is still open. */
  finish(): void {
    this.#flush(0);
  }

  #violate({ data, ...record }: Of<"violation">): void {
    const { violation, fatal, code, reason } = data;
    const row = this.#action;
    if (row?.verdict === "deny" && row.code === code && !row.violation) {
      row.violation = { at: record.mono, violation: cut(violation, 64), fatal };
      this.#touch(row, record.mono);
      return;
    }
    const title = `Violation ${cut(code, 64)}${fatal ? ", which ends the run" : ""}`;
    this.#push(makeNote(record, "bad", title, reason));
  }

  #follow(record: Of<"intent" | "receipt" | "verification">): void {
    const { mono: at, seq } = record;
    const row = this.#byId.get(record.data.actionId);
    if (!row) return;
    if (record.kind === "intent") row.intent = { at, seq };
    else if (record.kind === "receipt") this.#receive(row, record);
    else {
      const { outcome, effect, detail, before, after } = record.data;
      row.verification = { at, seq, outcome: cut(outcome, 64), effect, detail: cut(detail) };
      if (before !== undefined) row.before = this.#frameOf(before);
      if (after !== undefined) {
        row.after = this.#frameOf(after);
        this.#screen = row.after;
      }
    }
    this.#touch(row, at);
  }

  #touch(row: ActionRow, at: number): void {
    this.totals.actingMs += Math.max(0, at - row.end);
    row.end = Math.max(row.end, at);
  }

  #begin({ data, mono: at, seq }: Of<"action">): void {
    this.#actions += 1;
    const { limits } = this.totals.opened ?? {};
    const entryDigest = this.totals.started?.entryDigest;
    const rule = ruleOf(data, {
      words: this.#words,
      limits,
      entryDigest,
      actions: this.#charged,
      events: this.totals.events,
    });
    const { turn, source, verdict, name, input, code, reason, callId } = data;
    const ofTurn = this.#turn?.turn === turn ? this.#turn : undefined;
    const lacksPlace = name !== undefined && actsAtPointer(name) && !pointIn(input, "coordinate");
    const row: ActionRow = {
      kind: "action",
      seq,
      number: this.#actions,
      turn,
      at,
      end: at,
      source,
      actionId: cut(data.actionId, 200),
      ...(callId === undefined ? {} : { callId: cut(callId, 200) }),
      ...(name === undefined ? {} : { name }),
      ...(input === undefined ? {} : { input }),
      verdict,
      ...(code === undefined ? {} : { code: cut(code, 64) }),
      ...(reason === undefined ? {} : { reason: cut(reason) }),
      rule,
      ...(ofTurn?.request ? { requestAt: ofTurn.request.at } : {}),
      ...(ofTurn?.reply ? { replyAt: ofTurn.reply.at } : {}),
      ...(this.#screen ? { before: this.#screen } : {}),
      ...(lacksPlace && this.#pointer ? { pointer: this.#pointer } : {}),
    };
    this.#action = row;
    remember(this.#byId, data.actionId, row);
    if (callId !== undefined) remember(this.#byCall, callId, row);
    this.#push(row);
  }

  #receive(row: ActionRow, { data, mono: at, seq }: Of<"receipt">): void {
    const { status, events, code, reason } = data;
    row.receipt = {
      at,
      seq,
      status,
      events,
      ...(code === undefined ? {} : { code: cut(code, 64) }),
      ...(reason === undefined ? {} : { reason: cut(reason, 1000) }),
    };
    if (status !== "rejected") this.#charged += 1;
    const to = pointIn(row.input, "coordinate");
    if (status === "committed" && to) this.#pointer = to;
  }

  #addTurnPart(record: Of<"model_request" | "model_reply" | "retry" | "history_pruned">): void {
    const { mono: at } = record;
    const row = this.#turnRow(record);
    row.end = Math.max(row.end, at);
    switch (record.kind) {
      case "model_request": {
        const { messages, images, bytes, tokens } = record.data;
        row.request = { at, messages, images, bytes, ...(tokens ? { tokens } : {}) };
        const sent = this.#pictures.map(({ size, mediaType, bytes, tokens }) => ({
          ...size,
          mediaType,
          bytes,
          tokens,
        }));
        row.pictures.push(...sent);
        row.pictureCount += sent.length;
        this.#pictures = [];
        return;
      }
      case "model_reply": {
        const { id, stopReason, usage, calls, text, kept } = record.data;
        if (row.request) this.totals.modelMs += Math.max(0, at - row.request.at);
        row.reply = {
          at,
          id: cut(id, 128),
          stopReason: cut(stopReason, 64),
          textLength: text.length,
          ...(kept === undefined ? {} : { kept }),
          ...usage,
          calls: calls.slice(0, TURN_LIST).map(({ name }) => cut(name, 64)),
          callCount: calls.length,
        };
        return;
      }
      case "retry":
        row.retryCount += 1;
        if (row.retries.length < TURN_LIST) {
          row.retries.push({ at, reason: cut(record.data.reason, 300), waitMs: record.data.waitMs });
        }
        return;
      case "history_pruned":
        row.prunedImages += record.data.images;
        return;
    }
  }

  /** The row of a record's turn; a new one where another turn is open or this one was answered. */
  #turnRow(record: Of<"model_request" | "model_reply" | "retry" | "history_pruned">): TurnRow {
    const { turn } = record.data;
    const current = this.#turn;
    const isOver = record.kind === "model_request" && current?.request !== undefined;
    if (current && current.turn === turn && !isOver) return current;
    this.#flush(0);
    this.#byCall.clear();
    const row: TurnRow = {
      kind: "turn",
      seq: record.seq,
      turn,
      at: record.mono,
      end: record.mono,
      retries: [],
      retryCount: 0,
      prunedImages: 0,
      pictures: [],
      pictureCount: 0,
    };
    this.#turn = row;
    this.#push(row);
    return row;
  }

  #answer({ data, mono: at, seq }: Of<"answers">): void {
    for (const { callId, text, isError, frame } of data.answers) {
      const row = this.#byCall.get(callId);
      if (!row || row.turn !== data.turn) continue;
      row.told = { at, seq, text: cut(text), isError, ...(frame === undefined ? {} : { frame }) };
    }
  }

  #addFrame(record: Of<"frame">): void {
    const { digest, size, bytes, reason } = record.data;
    const frame: FrameName = { digest, size, bytes };
    remember(this.#frames, digest, frame, KNOWN_FRAMES);
    const row = this.#action;
    const asked = reason === "model" || reason === "agent";
    if (row && asked) {
      row.after = frame;
      this.#touch(row, record.mono);
      // A closer look has another scale: it is not the screen that later places are on.
      if (row.name === "zoom") return;
    } else if (row && reason === "turn" && row.receipt && !row.after) {
      row.after = frame;
    } else if (reason === "start") {
      this.#push(makeNote(record, "plain", "First look at the screen", "", frame));
    }
    this.#screen = frame;
  }

  #frameOf(digest: string): FrameName {
    return this.#frames.get(digest) ?? { digest };
  }

  #push(row: Row): void {
    this.#open.push(row);
    if (this.#open.length > OPEN_ROWS) this.#flush(OPEN_ROWS / 2);
  }

  #flush(keep: number): void {
    const ready = this.#open.splice(0, this.#open.length - keep);
    for (const row of ready) this.#onRow(row);
  }
}

/** Sets a key of a map that never grows beyond its limit: what was set first is forgotten first. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value, limit = OPEN_ROWS): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= limit) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
