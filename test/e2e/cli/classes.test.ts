// What a program that calls the command line can rely on: exit code and error.code of each class of end, no key in any
// output, and no consent from a pipe.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { distFolder } from "../../tools/built.js";
import { AGENT, PACKAGE, Project, tsconfig, turn } from "./project.js";

const RUN = [
  "run",
  "src/agent.ts",
  "--goal",
  "g",
  "--desktop",
  "fake",
  "--model",
  "script:script.json",
  "--json",
];
const CLICK = ["left_click", { coordinate: [10, 10] }] as const;

function project(script: unknown, files: Record<string, string> = {}): Project {
  return new Project({
    "package.json": PACKAGE,
    "tsconfig.json": tsconfig(),
    "src/agent.ts": AGENT,
    "script.json": JSON.stringify(script),
    ...files,
  });
}

const declare = (options: string) => AGENT.replace('cap: "computer.screen + computer.input"', options);

describe("exit codes", () => {
  const INPUT = 'cap: "computer.screen + computer.input"';
  const classes: readonly (readonly [string, Project | (() => Project), number, string, string])[] = [
    [
      "a forbidden action",
      () => project([turn("x", ["key", { text: "ctrl+alt+Delete" }])]),
      1,
      "violation",
      "E_KEY_DENIED",
    ],
    [
      "a spent quota",
      () => project([turn("x", CLICK, CLICK)], { "src/agent.ts": declare(`${INPUT}, maxActions: 1`) }),
      1,
      "budget",
      "E_QUOTA",
    ],
    [
      "spent turns",
      () =>
        project([turn("x", CLICK), turn("y", CLICK)], { "src/agent.ts": declare(`${INPUT}, maxTurns: 1`) }),
      1,
      "turn_limit",
      "E_TURNS",
    ],
    [
      "an API that refuses",
      () =>
        project([
          { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "no" } } },
        ]),
      1,
      "failed",
      "E_PROTOCOL",
    ],
    [
      "an agent that throws",
      () =>
        project([], {
          "src/agent.ts": AGENT.replace("return computer.run(this, goal)", "throw new Error(goal)"),
        }),
      1,
      "failed",
      "E_STATE",
    ],
  ];

  it.each(classes)("C-017 %s", async (_what, make, exit, outcome, code) => {
    const ran = await (typeof make === "function" ? make() : make).run(RUN);
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome, error: { code } });
    expect(ran.code).toBe(exit);
    // People read the same code.
    expect(ran.stderr).toMatch(new RegExp(`^${outcome} .*${code}: `, "m"));
  });

  it("C-017 no display to be had is 2, and so is a fault of capuchin itself", async () => {
    const at = project([turn("bye")]);
    const host = await at.run(RUN.map((word) => (word === "fake" ? "host" : word)));
    expect(host.code).toBe(2);
    expect(JSON.parse(host.stdout)).toMatchObject({ outcome: "failed", error: { code: "E_UNSUPPORTED" } });
    // A broken installation: the copy that the module resolves fails when it is loaded.
    const broken = new Project(
      {
        "package.json": PACKAGE,
        "agent.mjs": "export {};",
        "computer-use.json": "",
        "node_modules/capuchin/package.json": JSON.stringify({
          name: "capuchin",
          version: "0.1.0",
          type: "module",
          exports: { "./package.json": "./package.json", "./runtime": "./runtime.js" },
        }),
        "node_modules/capuchin/runtime.js": "undefined.broken;",
      },
      { capuchin: false },
    );
    expect((await at.run(["build"])).code).toBe(0);
    const argv = [
      "run",
      "agent.mjs",
      "--goal",
      "g",
      "--desktop",
      "fake",
      "--spec",
      at.path("computer-use.json"),
      "--json",
    ];
    const crashed = await broken.run(argv);
    expect(JSON.parse(crashed.stdout)).toMatchObject({ outcome: "failed", error: { code: "E_INTERNAL" } });
    expect(crashed.code).toBe(2);
    expect((await at.run(RUN)).code).toBe(0);
  });
});

/** A command with "y" on its standard input, from a pipe. */
function pipe(
  at: Project,
  argv: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(distFolder, "cli", "main.js"), ...argv], {
    cwd: at.folder,
    env: { PATH: process.env["PATH"], HOME: at.folder },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end("y\nyes\n".repeat(1000));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

describe("an API key", () => {
  const KEY = "sk-ant-api03-CANARY-0123456789";
  const env = { ANTHROPIC_API_KEY: KEY, CAPUCHIN_DEBUG: "1" };
  const PROCESS = "declare const process: { env: Record<string, string | undefined> };\n";

  it("C-014 on the command line is refused; in the environment it is in no output, whatever throws it", async () => {
    const plain = project([turn("bye")]);
    for (const argv of [
      [...RUN, `--api-key=${KEY}`],
      [...RUN, "--verbose", KEY],
    ]) {
      const ran = await plain.run(argv);
      expect(ran.code).toBe(2);
      expect(ran.stdout + ran.stderr).not.toContain("CANARY");
    }
    const crashes = [
      AGENT.replace(
        "return computer.run(this, goal)",
        'throw new Error("key " + process.env["ANTHROPIC_API_KEY"])',
      ),
      `${AGENT}throw new Error("key " + process.env["ANTHROPIC_API_KEY"]);\n`,
      `${AGENT.replace("return computer.run(this, goal)", "await new Promise(() => {})")}declare function setTimeout(run: () => void, ms: number): void;\nsetTimeout(() => { throw new Error("key " + process.env["ANTHROPIC_API_KEY"]); }, 0);\n`,
    ];
    for (const crash of crashes) {
      const ran = await project([turn("bye")], { "src/agent.ts": PROCESS + crash }).run(RUN, env);
      expect(ran.code).toBe(1);
      expect(ran.stdout + ran.stderr).not.toContain("CANARY");
      expect(ran.stderr).toContain("key [");
    }
    // The twin: a run with a key in its environment, and none in its output.
    const ran = await plain.run(RUN, env);
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain("CANARY");
  });
});

describe("consent from a pipe", () => {
  it("C-015 is not read: a run ends as without it, and no approval command takes it", async () => {
    const at = project([turn("x", ["key", { text: "ctrl+alt+Delete" }])]);
    const ran = await pipe(at, RUN);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: "violation", actions: 0 });
    for (const argv of [
      ["approvals"],
      ["approvals", "approve", "1"],
      ["run", "src/agent.ts", "--approve-from", "-"],
    ]) {
      const asked = await pipe(at, argv);
      expect(asked).toMatchObject({ code: 2, stdout: "" });
      expect(asked.stderr).toMatch(/not in this version|unknown option/);
    }
  });
});
