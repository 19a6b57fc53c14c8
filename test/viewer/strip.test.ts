// The strip is drawn in bounded work, whatever numbers a trace has for times.
import { expect, it } from "vitest";
import { makeNote } from "../../src/viewer/model/note.js";
import { stripOf } from "../../src/viewer/ui/strip.js";

const note = (mono: number) => makeNote({ seq: 0, mono }, "plain", "Paused", "");

const spans: readonly (readonly [string, number, number])[] = [
  ["one moment", 0, 0],
  ["an ordinary run", 12, 61_000],
  // Beside numbers of this size, a step added changes nothing.
  ["a clock of very large numbers", 1e17, 1e17 + 16],
  ["the largest numbers", 1e308, Number.MAX_VALUE],
  ["from nothing to the largest number", 0, Number.MAX_VALUE],
  ["a clock that goes back", 5000, 1],
];

it.each(spans)("V-012: the axis of %s has a bounded number of marks", (_what, from, to) => {
  const { text } = stripOf([note(from), note(to)]);
  const marks = text.match(/<line class="grid"/g) ?? [];
  expect(marks.length).toBeLessThanOrEqual(7);
  expect(text).not.toMatch(/NaN|Infinity/);
});

it("an ordinary axis has its round marks", () => {
  const { text } = stripOf([note(0), note(61_000)]);
  expect(text.match(/<text[^>]*>[^<]*/g)?.map((mark) => mark.replace(/.*>/, ""))).toEqual([
    "0.0 s",
    "20.0 s",
    "40.0 s",
    "1:00.0",
  ]);
});
