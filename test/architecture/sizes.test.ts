import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Node } from "ts-morph";
import { expect, test } from "vitest";
import {
  FUNCTION_LIMIT,
  HARD_LIMIT,
  LONG_FUNCTIONS,
  OVERSIZE,
  TABLE_LIMIT,
  TABLES,
  TEST_LIMIT,
} from "./sizes.js";
import { folderOf, ROOT, SOURCES } from "./sources.js";

const lines = new Map(SOURCES.map(({ path, file }) => [path, lineCount(file.getFullText())]));

test("files stay below the hard limit, tables below theirs", () => {
  const tooLong = [...lines].filter(([path, count]) => {
    const limit = TABLES.includes(path) ? TABLE_LIMIT : HARD_LIMIT;
    return count > limit && !Object.hasOwn(OVERSIZE, path);
  });
  expect(tooLong).toEqual([]);
  printSizes();
});

test("the exceptions are all needed", () => {
  expect(Object.keys(OVERSIZE).filter((path) => (lines.get(path) ?? 0) <= HARD_LIMIT)).toEqual([]);
  expect(TABLES.filter((path) => !lines.has(path))).toEqual([]);
  const long = new Set(longFunctions());
  expect(Object.keys(LONG_FUNCTIONS).filter((name) => !long.has(name))).toEqual([]);
});

test("functions stay below their limit", () => {
  expect(longFunctions().filter((name) => !Object.hasOwn(LONG_FUNCTIONS, name))).toEqual([]);
});

test("test files stay below their limit", () => {
  const tests = readdirSync(resolve(ROOT, "test"), { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.ts$/.test(path),
  );
  expect(tests.length).toBeGreaterThan(10);
  const tooLong = tests.filter(
    (path) => lineCount(readFileSync(resolve(ROOT, "test", path), "utf8")) > TEST_LIMIT,
  );
  expect(tooLong).toEqual([]);
});

function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function longFunctions(): string[] {
  return SOURCES.flatMap(({ path, file }) =>
    file.getDescendants().flatMap((node) => {
      if (!Node.isFunctionLikeDeclaration(node)) return [];
      const count = node.getEndLineNumber() - node.getStartLineNumber() + 1;
      return count > FUNCTION_LIMIT ? [`${path}#${nameOf(node)}`] : [];
    }),
  );
}

function nameOf(node: Node): string {
  if (Node.hasName(node)) return node.getName();
  const parent = node.getParent();
  return parent && Node.hasName(parent) ? parent.getName() : `line ${node.getStartLineNumber()}`;
}

/** Median, 90th percentile and maximum of each folder, so that drift is seen before it hurts. */
function printSizes(): void {
  const folders = [...new Set([...lines.keys()].map(folderOf))].sort();
  const rows = folders.map((folder) => {
    const inside = [...lines].filter(([path]) => folderOf(path) === folder);
    const counts = inside.map(([, count]) => count).sort((a, b) => a - b);
    const at = (share: number): number => counts[Math.floor(share * (counts.length - 1))] ?? 0;
    const figures = `median ${at(0.5)}   p90 ${at(0.9)}   max ${at(1)}`;
    return `${(folder || "src").padEnd(20)} ${String(counts.length).padStart(3)} files   ${figures}`;
  });
  console.log(rows.join("\n"));
}
