// Specs for tests of commands: entries made from declarations, sealed and written like a build does.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestBytes } from "../../src/base/digest.js";
import { type AgentEntry, declaredFields, sealSpec, serialiseSpec } from "../../src/contract/agent-spec.js";
import { checkDeclaration } from "../../src/contract/declaration.js";

export function entryOf(agent: string, options: Record<string, unknown>): AgentEntry {
  const { declaration } = checkDeclaration(options);
  if (!declaration) throw new Error("the fixture's declaration is wrong");
  return {
    agent,
    file: "agent.ts",
    ...declaredFields(declaration),
    uses: [],
    sourceHash: digestBytes(agent),
  };
}

/** Writes a spec of these entries into a folder; returns its path. */
export function writeSpec(folder: string, entries: readonly AgentEntry[]): string {
  const path = join(folder, "computer-use.json");
  writeFileSync(path, serialiseSpec(sealSpec("test", entries)));
  return path;
}
