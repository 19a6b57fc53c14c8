// The rows of a time line: turns of the model, actions, and what else happened. Plain data, cut to bounded lengths;
// every text in it is still as it was recorded and is escaped by whoever shows it.
import type { RecordedInput } from "../../contract/journal-records.js";
import type { Rule } from "./rule.js";

/** Times are monotonic milliseconds since the run began. */
export type Milliseconds = number;

/** A frame as the records name it; the size only where a record says it. */
export interface FrameName {
  readonly digest: string;
  readonly size?: { readonly width: number; readonly height: number };
  readonly bytes?: number;
}

export interface TurnRow {
  readonly kind: "turn";
  /** First record that belongs to the row. */
  readonly seq: number;
  readonly turn: number;
  readonly at: Milliseconds;
  end: Milliseconds;
  request?: {
    readonly at: Milliseconds;
    readonly messages: number;
    readonly images: number;
    readonly bytes: number;
    readonly tokens?: { readonly text: number; readonly images: number; readonly tool: number };
  };
  reply?: {
    readonly at: Milliseconds;
    readonly id: string;
    readonly stopReason: string;
    readonly textLength: number;
    /** Digest of the kept reply, where one is. */
    readonly kept?: string;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheWriteTokens: number;
    /** Names of the calls, the first of them; `callCount` says how many there were. */
    readonly calls: readonly string[];
    readonly callCount: number;
  };
  readonly retries: { readonly at: Milliseconds; readonly reason: string; readonly waitMs: number }[];
  retryCount: number;
  prunedImages: number;
  readonly pictures: {
    readonly width: number;
    readonly height: number;
    readonly mediaType: string;
    readonly bytes: number;
    readonly tokens: number;
  }[];
  pictureCount: number;
}

export type Verdict = "allow" | "deny" | "not_executed";

export interface ActionRow {
  readonly kind: "action";
  readonly seq: number;
  /** Counted from 1 over the whole run. */
  readonly number: number;
  readonly turn: number;
  readonly at: Milliseconds;
  end: Milliseconds;
  readonly source: "model" | "agent";
  readonly actionId: string;
  readonly callId?: string;
  readonly name?: string;
  readonly input?: RecordedInput;
  readonly verdict: Verdict;
  readonly code?: string;
  readonly reason?: string;
  readonly rule: Rule;
  /** The request that the action answers to, and the reply that proposed it. */
  readonly requestAt?: Milliseconds;
  readonly replyAt?: Milliseconds;
  intent?: { readonly at: Milliseconds; readonly seq: number };
  receipt?: {
    readonly at: Milliseconds;
    readonly seq: number;
    readonly status: string;
    readonly events: number;
    readonly code?: string;
    readonly reason?: string;
  };
  verification?: {
    readonly at: Milliseconds;
    readonly seq: number;
    readonly outcome: string;
    readonly effect: string;
    readonly detail: string;
  };
  violation?: { readonly at: Milliseconds; readonly violation: string; readonly fatal: boolean };
  told?: {
    readonly at: Milliseconds;
    readonly seq: number;
    readonly text: string;
    readonly isError: boolean;
    readonly frame?: string;
  };
  before?: FrameName;
  after?: FrameName;
  /** Where the pointer was left before; only for pointer actions that name no place themselves. */
  readonly pointer?: { readonly x: number; readonly y: number };
}

/** How a note is coloured: plain news, something to look at, something bad, a good end. */
export type Tone = "plain" | "warn" | "bad" | "good";

export interface NoteRow {
  readonly kind: "note";
  readonly seq: number;
  readonly at: Milliseconds;
  readonly end: Milliseconds;
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  readonly frame?: FrameName;
}

export type Row = TurnRow | ActionRow | NoteRow;

/** The longest text of a row. */
export const TEXT_LIMIT = 1000;

/** The text, cut to a number of UTF-16 units with a sign that it was; never within a surrogate pair. */
export function cut(text: string, limit = TEXT_LIMIT): string {
  if (text.length <= limit) return text;
  const end = limit - 1;
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, isHigh ? end - 1 : end)}…`;
}
