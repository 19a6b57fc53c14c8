// How projects are found and loaded, and what the report says of them besides its diagnostics.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ts } from "ts-morph";
import { afterEach, describe, expect, test } from "vitest";
import { readSpecBytes, serialiseSpec } from "../../src/contract/agent-spec.js";
import { API_FUNCTION_LIST, wordsNeeded } from "../../src/contract/api-functions.js";
import { reportSchema } from "../../src/contract/report.js";
import {
  buildModule,
  buildSpec,
  type CheckRequest,
  checkProject,
  compareSpec,
  findProjectOf,
} from "../../src/transformer/index.js";
import { cache, createProject, type TestProject, TSCONFIG } from "./support/project.js";
import { stubPackage } from "./support/stub-package.js";

const IMPORT = 'import { computer, computerUse } from "capuchin";\n';
const LOOKER = `${IMPORT}@computerUse({ cap: "computer.screen" })\nexport class A { async go() { return computer.screenshot(this); } }\n`;
const CLICKER = LOOKER.replace("screenshot", "click");

const open: TestProject[] = [];
afterEach(() => {
  for (const project of open.splice(0)) project.remove();
});

function project(files: Record<string, string>): TestProject {
  const created = createProject(files);
  open.push(created);
  return created;
}

const run = (request: CheckRequest) => checkProject({ load: { cache }, ...request });

const codes = (result: { report: { diagnostics: readonly { code: string }[] } }) =>
  result.report.diagnostics.map((each) => each.code);

describe("finding the project", () => {
  test("by folder, by file, by the working directory", () => {
    const { folder } = project({ "a.ts": CLICKER });
    const expected = ["CU6039", "CU6030"];
    expect(codes(run({ tsconfig: folder }))).toEqual(expected);
    expect(codes(run({ tsconfig: join(folder, "tsconfig.json") }))).toEqual(expected);
    expect(codes(run({ cwd: folder }))).toEqual(expected);
  });

  test("without a tsconfig it is a finding, never a success", () => {
    const { folder } = project({ "a.ts": LOOKER });
    rmSync(join(folder, "tsconfig.json"));
    const result = run({ cwd: folder });
    expect(codes(result)).toEqual(["CU6051"]);
    expect(result.report.ok).toBe(false);
  });

  test("a broken tsconfig is a finding", () => {
    expect(codes(project({ "tsconfig.json": "{ nonsense", "a.ts": LOOKER }).check())).toContain("CU6051");
    expect(
      codes(project({ "tsconfig.json": '{ "extends": "./none.json" }', "a.ts": LOOKER }).check()),
    ).toContain("CU6051");
  });

  test("options of newer compilers are no finding", () => {
    const config = { compilerOptions: { ...TSCONFIG.compilerOptions, singleThreaded: true, checkers: 2 } };
    expect(codes(project({ "tsconfig.json": JSON.stringify(config), "a.ts": LOOKER }).check())).toEqual([]);
  });

  test("single files bring what they import, JavaScript included", () => {
    const { folder } = project({
      "main.mjs": 'import { A } from "./a.js";\nexport { A };\n',
      "a.js": CLICKER,
      "other.ts": CLICKER.replace("class A", "class B"),
    });
    rmSync(join(folder, "tsconfig.json"));
    const result = run({ files: [join(folder, "main.mjs")], cwd: folder });
    expect(result.report.diagnostics.map((each) => [each.code, each.file])).toEqual([
      ["CU6039", "a.js"],
      ["CU6030", "a.js"],
    ]);
    expect(codes(run({ files: ["none.ts"], cwd: folder }))).toEqual(["CU6051"]);
  });

  test("the project of a module is the nearest whose files include it", () => {
    const { folder } = project({
      "a.ts": LOOKER,
      "deep/tsconfig.json": '{ "files": ["x.ts"] }',
      "deep/x.ts": "export {};",
      "deep/y.ts": "export {};",
    });
    expect(findProjectOf(join(folder, "deep/x.ts"))).toBe(join(folder, "deep/tsconfig.json"));
    expect(findProjectOf(join(folder, "deep/y.ts"))).toBe(join(folder, "tsconfig.json"));
    rmSync(join(folder, "tsconfig.json"));
    expect(findProjectOf(join(folder, "deep/y.ts"))).toBeUndefined();
  });

  test("a failure of ours throws", () => {
    const { folder } = project({ "a.ts": LOOKER });
    const system: ts.System = {
      ...ts.sys,
      readFile(path) {
        if (path.endsWith("a.ts")) throw new Error("disk on fire");
        return ts.sys.readFile(path);
      },
    };
    expect(() => run({ tsconfig: folder, load: { system, cache } })).toThrow("disk on fire");
  });
});

