// The form agent on a display of another size, or for another model: the example's own source with those two changed,
// and a project around it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Plan } from "../plan.js";
import { explain } from "../terminal.js";

const EXAMPLE = "examples/form-filler/agent.ts";

export function writeSizedAgent({ size, modelId, agent, project }: Plan): void {
  const source = readFileSync(EXAMPLE, "utf8");
  const declared = modelId === undefined ? "" : `  model: "${modelId}",\n`;
  const changed = source
    .replace(/^ {2}width: \d+,\n/m, `  width: ${size.width},\n`)
    .replace(/^ {2}height: \d+,\n/m, `  height: ${size.height},\n${declared}`);
  const folder = agent.slice(0, agent.lastIndexOf("/"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(agent, changed);
  const settings = { extends: relative(folder, "examples/tsconfig.json"), include: ["."] };
  writeFileSync(project, `${JSON.stringify(settings, null, 2)}\n`);
  const model = modelId === undefined ? "" : `, for the model ${modelId}`;
  explain(`${agent}: the example's agent on a display of ${size.width} × ${size.height}${model}.`);
}
