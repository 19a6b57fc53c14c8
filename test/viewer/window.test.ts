import { expect, it } from "vitest";
import { type NoteRow, RowWindow } from "../../src/viewer/index.js";

const note = (seq: number, text = ""): NoteRow => ({
  kind: "note",
  seq,
  at: seq,
  end: seq,
  tone: "plain",
  title: "t",
  text,
});

function shownOf(count: number, maxRows: number, weight = 1e9) {
  const window = new RowWindow(maxRows, weight);
  for (let seq = 0; seq < count; seq++) window.add(note(seq));
  return window.shown();
}

it("shows everything that fits", () => {
  const shown = shownOf(8, 8);
  expect(shown.rows.map((row) => row.seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(shown.gap).toBeUndefined();
});

it("V-012: of a long run it keeps the beginning and the end, and counts what lies between", () => {
  const shown = shownOf(1_000_000, 8);
  expect(shown.rows.map((row) => row.seq)).toEqual([0, 1, 2, 3, 4, 5, 999_998, 999_999]);
  expect(shown.gap).toEqual({ rows: 999_992, from: 6, to: 999_997, before: 6 });
});

it("V-012: rows that are heavy are fewer", () => {
  const window = new RowWindow(1000, 100_000);
  for (let seq = 0; seq < 1000; seq++) window.add(note(seq, "x".repeat(1000)));
  const { rows, gap } = window.shown();
  expect(rows.length).toBeLessThan(100);
  expect(rows[0]?.seq).toBe(0);
  expect(rows.at(-1)?.seq).toBe(999);
  expect(gap?.rows).toBe(1000 - rows.length);
});
