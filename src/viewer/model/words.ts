// Recorded things in the words of people. What comes out may still hold text of others: it is escaped when shown.
import { ACTIONS, isActionName } from "../../contract/actions.js";
import type { RecordedInput } from "../../contract/journal-records.js";
import { cut } from "./row.js";

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** With a thin mark between thousands, so that long numbers can be read: 12,345. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A stretch of time: 870 ms, 3.4 s, 2 min 05 s. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = `${String(seconds % 60).padStart(2, "0")} s`;
  if (minutes < 60) return `${minutes} min ${rest}`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** A moment on the run's own clock: 3.4 s, 2:05.1, 1:02:05. */
export function formatMoment(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const tenth = Math.floor((ms % 1000) / 100);
  if (seconds < 60) return `${seconds}.${tenth} s`;
  const two = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}.${tenth}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${(bytes / 1000).toFixed(bytes < 9950 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `sha256:` and the first twelve digits: enough to tell two of one trace apart. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, "").slice(0, 12);
}

/** The title of an action: `Click`, `Press a key`; the sign of a call that was no action. */
export function actionTitle(name: string | undefined): string {
  if (name === undefined) return "Not an action";
  return isActionName(name) ? ACTIONS[name].title : name;
}

function fieldText(key: string, value: RecordedInput[string]): string {
  if (typeof value !== "object") {
    if (key === "duration") return formatDuration(Number(value));
    if (key === "repeat") return `${value} times`;
    if (key === "scroll_amount") return plural(Number(value), "click");
    return cut(String(value), 100);
  }
  if ("digest" in value) return plural(value.length, "character");
  if ("width" in value) return `${value.width} × ${value.height} at ${value.x}, ${value.y}`;
  return `${value.x}, ${value.y}`;
}

/** Fields in the order in which one says them. */
const ORDER: readonly string[] = ["start_coordinate", "coordinate", "region", "text", "scroll_direction"];

/** What the action was to do, without its name: `312, 331`, `ctrl+s`, `38 characters, withheld`. */
export function actionDetail(input: RecordedInput | undefined): string {
  const rank = (key: string): number => (ORDER.indexOf(key) + ORDER.length + 1) % (ORDER.length + 1);
  const entries = Object.entries(input ?? {}).sort(([a], [b]) => rank(a) - rank(b));
  const drag = entries.some(([key]) => key === "start_coordinate");
  return entries
    .slice(0, 12)
    .map(([key, value]) => {
      const text = fieldText(key, value);
      if (drag && key === "coordinate") return `to ${text}`;
      if (key === "text" && drag) return `with ${text}`;
      return text;
    })
    .join(drag ? " " : " · ");
}

/** Keys and buttons that were let go. */
export function heldText(released: {
  readonly keys: readonly string[];
  readonly buttons: readonly number[];
}): string {
  const all = [...released.keys, ...released.buttons.map((button) => `button ${button}`)];
  if (all.length === 0) return "nothing was held";
  return `let go of ${cut(all.slice(0, 20).join(", "), 300)}${all.length > 20 ? " and more" : ""}`;
}
