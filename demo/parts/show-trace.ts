// (f) Where the trace is, that its chain holds, that a changed byte would be noticed, and the run as a page.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { askCapuchin, capuchin } from "../capuchin.js";
import type { Plan } from "../plan.js";
import { explain, mark, show } from "../terminal.js";

const HEAD = 13;
const TAIL = 6;

export function showTrace({ trace, folder }: Plan): void {
  if (!existsSync(trace)) {
    mark(false, `there is no trace in ${trace}/: the run did not begin`);
    return;
  }
  const { stdout } = askCapuchin("trace", "show", trace);
  // The records; what follows after a blank line is the verdict, which `trace verify` gives below.
  const lines = (stdout.split("\n\n")[0] ?? "").split("\n");
  show(lines.slice(0, HEAD).join("\n"));
  explain(`… ${lines.length - HEAD - TAIL} more lines: capuchin trace show ${trace}`);
  show(lines.slice(-TAIL).join("\n"));
  mark(capuchin("trace", "verify", trace) === 0, `the trace in ${trace}/ is whole`);

  const altered = `${folder}/trace-altered`;
  cpSync(trace, altered, { recursive: true });
  const records = readFileSync(`${altered}/trace.jsonl`, "utf8");
  writeFileSync(`${altered}/trace.jsonl`, records.replace('"verdict":"allow"', '"verdict":"deny"'));
  const verdict = askCapuchin("trace", "verify", altered);
  show(verdict.stdout || verdict.stderr);
  mark(verdict.code === 1, "a copy in which one word was changed is not");
  const report = `${folder}/report.html`;
  mark(capuchin("trace", "export", trace, "--html", report) === 0, `the run as one page: open ${report}`);
}