describe("finding the package", () => {
  test("behind a link", () => {
    const created = project({ "a.ts": CLICKER });
    renameSync(join(created.folder, "node_modules/capuchin"), join(created.folder, "elsewhere"));
    symlinkSync("../elsewhere", join(created.folder, "node_modules/capuchin"));
    expect(codes(created.check())).toContain("CU6030");
  });

  test("by self-reference, from a project inside it", () => {
    const files = Object.fromEntries(
      [...stubPackage()]
        .filter(([path]) => path !== "package.json")
        .map(([path, text]) => [`types/${path}`, text]),
    );
    const result = project({
      ...files,
      "package.json": JSON.stringify({
        name: "capuchin",
        type: "module",
        exports: { ".": { types: "./types/index.d.ts" } },
      }),
      "node_modules/capuchin/package.json": '{ "name": "unused" }',
      "a.ts": `${CLICKER}declare const log: (x: unknown) => void;\nlog(computer);\nlog({ computer });\n`,
    }).check();
    expect(codes(result)).toEqual(["CU6030", "CU6032", "CU6032"]);
  });

  test("by its sources", () => {
    const config = {
      compilerOptions: {
        ...TSCONFIG.compilerOptions,
        module: "esnext",
        moduleResolution: "bundler",
        paths: { capuchin: [resolve(import.meta.dirname, "../../src/index.ts")] },
      },
    };
    const calls = API_FUNCTION_LIST.filter((name) => wordsNeeded(name).length > 0 && name !== "spawn").map(
      (name) => `    void computer.${name};`,
    );
    const created = project({
      "tsconfig.json": JSON.stringify(config),
      "a.ts": `${IMPORT}@computerUse({ cap: "computer.spawn" })\nexport class A {\n  go() {\n${calls.join("\n")}\n    void computer.spawn; void computer.cap; void computer.wait;\n  }\n}\n`,
    });
    mkdirSync(join(created.folder, "node_modules"), { recursive: true });
    const { report } = created.check();
    expect(report.diagnostics.filter((each) => each.code === "CU6030")).toHaveLength(calls.length);
    expect(report.diagnostics.every((each) => each.file === "a.ts")).toBe(true);
  });
});

