// (d) What the form program printed, against what the goal asked for, to the character.
import { existsSync, readFileSync } from "node:fs";
import type { Plan } from "../plan.js";
import { mark } from "../terminal.js";

export function compareAnswer({ answer, entries, expected }: Plan): void {
  if (!existsSync(answer)) {
    mark(false, "the form program printed nothing: OK was never pressed");
    return;
  }
  const printed = readFileSync(answer, "utf8");
  const lines = printed.split("\n");
  entries.forEach(([name, value], index) => {
    const got = lines[index] ?? "";
    mark(got === value, `${name}: ${got}${got === value ? "" : `   (asked for: ${value})`}`);
  });
  mark(
    printed === expected,
    `all ${[...expected].length} characters are the same, line ends and all, and no other`,
  );
}
