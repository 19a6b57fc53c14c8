// (a) `capuchin check` on the examples, all proved, and on agents that must be refused, one for each code: a line for
// each, and one report in full. The command that prints the rest is named.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { askCapuchin, askCapuchinIn, capuchin } from "../capuchin.js";
import { command, explain, mark, show } from "../terminal.js";

const REJECTED = "examples/rejected";
const PROJECT = `${REJECTED}/tsconfig.json`;
/** The one whose report is shown as it is. */
const SHOWN = "cu6030-missing-word.ts";

interface Finding {
  readonly file: string;
  readonly code: string;
}

export function checkExamples(): void {
  mark(capuchin("check", "-p", "examples/tsconfig.json") === 0, "every example is proved");
  explain("Now agents that must not pass: a file or a folder for each code, named after it.");
  command(["capuchin", "check", "-p", PROJECT]);
  const names = readdirSync(REJECTED, { withFileTypes: true }).filter(({ name }) => /^cu\d{4}-/.test(name));
  const files = names.filter((entry) => entry.isFile()).map(({ name }) => name);
  const { code, stdout } = askCapuchin("check", "-p", PROJECT);
  show(reportOf(stdout, SHOWN));
  const found = findings();
  const wrong = files.filter((file) => codesOf(found, file).join() !== codeOf(file));
  for (const file of files) showCode(file, found);
  mark(code === 1, "together they are refused");
  mark(
    files.length > 0 && wrong.length === 0,
    `${files.length} files have the finding they are named after, and no other`,
  );
  if (wrong.length > 0)
    explain(
      `not so: ${wrong.map((file) => `${file} has ${codesOf(found, file).join() || "none"}`).join("; ")}`,
    );
  for (const { name } of names.filter((entry) => entry.isDirectory())) checkFolder(name);
  explain(`All reports in full: npx capuchin check -p ${PROJECT}`);
}

/** The report of one file, out of the report of all. */
function reportOf(report: string, file: string): string {
  return report.split(/\n(?=\S+:\d+:\d+ )/).find((part) => part.startsWith(file)) ?? "";
}

function showCode(file: string, found: readonly Finding[]): void {
  const code = codeOf(file);
  const count = found.filter((each) => each.file === file && each.code === code).length;
  show(`${code}  ${count} finding${count === 1 ? " " : "s"}  ${file}`);
}

function checkFolder(name: string): void {
  const folder = join(REJECTED, name);
  const expected = codeOf(name);
  const words = expected === "CU6052" ? ["build", "--check"] : ["check"];
  const { code, stdout, stderr } = askCapuchinIn(folder, ...words);
  const isRefused = code === 1 && `${stdout}${stderr}`.includes(expected);
  mark(isRefused, `${name} is refused with ${expected} by capuchin ${words.join(" ")} in its folder`);
  if (!isRefused) show(stdout || stderr);
}

/** What the JSON report holds: file and code of each finding. */
function findings(): readonly Finding[] {
  const report = JSON.parse(askCapuchin("check", "-p", PROJECT, "--format", "json").stdout);
  return (report.diagnostics as { file?: string; code: string }[]).map(({ file = "", code }) => ({
    file,
    code,
  }));
}

function codesOf(found: readonly Finding[], file: string): readonly string[] {
  return [...new Set(found.filter((each) => each.file === file).map(({ code }) => code))];
}

function codeOf(name: string): string {
  return name.slice(0, 6).toUpperCase();
}