describe("the report", () => {
  test("has its schema, ids, uses with paths, and endorsements", () => {
    const result = project({
      "src/a.ts": `${IMPORT}import { look } from "./look.js";\n@computerUse({ width: 640, cap: "computer.screen + computer.clipboard", name: "Eye" })\nexport class A {\n  async go() {\n    await look(this);\n    return (await computer.clipboard.read(this)).trust("shown to nobody");\n  }\n}\nexport function make() {\n  @computerUse({ cap: "computer.screen" })\n  class B { look() { return computer.screenshot(this); } }\n  return B;\n}\n`,
      "src/look.ts": `import { computer } from "capuchin";\nexport async function look(a: import("./a.js").A) { await computer.screenshot(a); }\n`,
    }).check();
    const report = reportSchema.parse(result.report);
    expect(report.diagnostics).toEqual([]);
    expect(report.agents.map((each) => each.agent)).toEqual(["Eye", "src/a.ts#make.B"]);
    const [eye] = report.agents;
    expect(eye).toMatchObject({
      width: 640,
      height: 768,
      capability: "computer.clipboard + computer.screen",
    });
    expect(eye?.uses).toEqual([
      {
        function: "clipboard.read",
        path: [
          { file: "src/a.ts", line: 5, column: 9, symbol: "A.go" },
          { file: "src/a.ts", line: 7, column: 19, symbol: "computer.clipboard.read" },
        ],
      },
      {
        function: "screenshot",
        path: [
          { file: "src/a.ts", line: 5, column: 9, symbol: "A.go" },
          { file: "src/a.ts", line: 6, column: 11, symbol: "look" },
          { file: "src/look.ts", line: 2, column: 59, symbol: "computer.screenshot" },
        ],
      },
    ]);
    expect(report.endorsements).toEqual([
      { file: "src/a.ts", line: 7, column: 12, agent: "Eye", reason: "shown to nobody" },
    ]);
  });

  test("a byte order mark counts no column, a tab one", () => {
    const { report } = project({ "a.ts": `\uFEFF${IMPORT}\t@computerUse({}) export class A {}\n` }).check();
    expect(report.diagnostics[0]).toMatchObject({ code: "CU6017", line: 2, column: 2 });
    const first = project({ "a.ts": `\uFEFFexport const x = = 1;\n${LOOKER}` }).check();
    expect(first.report.diagnostics[0]).toMatchObject({ code: "CU6050", line: 1, column: 18 });
  });

  test("the hash follows what the agent rests on, and nothing else", () => {
    const created = project({
      "a.ts": `${IMPORT}import { W } from "./size.js";\nimport { look } from "./look.js";\n@computerUse({ width: W, cap: "computer.screen" })\nexport class A { go() { return look(this); } }\n`,
      "size.ts": "export const W = 640;\n",
      "look.ts":
        'import { computer } from "capuchin";\nexport const look = (a: import("./a.js").A) => computer.screenshot(a);\n',
      "other.ts": "export const x = 1;\n",
    });
    const hash = () => created.check().report.agents[0]?.sourceHash;
    const before = hash();
    expect(before).toMatch(/^sha256:/);
    created.write("other.ts", "export const x = 2;\n");
    expect(hash()).toBe(before);
    created.write("size.ts", "export const W = 640;\r\n");
    expect(hash()).toBe(before);
    created.write("size.ts", "export const W = 640; // same\n");
    const changed = hash();
    expect(changed).not.toBe(before);
    created.write(
      "look.ts",
      'import { computer } from "capuchin";\n\nexport const look = (a: import("./a.js").A) => computer.screenshot(a);\n',
    );
    expect(hash()).not.toBe(changed);
  });

  test("an agent that imports an unreadable file is not proved", () => {
    const { report } = project({
      "a.ts": LOOKER.replace(IMPORT, `${IMPORT}import "./bad.js";\n`),
      "b.ts": LOOKER.replace("class A", "class B"),
      "bad.ts": "export const = 1;\n",
    }).check();
    expect(report.agents.map((each) => [each.agent, each.uses !== undefined])).toEqual([
      ["A", false],
      ["B", true],
    ]);
  });
});

describe("the spec", () => {
  test("is built from a clean check, read back, and carried by a module", () => {
    const result = project({ "a.ts": LOOKER }).check();
    const spec = buildSpec(result, "capuchin test");
    const bytes = new TextEncoder().encode(serialiseSpec(spec));
    expect(readSpecBytes(bytes)).toMatchObject({ ok: true });
    expect(compareSpec(spec, { file: "computer-use.json", bytes })).toEqual([]);
    const text = buildModule(spec);
    const script = ts.transpile(text, { module: ts.ModuleKind.CommonJS });
    const exported: Record<string, () => string> = {};
    new Function("exports", script)(exported);
    const carried = exported["computerUseSpec_A"]?.() ?? "";
    expect(readSpecBytes(new TextEncoder().encode(carried))).toMatchObject({ ok: true });
    const module = { file: "computer-use.gen.ts", bytes: new TextEncoder().encode(`${text}// edited`) };
    expect(compareSpec(spec, { file: "computer-use.json", bytes }, module).map((each) => each.code)).toEqual([
      "CU6052",
    ]);
    expect(compareSpec(spec, { file: "x", bytes }, { file: "y", bytes: undefined })).toEqual([]);
    expect(compareSpec(spec, { file: "x", bytes: undefined })).toHaveLength(1);
  });

  test("is not built from a check with an error", () => {
    expect(() => buildSpec(project({ "a.ts": CLICKER }).check(), "x")).toThrow(/without errors/);
  });
});

test("a file outside the folder keeps a path that names it", () => {
  const created = project({
    "app/tsconfig.json": JSON.stringify({ ...TSCONFIG, files: ["../a.ts"] }),
    "a.ts": CLICKER,
  });
  writeFileSync(join(created.folder, "tsconfig.json"), "{}");
  const { report } = run({ tsconfig: join(created.folder, "app") });
  expect(report.diagnostics[0]?.file).toBe("../a.ts");
});
