// A line of source with its number and a caret under the span that a finding points at. The text is somebody
// else's, so it is escaped; the caret is placed by the columns of the escaped text.
import { escapeText } from "../../base/escape.js";
import { columnsOf, expandTabs } from "./text-width.js";

export interface ExcerptSpan {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Excerpt {
  readonly lineNumber: string;
  readonly text: string;
  readonly before: number;
  readonly width: number;
}

const MAX_COLUMNS = 120;

function clean(text: string, startColumn: number): string {
  return expandTabs(text, startColumn)
    .split(/( +)/)
    .map((piece) => (piece.trim() === "" ? piece : escapeText(piece)))
    .join("");
}

/** The lines of a source text, as the compiler counts them. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r|\u2028|\u2029/);
}

/** The excerpt for a span, or undefined when the text has no such line. */
export function excerptOf(lines: readonly string[], span: ExcerptSpan): Excerpt | undefined {
  const line = lines[span.line - 1];
  if (line === undefined) return undefined;
  const end = span.endLine === span.line ? span.endColumn - 1 : line.length;
  let head = clean(line.slice(0, span.column - 1), 0);
  const marked = clean(line.slice(span.column - 1, end), columnsOf(head));
  const tail = clean(line.slice(end), columnsOf(head) + columnsOf(marked));
  let cut = head + marked + tail;
  if (columnsOf(head) > MAX_COLUMNS / 2) {
    const kept = [...head].slice(-MAX_COLUMNS / 4).join("");
    cut = `…${kept}${marked}${tail}`;
    head = `…${kept}`;
  }
  const points = [...cut];
  if (points.length > MAX_COLUMNS) cut = `${points.slice(0, MAX_COLUMNS - 1).join("")}…`;
  const before = columnsOf(head);
  const width = Math.max(1, Math.min(columnsOf(marked.trimEnd()), MAX_COLUMNS - before));
  return { lineNumber: String(span.line), text: cut.trimEnd(), before, width };
}
