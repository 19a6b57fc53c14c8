// `npm run docs:api` writes docs/api from the types; with --check it compares and changes nothing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT, readEntries } from "./declarations.js";
import { pageOf, undocumented } from "./page.js";

const FOLDER = resolve(ROOT, "docs/api");

function readPage(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

const isCheck = process.argv.includes("--check");
let problems = 0;
mkdirSync(FOLDER, { recursive: true });
for (const entry of readEntries()) {
  const bare = undocumented(entry);
  if (bare.length > 0) {
    problems += 1;
    console.error(`${entry.specifier}: no comment on ${bare.join(", ")}`);
  }
  const path = resolve(FOLDER, entry.page);
  const text = pageOf(entry);
  if (!isCheck) writeFileSync(path, text);
  else if (readPage(path) !== text) {
    problems += 1;
    console.error(`docs/api/${entry.page} is not what the types say: run npm run docs:api`);
  }
}
process.exitCode = problems === 0 ? 0 : 1;
