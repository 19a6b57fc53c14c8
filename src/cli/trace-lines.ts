// The records of a trace as lines for people: one line for what matters, none for what only machines need.
// Everything from the trace is escaped; a trace is somebody else's file.
import { escapeText } from "../base/escape.js";
import type { RecordedInput, TraceRecord, WithheldText } from "../contract/journal-records.js";

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function withheld(text: WithheldText): string {
  return counted(text.length, "character");
}

function describeField(value: RecordedInput[string]): string {
  if (typeof value !== "object") return escapeText(String(value));
  if ("length" in value) return `‹${withheld(value)}›`;
  if ("width" in value) return `${value.width}×${value.height} at ${value.x},${value.y}`;
  return `${value.x},${value.y}`;
}

/** An action as people write it: `left_click 412,233`, `key ctrl+s`, `type ‹12 characters›`. */
export function describeAction(name: string | undefined, input: RecordedInput | undefined): string {
  const fields = Object.entries(input ?? {}).map(([key, value]) =>
    key === "coordinate" || key === "text" || key === "region"
      ? describeField(value)
      : `${escapeText(key)}=${describeField(value)}`,
  );
  return [name ?? "(not an action)", ...fields].join(" ");
}

function seconds(record: TraceRecord): string {
  return `${(record.mono / 1000).toFixed(1).padStart(6)}s`;
}

function line(record: TraceRecord, text: string): string {
  return `${String(record.seq).padStart(4)} ${seconds(record)}  ${text}`;
}

function codeAndReason(code: string | undefined, reason: string | undefined): string {
  return code === undefined ? "" : ` ${code}${reason === undefined ? "" : `: ${reason}`}`;
}

function held(released: { readonly keys: readonly string[]; readonly buttons: readonly number[] }): string {
  const all = [...released.keys, ...released.buttons.map((button) => `button ${button}`)];
  return all.length === 0 ? "nothing was held" : `let go of ${all.join(", ")}`;
}

type Answer = Extract<TraceRecord, { kind: "answers" }>["data"]["answers"][number];

/** An answer may be a picture and no words. */
function told({ text, frame }: Answer): string {
  return text === "" && frame !== undefined ? "(a picture)" : text;
}

type LoopRecord = Extract<
  TraceRecord,
  { kind: "picture" | "answers" | "model_request" | "model_reply" | "retry" | "history_pruned" }
>;

/** What went to the model and came from it. */
function loopText(record: LoopRecord): string {
  switch (record.kind) {
    case "picture": {
      const { size, mediaType, bytes, frame } = record.data;
      return `picture ${size.width}×${size.height} ${mediaType}, ${bytes} bytes, of frame ${frame.slice(7, 19)}`;
    }
    case "answers":
      return `turn ${record.data.turn} ─ told: ${record.data.answers.map(told).join(" | ")}`;
    case "model_request":
      return `turn ${record.data.turn} ─ request: ${counted(record.data.messages, "message")}, ${counted(record.data.images, "image")}`;
    case "model_reply": {
      const { turn, stopReason, calls, text, usage } = record.data;
      const tokens = `${usage.inputTokens} + ${usage.outputTokens} tokens`;
      return `turn ${turn} ─ reply: ${counted(calls.length, "call")}, ${withheld(text)} of text, ${stopReason}, ${tokens}`;
    }
    case "retry":
      return `turn ${record.data.turn} ─ asked again (${record.data.reason}) after ${record.data.waitMs} ms`;
    case "history_pruned": {
      const { turn, images, results = 0, messages = 0, why = "pictures" } = record.data;
      const left = [
        counted(images, "older image"),
        counted(results, "answer"),
        counted(messages, "message"),
      ].filter((part, index) => index === 0 || !part.startsWith("0 "));
      const because = {
        pictures: "",
        refused: ": the API refused the request for its pictures",
        context: ": the model's context was full",
        compaction: ": the server summarised them",
      };
      return `turn ${turn} ─ ${left.join(", ")} left out of requests${because[why]}`;
    }
  }
}

function textOf(record: TraceRecord): string | undefined {
  switch (record.kind) {
    case "run_started": {
      const { agent, runId, model, desktop, capability, goal, derived } = record.data;
      const from = derived ? "derived from the class, without a build" : "from a built spec";
      return `run ${runId} of ${agent} (${capability}; ${from}) on ${desktop} with ${model}, goal of ${withheld(goal)}`;
    }
    case "desktop_opened": {
      const { kind, size, released } = record.data;
      return `desktop ${kind} ${size.width}×${size.height} opened, ${held(released)}`;
    }
    case "picture":
    case "answers":
    case "model_request":
    case "model_reply":
    case "retry":
    case "history_pruned":
      return loopText(record);
    case "frame":
      return `frame ${record.data.digest.slice(7, 19)} (${record.data.reason})`;
    case "action": {
      const { source, name, input, verdict, code, reason } = record.data;
      const by = source === "agent" ? " (agent's own code)" : "";
      return `  ${describeAction(name, input)}${by} ─ ${verdict}${codeAndReason(code, reason)}`;
    }
    case "receipt": {
      const { status, events, code, reason } = record.data;
      return `    ${status}, ${counted(events, "event")} sent${codeAndReason(code, reason)}`;
    }
    case "verification": {
      const { effect, outcome, detail } = record.data;
      return `    effect ${effect} (${outcome}${detail === "" ? "" : `: ${detail}`})`;
    }
    case "violation":
      return `  VIOLATION ${record.data.code}: ${record.data.reason}${record.data.fatal ? " ─ ends the run" : ""}`;
    case "endorsed":
      return `  the agent trusted ${withheld(record.data.value)}: ${record.data.reason}`;
    case "control":
      return `${record.data.what}: ${record.data.reason}`;
    case "released":
      return `released (${record.data.when}): ${held(record.data.released)}`;
    case "run_ended": {
      const { outcome, code, message, turns, actions, events } = record.data;
      const sums = [
        counted(turns, "turn"),
        counted(actions, "action"),
        // What counts against `maxEvents`, which is fewer than what was sent: a click is one, and three on the display.
        `${counted(events, "event")} charged`,
      ];
      return `ended: ${outcome}${codeAndReason(code, message)} ─ ${sums.join(", ")}`;
    }
    case "intent":
      return undefined;
  }
}

/** The lines that show a record; none for records that only the machinery reads. */
export function describeRecord(record: TraceRecord): readonly string[] {
  const text = textOf(record);
  return text === undefined ? [] : [line(record, escapeText(text))];
}
