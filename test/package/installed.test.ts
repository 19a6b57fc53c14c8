// The package as installed from its tarball, with everything optional.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Project, pack } from "./packed.js";

const ENTRIES = ["capuchin", "capuchin/runtime", "capuchin/transformer", "capuchin/testing"];

let project: Project;
beforeAll(() => {
  project = new Project();
  project.install(pack());
});

test.each(ENTRIES)("import of %s", (entry) => {
  const done = project.node([
    "--input-type=module",
    "-e",
    `console.log(Object.keys(await import("${entry}")).length)`,
  ]);
  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(Number(done.stdout)).toBeGreaterThan(1);
});

test.each(ENTRIES)("require of %s, where Node can", (entry) => {
  const code = `console.log(process.features.require_module ? Object.keys(require("${entry}")).length : "cannot")`;
  const done = project.node(["--input-type=commonjs", "-e", code]);
  expect(done.code).toBe(0);
  expect(done.stdout.trim()).toMatch(/^(cannot|[1-9]\d*)$/);
});

test("all entries share one copy", () => {
  const code = `
    import { launch, ComputerCap } from "capuchin";
    import * as runtime from "capuchin/runtime";
    console.log(runtime.launch === launch, runtime.ComputerCap === ComputerCap);`;
  expect(project.node(["--input-type=module", "-e", code]).stdout.trim()).toBe("true true");
});

test("the root entry loads neither the checker, nor a driver, nor the model SDK", () => {
  const loaded = modulesLoadedBy(`await import("capuchin")`);
  expect(loaded.filter((url) => url.includes("/capuchin/dist/")).length).toBeGreaterThan(20);
  const unwanted =
    /\/dist\/(transformer|runtime\/drivers|cli|viewer)\/|node_modules\/(ts-morph|@ts-morph|x11|sharp|@img|@anthropic-ai|commander)\//;
  expect(loaded.filter((url) => unwanted.test(url))).toEqual([]);
});

test("the same tracing sees a driver and the checker where they are loaded", () => {
  const loaded = modulesLoadedBy(`await import("capuchin/testing"); await import("capuchin/transformer")`);
  expect(loaded.some((url) => url.includes("/dist/runtime/drivers/"))).toBe(true);
  expect(loaded.some((url) => url.includes("/node_modules/ts-morph/"))).toBe(true);
});

test("the declarations compile for a project without Node's types", () => {
  project.write({
    "consumer/tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["es2023"],
        types: [],
        module: "nodenext",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        noEmit: true,
      },
    }),
    "consumer/agent.ts": `
import { computer, computerUse, ComputerCap, launch, type Run, type RunResult, type Tainted } from "capuchin";
import { script, type Desktop, type ModelPort } from "capuchin/runtime";
import { fakeDesktop } from "capuchin/testing";
import * as transformer from "capuchin/transformer";

@computerUse({ width: 1280, height: 800, cap: "computer.screen + computer.input" })
export class BrowserOperator {
  async run(goal: string): Promise<Tainted<string>> {
    return computer.run(this, goal);
  }
}

export const model: ModelPort = script([]);
export const desktop: Desktop = fakeDesktop();
export const cap: ComputerCap = ComputerCap.builder().allowScreen().build();
export const checker: object = transformer;
const run: Run = launch(BrowserOperator, { goal: "x", model, desktop, derive: true });
export const result: Promise<RunResult> = Promise.resolve(run);
export async function disposed(): Promise<void> {
  await using held = launch(BrowserOperator, { goal: "x", model, desktop, derive: true });
  await held.pause();
  await run[Symbol.asyncDispose]();
}
`,
  });
  const done = project.tool("tsc", ["-p", "consumer"]);
  expect(done.stdout).toBe("");
  expect(done.code).toBe(0);
});

test("a misspelt word is a compile error that shows the vocabulary", () => {
  project.write({
    "misspelt/tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["es2023"],
        types: [],
        module: "nodenext",
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      },
    }),
    "misspelt/agent.ts": `
import { computerUse } from "capuchin";
@computerUse({ cap: "computer.inptu" })
export class Agent {}
`,
  });
  const done = project.tool("tsc", ["-p", "misspelt", "--pretty", "false"]);
  expect(done.code).not.toBe(0);
  expect(done.stdout).toMatch(/agent\.ts\(3,\d+\): error/);
  for (const word of ["computer.inptu", "computer.screen", "computer.input.pointer", "computer.spawn"]) {
    expect(done.stdout).toContain(word);
  }
});

/** The files that Node loads while it runs the code, by its own coverage record. */
function modulesLoadedBy(code: string): string[] {
  const record = `coverage-${Buffer.from(code).toString("hex").slice(-24)}`;
  const done = project.node(["--input-type=module", "-e", code], {
    env: { NODE_V8_COVERAGE: join(project.folder, record) },
  });
  expect(done).toMatchObject({ code: 0, stderr: "" });
  const folder = join(project.folder, record);
  return readdirSync(folder)
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).result as { url: string }[])
    .map(({ url }) => url);
}
