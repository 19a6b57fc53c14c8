import { expect, it } from "vitest";
import { csvCell } from "../../src/viewer/model/csv.js";

const cells: readonly (readonly [string, string])[] = [
  ["=cmd|' /C calc'!A0", `"'=cmd|' /C calc'!A0"`],
  ["+1", `"'+1"`],
  ["-2+3", `"'-2+3"`],
  ["@x", `"'@x"`],
  ["\t=1", `"'\\u{9}=1"`],
  ["\r=1", `"'\\u{d}=1"`],
  ["  =1", `"'  =1"`],
  ['=HYPERLINK("http://evil/")', `"'=HYPERLINK(""http://evil/"")"`],
  ["＝1+1", `"'＝1+1"`],
  // Where lists are written with semicolons, a spreadsheet begins a new cell at one, whatever is quoted.
  ["x;=cmd|' /C calc'!A0;", `"x;'=cmd|' /C calc'!A0;"`],
  ['x; "@SUM(1)', `"x;' ""@SUM(1)"`],
  // Benign twins: an ordinary text stays as it is, quoted.
  ["a=1", `"a=1"`],
  ['say "hi", then', `"say ""hi"", then"`],
  ["a; b;c=1; 2", `"a; b;c=1; 2"`],
  ["line\nfeed", `"line\\u{a}feed"`],
  ["", `""`],
];

it.each(cells)("V-014: the cell %j is no formula", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

it("a number of ours stays a number", () => {
  expect(csvCell(-3)).toBe("-3");
});
