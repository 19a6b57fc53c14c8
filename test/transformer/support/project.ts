// Writes a small project into a folder of its own, checks it, and compares what is said with the markers in it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../../../src/contract/report.js";
import { type CheckResult, checkProject, SourceCache } from "../../../src/transformer/index.js";
import { stubPackage } from "./stub-package.js";

/** Shared by all checks of a test file, so that the library is parsed once. */
export const cache = new SourceCache();
const NODE_TYPES = resolve(import.meta.dirname, "../../../node_modules/@types");
const UNDICI_TYPES = resolve(import.meta.dirname, "../../../node_modules/undici-types");

export const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2023", "esnext.disposable", "esnext.decorators"],
    module: "nodenext",
    strict: true,
    allowJs: true,
    resolveJsonModule: true,
    noEmit: true,
    types: [] as string[],
  },
};

export interface Expected {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly part: string | undefined;
}

/** Takes the markers off a text: `// ~ CU6030 "part", CU6032` at the end of a line. */
export function readMarkers(file: string, text: string): { text: string; expected: Expected[] } {
  const expected: Expected[] = [];
  const lines = text.split("\n").map((line, index) => {
    const at = line.search(/\s*\/\/ ~ CU\d/);
    if (at < 0) return line;
    const marks = line.slice(line.indexOf("// ~ ", at) + 5);
    for (const match of marks.matchAll(/(CU\d{4})(?: "([^"]*)")?/g)) {
      expected.push({ file, line: index + 1, code: match[1] ?? "", part: match[2] });
    }
    return line.slice(0, at);
  });
  return { text: lines.join("\n"), expected };
}

export interface TestProject {
  readonly folder: string;
  readonly expected: readonly Expected[];
  check(order?: (files: readonly string[]) => readonly string[]): CheckResult;
  write(path: string, text: string): void;
  remove(): void;
}

/** Writes the files (and a tsconfig and the stub package, unless given) into a new folder. */
export function createProject(files: Readonly<Record<string, string>>): TestProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capuchin-check-")));
  const write = (path: string, text: string) => {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  };
  const expected: Expected[] = [];
  for (const [path, content] of Object.entries(files)) {
    const marked = readMarkers(path, content);
    expected.push(...marked.expected);
    write(path, marked.text);
  }
  const names = Object.keys(files);
  const text = Object.values(files).join("\n");
  if (!names.some((name) => name.startsWith("node_modules/capuchin/"))) {
    for (const [path, content] of stubPackage()) write(`node_modules/capuchin/${path}`, content);
  }
  const needsNode =
    /\b(process|setTimeout|setInterval|URL|Worker|console|require|WebAssembly|node:\w+)\b/.test(text);
  if (needsNode) {
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(NODE_TYPES, join(folder, "node_modules/@types"));
    symlinkSync(UNDICI_TYPES, join(folder, "node_modules/undici-types"));
  }
  const config = {
    ...TSCONFIG,
    compilerOptions: { ...TSCONFIG.compilerOptions, types: needsNode ? ["node"] : [] },
  };
  if (!names.includes("tsconfig.json")) write("tsconfig.json", JSON.stringify(config));
  if (!names.includes("package.json")) write("package.json", JSON.stringify({ name: "app", type: "module" }));
  return {
    folder,
    expected,
    write,
    check: (order) => checkProject({ tsconfig: folder, load: { cache, ...(order ? { order } : {}) } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What is wrong between markers and diagnostics: empty when they agree line by line and code by code. */
export function compareMarkers(expected: readonly Expected[], diagnostics: readonly Diagnostic[]): string[] {
  const open = diagnostics.filter((each) => !each.suppressed);
  const wrong: string[] = [];
  for (const each of open) {
    const marked = expected.some(
      (mark) => mark.file === each.file && mark.line === each.line && mark.code === each.code,
    );
    if (!marked) wrong.push(`surplus ${each.file}:${each.line}:${each.column} ${each.code} ${each.message}`);
  }
  for (const mark of expected) {
    const found = open.some(
      (each) =>
        mark.file === each.file &&
        mark.line === each.line &&
        mark.code === each.code &&
        (mark.part === undefined || each.message.includes(mark.part)),
    );
    if (!found) wrong.push(`missing ${mark.file}:${mark.line} ${mark.code} ${mark.part ?? ""}`);
  }
  return wrong;
}
