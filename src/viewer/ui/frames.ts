// Which frames a page holds, where each of them stands, and what is marked on it. A frame stands with the first
// action that points at it, so that the mark is seen without a script and in print.

import type { Mark } from "../model/mark.js";
import { markOf } from "../model/place.js";
import type { FrameName, Row } from "../model/row.js";

export interface PlannedFrame {
  /** Counted from 1 in the order of first use. */
  readonly number: number;
  readonly name: FrameName;
  /** Index of the row that it stands with. */
  home: number;
  /** Marks of the actions that saw it before them, by the number of the action. */
  readonly marks: { readonly action: number; readonly mark: Mark }[];
  /** Why it is left out, where it is. */
  leftOut?: string;
  /** Seen at a refusal or a failure, or first or last of all. */
  important: boolean;
}

/** Marks drawn on one frame in the list. */
const MARKS_MAX = 24;

export type FramePlan = ReadonlyMap<string, PlannedFrame>;

function framesOf(row: Row): readonly (FrameName | undefined)[] {
  if (row.kind === "action") return [row.before, row.after];
  return row.kind === "note" ? [row.frame] : [];
}

function isTroubled(row: Row): boolean {
  if (row.kind !== "action") return false;
  return row.verdict !== "allow" || (row.receipt !== undefined && row.receipt.status !== "committed");
}

/** The frames of the rows, in the order of their first use. */
export function planFrames(rows: readonly Row[]): FramePlan {
  const plan = new Map<string, PlannedFrame>();
  for (const [index, row] of rows.entries()) {
    for (const name of framesOf(row)) {
      if (!name) continue;
      const known = plan.get(name.digest);
      if (known) known.important ||= isTroubled(row);
      else {
        const number = plan.size + 1;
        plan.set(name.digest, { number, name, home: index, marks: [], important: isTroubled(row) });
      }
    }
    const mark = row.kind === "action" ? markOf(row) : undefined;
    if (row.kind !== "action" || !row.before || !mark) continue;
    const frame = plan.get(row.before.digest);
    if (!frame || frame.marks.length >= MARKS_MAX) continue;
    if (frame.marks.length === 0) frame.home = index;
    frame.marks.push({ action: row.number, mark });
  }
  const [first, last] = [[...plan.values()][0], [...plan.values()].at(-1)];
  if (first) first.important = true;
  if (last) last.important = true;
  return plan;
}

/** Indices from 0 to `count` so that any beginning of the list is spread over the whole: 0, half, quarters, … */
function spread(count: number): number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  for (let parts = 1; seen.size < count; parts *= 2) {
    for (let part = 0; part < parts; part++) {
      const index = Math.floor((part * count) / parts);
      if (!seen.has(index)) {
        seen.add(index);
        order.push(index);
      }
    }
  }
  return order;
}

/** Leaves out what is over the budget: the important ones stay longest, the others are thinned evenly. */
export function keepWithin(
  plan: FramePlan,
  budget: number,
  sizeOf: (digest: string) => number | undefined,
  advice: string,
): void {
  const frames = [...plan.values()];
  const others = frames.filter((frame) => !frame.important);
  const ordered = [
    ...frames.filter((frame) => frame.important),
    ...spread(others.length).flatMap((index) => others[index] ?? []),
  ];
  let left = budget;
  for (const frame of ordered) {
    const size = sizeOf(frame.name.digest);
    // What cannot be read costs nothing and says why in its place.
    if (size === undefined) continue;
    if (size <= left) left -= size;
    else frame.leftOut = advice;
  }
}
