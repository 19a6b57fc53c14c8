// Without the optional native packages the checker, the gate and a run on the fake desktop still work.
import { beforeAll, expect, test } from "vitest";
import { Project, pack } from "./packed.js";

let project: Project;
beforeAll(() => {
  project = new Project({
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        strict: true,
        types: [],
        skipLibCheck: true,
        noEmit: true,
      },
      include: ["agent.ts"],
    }),
    "agent.ts": `import { computer, computerUse } from "capuchin";

@computerUse({ width: 640, height: 480, cap: "computer.screen + computer.input" })
export class Clicker {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
`,
    "script.json": JSON.stringify([
      [{ type: "tool_use", name: "left_click", toolset_name: "computer", input: { coordinate: [10, 20] } }],
      { content: [{ type: "text", text: "clicked" }], stop_reason: "end_turn" },
    ]),
  });
  project.install(pack(), "--omit=optional");
});

test("the optional packages are not there", () => {
  expect(project.has("node_modules/capuchin/dist/index.js")).toBe(true);
  expect(project.has("node_modules/x11")).toBe(false);
  expect(project.has("node_modules/sharp")).toBe(false);
});

test("check", () => {
  const done = capuchin(["check", "--format", "json"]);
  expect(done).toMatchObject({ code: 0 });
  expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, agents: [{ agent: "Clicker" }] });
});

test("build, then gate", () => {
  expect(capuchin(["build"])).toMatchObject({ code: 0 });
  const calls = [
    { name: "left_click", toolset_name: "computer", input: { coordinate: [10, 20] } },
    { name: "left_click", toolset_name: "computer", input: { coordinate: [640, 20] } },
  ];
  const input = calls.map((call) => `${JSON.stringify(call)}\n`).join("");
  const done = capuchin(["gate", "--spec", "computer-use.json", "--agent", "Clicker"], input);
  expect(done.code).toBe(0);
  const verdicts = done.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).verdict);
  expect(verdicts).toEqual(["allow", "deny"]);
});

test("a run on the fake desktop", () => {
  const words = [
    "run",
    "agent.ts",
    "--goal",
    "click",
    "--desktop",
    "fake",
    "--model",
    "script:script.json",
    "--json",
  ];
  const done = capuchin(words);
  expect(done.stderr).not.toMatch(/internal error/);
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({
    outcome: "completed",
    actions: 1,
    text: "clicked",
    tainted: true,
  });
});

function capuchin(words: string[], input = "") {
  return project.run("node_modules/.bin/capuchin", words, { input });
}
