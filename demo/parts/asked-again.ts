// What became of the faults in the form run: the model was asked again, and nothing was done twice.
import { existsSync, readFileSync } from "node:fs";
import type { Plan } from "../plan.js";
import { explain, mark, show } from "../terminal.js";

interface TraceLine {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What must have happened, by what the trace says of it. */
const FAULTS = [
  { what: "a server that was overloaded in mid-reply (529)", reason: /overloaded_error/ },
  { what: "a connection that was reset in mid-reply", reason: /the connection (?:broke off|was closed)/ },
];

export function showAskedAgain({ trace, goal }: Plan): void {
  explain("Faults: while the model was asking to type, its server failed twice. The trace says of it:");
  const file = `${trace}/trace.jsonl`;
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TraceLine);
  const retries = lines.filter(({ kind }) => kind === "retry").map(({ data }) => data);
  for (const { turn, waitMs, reason } of retries) {
    show(`turn ${turn}: asked again after ${waitMs} ms, because ${reason}`);
  }
  for (const { what, reason } of FAULTS) {
    mark(
      retries.some((retry) => reason.test(String(retry["reason"]))),
      `the run survived ${what}`,
    );
  }
  const typed = lines.filter(({ kind, data }) => kind === "action" && data["name"] === "type");
  const wanted = goal.split("\n").length - 1;
  mark(typed.length === wanted, `it typed ${wanted} times, once for each field`);
}
