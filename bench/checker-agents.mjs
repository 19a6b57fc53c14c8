// Generates a project of N agents (2N + 4 files) and prints how long a check of it takes, cold, in this process.
//   npm run build && node bench/checker-agents.mjs [N ...]
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

function agentSource(index) {
  const parent = index % 7 === 0 && index > 0 ? ` extends BaseAgent` : "";
  return `import { computer, computerUse } from "capuchin";
import { BaseAgent, SIZES, Size } from "../barrel.js";
import { step${index}, tidy${index} } from "../helpers/helper${index}.js";

@computerUse({ ...SIZES.wide, height: Size.Tall + ${index % 100}, cap: "computer.screen + computer.input" })
export class Agent${index}${parent} {
  #count = 0;
  private readonly label = "agent ${index}";
  async run(goal: string) {
    const words = goal.split(" ").map((word) => word.trim()).filter((word) => word.length > 0);
    for (const word of words) await this.#step(word);
    return computer.run(this, words.join(" "));
  }
  async #step(word: string) {
    this.#count += tidy${index}(word).length;
    await step${index}(this, word);
  }
  async *frames() {
    for (let at = 0; at < this.#count; at++) yield await computer.screenshot(this);
  }
  private describe() {
    return [this.label, String(this.#count)].join(": ").toUpperCase().padEnd(20);
  }
  override toString() { return this.describe(); }
}
`.replace("  override toString", parent ? "  override toString" : "  toString");
}

function helperSource(index) {
  const next = index > 0 ? index - 1 : 0;
  return `import { computer } from "capuchin";
import type { Agent${index} } from "../agents/agent${index}.js";
import { pause } from "../barrel.js";
export function tidy${index}(word: string) { return word.normalize("NFC").replace(/\\s+/g, " ").slice(0, 40); }
export async function step${index}(agent: Agent${index}, word: string) {
  await pause(word.length);
  await first${index}(agent, word);
}
async function first${index}(agent: Agent${index}, word: string) {
  const places = [${index}, ${next}].map((x) => ({ x, y: x + 1 }));
  for (const place of places) await computer.click(agent, place);
  await second${index}(agent, word);
}
async function second${index}(agent: Agent${index}, word: string) {
  await computer.type(agent, tidy${index}(word));
}
${Array.from({ length: 20 }, (_, n) => `export const format${index}_${n} = (text: string) => text.trim().split(",").map((part) => part.length + ${n}).join("-");`).join("\n")}
`;
}

function writeProject(count) {
  const folder = mkdtempSync(join(tmpdir(), "capuchin-bench-"));
  for (const name of ["agents", "helpers", "node_modules"]) mkdirSync(join(folder, name));
  symlinkSync(ROOT, join(folder, "node_modules/capuchin"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", type: "module" }));
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    types: [],
    lib: ["es2023", "esnext.disposable", "esnext.decorators"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  writeFileSync(
    join(folder, "barrel.ts"),
    `export * from "./base.js";\nexport * from "./sizes.js";\nexport const pause = (n: number) => Promise.resolve(n);\n`,
  );
  writeFileSync(
    join(folder, "base.ts"),
    `export abstract class BaseAgent { protected note(text: string) { return text.trim(); } toString() { return "agent"; } }\n`,
  );
  writeFileSync(
    join(folder, "sizes.ts"),
    `export enum Size { Low = 400, Tall = 1 << 9 }\nconst wide = { width: 640 * 2 };\nexport const SIZES = { wide, narrow: { width: 320 } };\n`,
  );
  for (let index = 0; index < count; index++) {
    writeFileSync(join(folder, `agents/agent${index}.ts`), agentSource(index));
    writeFileSync(join(folder, `helpers/helper${index}.ts`), helperSource(index));
  }
  return folder;
}

const { checkProject } = await import(process.env.CHECKER ?? join(ROOT, "dist/transformer/index.js"));
for (const count of (process.argv.slice(2).length > 0 ? process.argv.slice(2) : ["10", "100"]).map(Number)) {
  const folder = writeProject(count);
  const started = performance.now();
  const { report } = checkProject({ tsconfig: folder });
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  const { errors, warnings, agents, files } = report.stats;
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.log(
    `${count} agents: ${seconds} s, ${agents} proved, ${files} files, ${errors} errors, ${warnings} warnings, ${memory} MB`,
  );
  for (const each of report.diagnostics.slice(0, 3))
    console.log(`  ${each.file}:${each.line} ${each.code} ${each.message}`);
  rmSync(folder, { recursive: true, force: true });
}
