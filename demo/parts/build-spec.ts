// (b) `capuchin build`, and what it says of the agent that runs next.
import { readFileSync } from "node:fs";
import { capuchin } from "../capuchin.js";
import type { Plan } from "../plan.js";
import { explain, mark, show } from "../terminal.js";

/** Says whether there is a spec now; without one nothing can run. */
export function buildSpec({ spec }: Plan): boolean {
  const code = capuchin("build", "-p", "examples/tsconfig.json", "--out", spec);
  mark(code === 0, "the spec is built");
  if (code !== 0) return false;
  const { agents } = JSON.parse(readFileSync(spec, "utf8"));
  const { uses, sourceHash, ...rest } = agents.find(({ agent }: { agent: string }) => agent === "FormFiller");
  explain("The entry of FormFiller; sourceHash and the call paths in uses left out:");
  const names = uses.map((use: { function?: string; name?: string }) => use.function ?? use.name);
  show(JSON.stringify({ ...rest, uses: names }, undefined, 2));
  return true;
}
