// What a run does beside turns and actions, as rows: opened, paused, released, ended, and the like.
import type { TraceRecord } from "../../contract/journal-records.js";
import { cut, type FrameName, type NoteRow, type Tone } from "./row.js";
import { heldText, plural } from "./words.js";

export type NoteRecord = Extract<
  TraceRecord,
  { kind: "desktop_opened" | "endorsed" | "control" | "released" | "run_ended" }
>;

export function makeNote(
  { seq, mono }: Pick<TraceRecord, "seq" | "mono">,
  tone: Tone,
  title: string,
  text: string,
  frame?: FrameName,
): NoteRow {
  const row = { kind: "note", seq, at: mono, end: mono, tone, title, text: cut(text) } as const;
  return frame ? { ...row, frame } : row;
}

const CONTROL_TITLES = { pause: "Paused", resume: "Resumed", stop: "Stopped" } as const;

export function noteOf(record: NoteRecord): NoteRow {
  switch (record.kind) {
    case "desktop_opened": {
      const { kind, size, released } = record.data;
      const text = `${cut(kind, 64)}, ${size.width} × ${size.height}; ${heldText(released)}`;
      return makeNote(record, "plain", "Desktop opened", text);
    }
    case "endorsed": {
      const { reason, value } = record.data;
      const title = `The agent trusted ${plural(value.length, "character")} from the screen or the model`;
      return makeNote(record, "warn", title, reason);
    }
    case "control": {
      const { what, reason } = record.data;
      return makeNote(record, what === "stop" ? "bad" : "warn", CONTROL_TITLES[what], reason);
    }
    case "released": {
      const { when, released } = record.data;
      const held = released.keys.length + released.buttons.length > 0;
      return makeNote(record, held ? "warn" : "plain", `Released at ${when}`, heldText(released));
    }
    case "run_ended": {
      const { outcome, code, message = "" } = record.data;
      const why = code === undefined ? "" : `${cut(code, 64)}${message === "" ? "" : `: ${message}`}`;
      return makeNote(record, outcome === "completed" ? "good" : "bad", `Run ended: ${outcome}`, why);
    }
  }
}
