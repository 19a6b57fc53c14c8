// Every row C of the adversarial catalogue has a test whose name holds its id. A row that loses its test fails here.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** What each row is about. The ids are stable labels; they need not be consecutive. */
const ROWS: Readonly<Record<string, string>> = {
  "C-002": "control sequences in any text of others",
  "C-004": "path options: above the folder, devices, links, dashes",
  "C-005": "numeric options, read in part or out of range",
  "C-007": "DISPLAY of a workstation, inherited",
  "C-009": "another user on the private display",
  "C-010": "display numbers and locks: taken, stale, linked, raced for",
  "C-011": "a server on TCP, a cookie that others can read",
  "C-012": "NODE_OPTIONS, LD_PRELOAD, a PATH that begins in the folder",
  "C-013": "signals once and twice, closed pipes, no standard input",
  "C-014": "an API key in arguments and crashes",
  "C-015": "consent from a pipe",
  "C-017": "exit code and error.code of each class",
};

const folder = fileURLToPath(new URL("..", import.meta.url));

/** Texts in quotes that hold an id, in all files of tests but this one: the names that tests give themselves. */
const NAMES = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts") && !file.endsWith("command-line-coverage.test.ts"))
  .flatMap((file) => readFileSync(join(folder, file), "utf8").match(/["'`][^"'`\n]*\bC-\d{3}\b/g) ?? []);

it.each(Object.entries(ROWS))("%s (%s) is played", (id) => {
  expect(NAMES.some((name) => name.includes(id))).toBe(true);
});

it("knows no row that the catalogue does not have", () => {
  const named = new Set(NAMES.flatMap((name) => name.match(/\bC-\d{3}\b/g) ?? []));
  expect([...named].filter((id) => !Object.hasOwn(ROWS, id))).toEqual([]);
});
