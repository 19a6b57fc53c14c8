// (c) In which pixels the model spoke: what the trace says of the display, of the pictures and of the clicks.
import { existsSync, readFileSync } from "node:fs";
import type { Plan } from "../plan.js";
import { explain, mark } from "../terminal.js";

interface Size {
  readonly width: number;
  readonly height: number;
}

export function showPictures({ trace, size }: Plan): void {
  const file = `${trace}/trace.jsonl`;
  if (!existsSync(file)) return;
  const records = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ofKind = (kind: string) => records.filter((record) => record.kind === kind).map(({ data }) => data);
  const opened: Size[] = ofKind("desktop_opened").map((data) => data.size);
  const pictures = [...new Set(ofKind("picture").map((data) => format(data.size)))];
  mark(
    opened.length === 1 && opened.every((found) => format(found) === format(size)),
    `the display has ${format(size)} pixels; the model was shown ${pictures.join(" and ")}`,
  );
  const clicks: { x: number; y: number }[] = ofKind("action")
    .filter(({ name, verdict }) => name === "left_click" && verdict === "allow")
    .map(({ input }) => input.coordinate);
  explain(`Its clicks, in pixels of the display: ${clicks.map(({ x, y }) => `(${x}, ${y})`).join(" ")}`);
}

function format({ width, height }: Size): string {
  return `${width} × ${height}`;
}
