// (a) `capuchin check` on the examples, all proved, and on agents that must be refused, one for each code.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { askCapuchin, askCapuchinIn, capuchin } from "../capuchin.js";
import { explain, mark, show } from "../terminal.js";

const REJECTED = "examples/rejected";

export function checkExamples(): void {
  mark(capuchin("check", "-p", "examples/tsconfig.json") === 0, "every example is proved");
  explain("Now agents that must not pass: a file or a folder for each code, named after it.");
  const code = capuchin("check", "-p", `${REJECTED}/tsconfig.json`);
  mark(code === 1, "together they are refused");
  const names = readdirSync(REJECTED, { withFileTypes: true }).filter(({ name }) => /^cu\d{4}-/.test(name));
  const files = names.filter((entry) => entry.isFile()).map(({ name }) => name);
  const found = codesByFile(`${REJECTED}/tsconfig.json`);
  const wrong = files.filter((file) => found.get(file)?.join() !== codeOf(file));
  mark(
    files.length > 0 && wrong.length === 0,
    `${files.length} files have the finding they are named after, and no other`,
  );
  if (wrong.length > 0)
    explain(`not so: ${wrong.map((file) => `${file} has ${found.get(file)?.join() ?? "none"}`).join("; ")}`);
  for (const { name } of names.filter((entry) => entry.isDirectory())) checkFolder(name);
}

function checkFolder(name: string): void {
  const folder = join(REJECTED, name);
  const expected = codeOf(name);
  const words = expected === "CU6052" ? ["build", "--check"] : ["check"];
  explain(`capuchin ${words.join(" ")}, in ${folder}:`);
  const { code, stdout, stderr } = askCapuchinIn(folder, ...words);
  show(stdout || stderr);
  mark(code === 1 && `${stdout}${stderr}`.includes(expected), `${name} is refused with ${expected}`);
}

/** The codes found in each file, from the JSON report. */
function codesByFile(project: string): ReadonlyMap<string, readonly string[]> {
  const report = JSON.parse(askCapuchin("check", "-p", project, "--format", "json").stdout);
  const codes = new Map<string, string[]>();
  for (const { file, code } of report.diagnostics as { file?: string; code: string }[]) {
    const known = codes.get(file ?? "") ?? [];
    if (!known.includes(code)) codes.set(file ?? "", [...known, code]);
  }
  return codes;
}

function codeOf(name: string): string {
  return name.slice(0, 6).toUpperCase();
}
