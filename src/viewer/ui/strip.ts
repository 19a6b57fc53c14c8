// The strip: the whole run on one line of time, drawn once, with places in per cent so that it needs no script and
// no fixed width. However long a run is, the drawing has a bounded number of bars.
import type { Row } from "../model/row.js";
import { formatMoment } from "../model/words.js";
import { all, type Html, h } from "./html.js";
import { type RowTone, toneOf } from "./row-html.js";

const COLUMNS = 900;
const LANES = { turn: 6, action: 24, note: 46 } as const;
const HEIGHTS = { turn: 10, action: 16, note: 8 } as const;

/** Where bars fall together, the one that matters more is seen. */
const WEIGHT: Readonly<Record<RowTone, number>> = {
  turn: 0,
  plain: 1,
  ok: 2,
  good: 3,
  skip: 4,
  warn: 5,
  bad: 6,
  deny: 7,
};

export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

export function spanOf(rows: readonly Row[]): TimeSpan {
  const from = rows[0]?.at ?? 0;
  const to = rows.reduce((latest, row) => Math.max(latest, row.end), from);
  return { from, to: Math.max(to, from + 1) };
}

interface Bar {
  readonly lane: keyof typeof LANES;
  readonly tone: RowTone;
  readonly column: number;
  end: number;
}

function barsOf(rows: readonly Row[], { from, to }: TimeSpan): Bar[] {
  const columnOf = (ms: number): number => Math.floor(((ms - from) / (to - from)) * (COLUMNS - 1));
  const bars = new Map<string, Bar>();
  for (const row of rows) {
    const tone = toneOf(row);
    const start = row.kind === "turn" ? (row.request?.at ?? row.at) : row.at;
    const end = row.kind === "turn" ? (row.reply?.at ?? row.end) : row.end;
    const bar: Bar = { lane: row.kind, tone, column: columnOf(start), end: columnOf(end) };
    const key = `${bar.lane}.${bar.column}`;
    const there = bars.get(key);
    if (!there || WEIGHT[tone] > WEIGHT[there.tone]) bars.set(key, bar);
    else there.end = Math.max(there.end, bar.end);
  }
  return [...bars.values()].sort((a, b) => WEIGHT[a.tone] - WEIGHT[b.tone]);
}

function percent(column: number): string {
  return `${Math.round((column / COLUMNS) * 100_000) / 1000}%`;
}

/** Marks of time on the strip at most. */
const MARKS_MAX = 7;

/** A round step of time with six marks or fewer on the strip. */
function stepOf(length: number): number {
  const units = [1, 2, 5];
  for (let power = 1; ; power *= 10) {
    for (const unit of units) if (length / (unit * power) <= 6) return unit * power;
  }
}

function axisOf({ from, to }: TimeSpan): Html[] {
  const step = stepOf(to - from);
  const first = Math.ceil(from / step) * step;
  const marks: Html[] = [];
  // Counted, and each place reckoned anew: on a clock with very large numbers a step added may change nothing.
  for (let mark = 0; mark < MARKS_MAX; mark++) {
    const ms = first + mark * step;
    if (!(ms <= to)) break;
    const share = (ms - from) / (to - from);
    const x = `${Math.round(share * 100_000) / 1000}%`;
    const anchor = share < 0.04 ? "start" : share > 0.96 ? "end" : "middle";
    marks.push(h("line", { class: "grid", x1: x, x2: x, y1: 2, y2: 58 }));
    marks.push(h("text", { x, y: 70, "text-anchor": anchor }, formatMoment(ms)));
  }
  return marks;
}

export function stripOf(rows: readonly Row[]): Html {
  const span = spanOf(rows);
  const bars = barsOf(rows, span).map(({ lane, tone, column, end }) =>
    h("rect", {
      class: tone,
      x: percent(column),
      width: percent(Math.max(end - column, 2)),
      y: LANES[lane],
      height: HEIGHTS[lane],
      rx: 1.5,
    }),
  );
  return h(
    "section",
    { class: "strip", "aria-label": "The run on one line of time" },
    h(
      "div",
      { class: "lanes", "aria-hidden": "true" },
      h("span", {}, "model"),
      h("span", {}, "actions"),
      h("span", {}, "events"),
    ),
    h(
      "div",
      { class: "track", id: "track" },
      h(
        "svg",
        { width: "100%", height: 74, role: "img", "aria-label": "Turns, actions and events by time" },
        all(...axisOf(span), ...bars),
      ),
      h("div", { class: "cursor", id: "cursor", hidden: true }),
    ),
  );
}
