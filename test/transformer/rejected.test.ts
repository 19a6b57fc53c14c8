// examples/rejected: each file is refused with exactly the code in its name, each folder too.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BUILD_CODE_LIST } from "../../src/diagnostics/build-codes.js";
import { buildSpec, compareSpec } from "../../src/transformer/index.js";
import { createProject, type TestProject } from "./support/project.js";

const FOLDER = join(import.meta.dirname, "../../examples/rejected");
const names = readdirSync(FOLDER).filter((name) => /^cu\d{4}-/.test(name));
const isFolder = (name: string) => statSync(join(FOLDER, name)).isDirectory();
const codeOf = (name: string) => name.slice(0, 6).toUpperCase();

function readFolder(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

const projects: TestProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

function open(files: Record<string, string>): TestProject {
  const project = createProject(files);
  projects.push(project);
  return project;
}

test("every code has an example", () => {
  expect([...new Set(names.map(codeOf))].sort()).toEqual([...BUILD_CODE_LIST].sort());
});

describe("files", () => {
  const files = names.filter((name) => !isFolder(name));
  const { report } = open(
    Object.fromEntries(
      [...files, "tsconfig.json"].map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]),
    ),
  ).check();
  test.each(files)("%s", (name) => {
    const codes = report.diagnostics.filter((each) => each.file === name).map((each) => each.code);
    expect(codes).toEqual([codeOf(name)]);
  });
  test("nothing else is said", () => {
    expect(report.diagnostics.filter((each) => !files.includes(each.file ?? ""))).toEqual([]);
  });
});

describe("folders", () => {
  const folders = names.filter(isFolder).filter((name) => codeOf(name) !== "CU6052");
  test.each(folders)("%s", (name) => {
    const { report } = open(readFolder(join(FOLDER, name))).check();
    expect(report.diagnostics.map((each) => each.code)).toEqual([codeOf(name)]);
  });
  test("cu6052-stale-spec", () => {
    const result = open(readFolder(join(FOLDER, "cu6052-stale-spec"))).check();
    expect(result.report.ok).toBe(true);
    const bytes = readFileSync(join(FOLDER, "cu6052-stale-spec/computer-use.json"));
    const spec = buildSpec(result, "capuchin 0.0.0");
    const stale = compareSpec(spec, { file: "computer-use.json", bytes });
    expect(stale.map((each) => each.code)).toEqual(["CU6052"]);
    expect(stale[0]?.message).toContain("capability");
  });
});
