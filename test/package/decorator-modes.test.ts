// The decorator in both modes of TypeScript and in its three forms, under the compilers that people use.
import { beforeAll, expect, test } from "vitest";
import { Project } from "./packed.js";

const AGENTS = `import { computerUse } from "capuchin";
import { findDeclaration } from "capuchin/runtime";

@computerUse({ width: 1280, height: 800, cap: "computer.screen + computer.input" })
export class Decorated {
  static count = 1;
  label = "kept";
  constructor(readonly start: number = 7) {}
  run(goal: string): string {
    return goal + this.label + String(this.start) + String(Decorated.count);
  }
}

export const Called = computerUse({ cap: "computer.screen" })(
  class CalledAgent {
    async run(_goal: string): Promise<void> {}
  },
);

class Declared {
  async run(_goal: string): Promise<void> {}
}
export const same: typeof Declared = computerUse({ cap: "computer.screen", name: "Renamed" })(Declared);

export const seen = {
  decorated: findDeclaration(Decorated)?.capability,
  called: findDeclaration(Called)?.width,
  declared: findDeclaration(Declared)?.name,
  same: same === Declared,
  unchanged: new Decorated(3).run("x"),
  names: [Decorated.name, Called.name, Declared.name],
  inherited: findDeclaration(class extends Decorated {}) === undefined,
};
`;

const SEEN = {
  decorated: "computer.input + computer.screen",
  called: 1024,
  declared: "Renamed",
  same: true,
  unchanged: "xkept31",
  names: ["Decorated", "CalledAgent", "Declared"],
  inherited: true,
};

const MODES = [
  { mode: "standard", experimentalDecorators: false },
  { mode: "legacy", experimentalDecorators: true },
] as const;

const projects = new Map<string, Project>();
beforeAll(() => {
  for (const { mode, experimentalDecorators } of MODES) {
    const project = new Project({
      "agents.ts": AGENTS,
      "main.ts": `import { seen } from "./agents.js";\ndeclare const console: { log(text: string): void };\nconsole.log(JSON.stringify(seen));\n`,
      "agents.test.ts": `import { expect, test } from "vitest";
import { seen } from "./agents.js";
test("agents", () => expect(seen).toEqual(${JSON.stringify(SEEN)}));
`,
      "vitest.config.js": `export default { test: { include: ["*.test.ts"] } };\n`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          target: "es2022",
          lib: ["es2023"],
          types: [],
          module: "nodenext",
          strict: true,
          skipLibCheck: true,
          experimentalDecorators,
          outDir: "out",
        },
        files: ["main.ts"],
      }),
    });
    project.borrow("capuchin", "vitest");
    projects.set(mode, project);
  }
});

function projectOf(mode: string): Project {
  const project = projects.get(mode);
  if (!project) throw new Error(`no project for ${mode}`);
  return project;
}

function readSeen(done: { code: number; stdout: string; stderr: string }): unknown {
  expect(done).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(done.stdout);
}

test.each(MODES)("tsc, $mode", ({ mode }) => {
  const project = projectOf(mode);
  expect(project.tool("tsc", ["-p", "."])).toMatchObject({ code: 0, stdout: "" });
  expect(readSeen(project.node(["out/main.js"]))).toEqual(SEEN);
});

test.each(MODES)("tsx, $mode", ({ mode }) => {
  expect(readSeen(projectOf(mode).tool("tsx", ["main.ts"]))).toEqual(SEEN);
});

test.each(MODES)("esbuild, $mode", ({ mode }) => {
  const project = projectOf(mode);
  const flags = [
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--packages=external",
    "--target=es2022",
    "--outfile=bundle.mjs",
  ];
  expect(project.tool("esbuild", ["main.ts", ...flags, "--log-level=warning"])).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(readSeen(project.node(["bundle.mjs"]))).toEqual(SEEN);
});

test.each(MODES)("vitest, $mode", ({ mode }) => {
  const done = projectOf(mode).tool("vitest", ["run", "--reporter=json"]);
  expect(done.stderr).toBe("");
  expect(JSON.parse(done.stdout)).toMatchObject({ success: true, numPassedTests: 1 });
  expect(done.code).toBe(0);
});

const WRONG = [
  ["an unknown word", `@computerUse({ cap: "computer.inptu" }) export class A {}`],
  [
    "an unknown word beside a known one",
    `@computerUse({ cap: "computer.screen + computer.inptu" }) export class A {}`,
  ],
  ["no cap", `@computerUse({ width: 100 }) export class A {}`],
  ["an unknown option", `@computerUse({ cap: "computer.screen", heigth: 100 }) export class A {}`],
  ["a width in words", `@computerUse({ cap: "computer.screen", width: "wide" }) export class A {}`],
  ["a method", `export class A { @computerUse({ cap: "computer.screen" }) run() {} }`],
] as const;

test.each(WRONG.flatMap(([what, code]) => MODES.map(({ mode }) => [what, mode, code] as const)))(
  "tsc refuses %s, %s",
  (_, mode, code) => {
    const project = projectOf(mode);
    project.write({ "wrong.ts": `import { computerUse } from "capuchin";\n${code}\n` });
    const { experimentalDecorators } = MODES.find((entry) => entry.mode === mode) ?? MODES[0];
    const settings = ["--target", "es2022", "--module", "nodenext", "--strict", "--skipLibCheck", "--noEmit"];
    const decorators = ["--experimentalDecorators", String(experimentalDecorators)];
    const done = project.tool("tsc", [
      "--ignoreConfig",
      ...settings,
      ...decorators,
      "--pretty",
      "false",
      "wrong.ts",
    ]);
    expect(done.code).not.toBe(0);
    expect(done.stdout).toMatch(/^wrong\.ts\(2,\d+\): error TS/);
  },
);
