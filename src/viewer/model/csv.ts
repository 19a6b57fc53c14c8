// Actions as rows of a table for spreadsheets. Every cell is quoted; one that a spreadsheet would take for a formula
// gets an apostrophe before it, also where a spreadsheet splits lines at semicolons; invisible characters are shown by
// code point.
import { escapeText } from "../../base/escape.js";
import type { ActionRow } from "./row.js";
import { actionDetail } from "./words.js";

/** What a spreadsheet may read as the beginning of a formula, also after blanks, and in their wide forms. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;
/** The same within a cell: where the system's list sign is a semicolon, a new cell begins there, quoted or not. */
const INNER_FORMULA = /;(?=[\s"]*[=+\-@＝＋－＠])/g;

export function csvCell(value: string | number | undefined): string {
  // Numbers of ours are no text of others and stay numbers.
  if (typeof value === "number") return String(value);
  const text = value ?? "";
  const inner = escapeText(text).replace(INNER_FORMULA, ";'");
  const guarded = FORMULA.test(text) ? `'${inner}` : inner;
  return `"${guarded.replaceAll('"', '""')}"`;
}

const COLUMNS: readonly (readonly [string, (row: ActionRow) => string | number | undefined])[] = [
  ["record", (row) => row.seq],
  ["action", (row) => row.number],
  ["turn", (row) => row.turn],
  ["source", (row) => row.source],
  ["name", (row) => row.name],
  ["input", (row) => actionDetail(row.input)],
  ["verdict", (row) => row.verdict],
  ["code", (row) => row.code],
  ["reason", (row) => row.reason],
  ["status", (row) => row.receipt?.status],
  ["events", (row) => row.receipt?.events ?? 0],
  ["effect", (row) => row.verification?.effect],
  ["told", (row) => row.told?.text],
  ["begin_ms", (row) => Math.round(row.at)],
  ["duration_ms", (row) => Math.round(row.end - row.at)],
  ["action_id", (row) => row.actionId],
];

/** Lines end as RFC 4180 says. */
const LINE_END = "\r\n";

export function csvHead(): string {
  return `${COLUMNS.map(([name]) => csvCell(name)).join(",")}${LINE_END}`;
}

export function csvLine(row: ActionRow): string {
  return `${COLUMNS.map(([, read]) => csvCell(read(row))).join(",")}${LINE_END}`;
}
