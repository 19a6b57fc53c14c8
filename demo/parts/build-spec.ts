// (b) `capuchin build`, and what it says of the agent that runs next.
import { readFileSync } from "node:fs";
import { capuchin } from "../capuchin.js";
import type { Plan } from "../plan.js";
import { explain, mark, show } from "../terminal.js";

/** Says whether there is a spec now; without one nothing can run. */
export function buildSpec({ spec, project }: Plan): boolean {
  const code = capuchin("build", "-p", project, "--out", spec);
  mark(code === 0, "the spec is built");
  if (code !== 0) return false;
  const { agents } = JSON.parse(readFileSync(spec, "utf8"));
  const { uses, sourceHash, ...rest } = agents.find(({ agent }: { agent: string }) => agent === "FormFiller");
  explain("The entry of FormFiller; sourceHash and the call paths in uses left out:");
  const names = uses.map((use: { function?: string; name?: string }) => use.function ?? use.name);
  const fields = Object.entries({ ...rest, uses: names });
  show(fields.map(([name, value]) => `${name.padEnd(12)} ${wrap(JSON.stringify(value))}`).join("\n"));
  return true;
}

/** Breaks a long list after its commas. */
function wrap(text: string): string {
  const parts = text.split(/(?<=,)/);
  let width = 0;
  return parts
    .map((part) => {
      const broken = width + part.length > 90;
      width = broken ? part.length : width + part.length;
      return broken ? `\n${" ".repeat(13)}${part}` : part;
    })
    .join("");
}
