import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AGENT, PACKAGE, Project, tsconfig, turn } from "./project.js";

const CLICK = turn("I click", ["left_click", { coordinate: [10, 10] }]);
const BYE = turn("bye");

function project(files: Record<string, string> = {}, script: unknown = [CLICK, BYE]): Project {
  return new Project({
    "package.json": PACKAGE,
    "tsconfig.json": tsconfig(),
    "src/agent.ts": AGENT,
    "script.json": JSON.stringify(script),
    ...files,
  });
}

const RUN = ["run", "src/agent.ts", "--goal", "do it", "--desktop", "fake", "--model", "script:script.json"];
const TRACED = [...RUN, "--trace", "trace"];

interface Document {
  outcome: string;
  error?: { code: string; message: string };
  text?: string;
  value?: unknown;
  trace: string;
  anchor?: { records: number; head: string };
}

describe("capuchin run", () => {
  it("checks, builds in memory, runs and records a TypeScript agent", async () => {
    const at = project();
    const ran = await at.run(TRACED);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(
      /turn 1 of at most 30\n {2}model: “I click”\n {2}left_click \(10, 10\) +allowed/,
    );
    expect(ran.stdout).toMatch(/^completed \(2 turns, 1 action, [0-9:]+\)\n/);
    const verified = await at.run(["trace", "verify", "trace"]);
    expect(verified.code).toBe(0);
    const head = /head (sha256:\S+)/.exec(ran.stdout)?.[1];
    expect(verified.stdout).toContain(`head ${head}`);
  });

  it("runs the same agent in the project's legacy decorator mode", async () => {
    const at = project({ "tsconfig.json": tsconfig({ experimentalDecorators: true }) });
    expect(await at.run(TRACED)).toMatchObject({ code: 0 });
  });

  it("prints one JSON document, whatever the agent's own code prints", async () => {
    const agent = AGENT.replace(
      "return computer",
      'console.log("agent log"); process.stdout.write("agent write\\n"); return computer',
    ).replace(
      "\n",
      "declare const console: { log(text: string): void }; declare const process: { stdout: { write(text: string): void } };\n",
    );
    const ran = await project({ "src/agent.ts": agent }).run([...TRACED, "--json"]);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      outcome: "completed",
      text: "bye",
      tainted: true,
      turns: 2,
      actions: 1,
      value: "[tainted]",
    });
    expect(ran.stderr).toContain("agent log\n");
    expect(ran.stderr).toContain("agent write\n");
  });

  it("resolves as the checker does: .js to .ts, extensionless, paths and JSON", async () => {
    const at = project({
      "tsconfig.json": tsconfig({
        module: "esnext",
        moduleResolution: "bundler",
        resolveJsonModule: true,
        paths: { "@lib/*": ["./src/lib/*"] },
      }),
      "src/lib/deep.ts": 'export const deep: string = "deep";',
      "src/near.ts": 'export const near: string = "near";',
      "src/near.js": 'export const near = "stale output";',
      "src/plain.ts": 'export const plain: string = "plain";',
      "src/data.json": '{ "a": "json" }',
      "src/agent.ts": `
        import { deep } from "@lib/deep";
        import data from "./data.json";
        import { near } from "./near.js";
        import { plain } from "./plain";
        ${AGENT.replace("return computer.run(this, goal);", 'await computer.run(this, goal); return [deep, near, plain, data.a].join(" ");')}`,
    });
    const ran = await at.run([...TRACED, "--json"]);
    expect((JSON.parse(ran.stdout) as Document).value).toBe("deep near plain json");
  });

  it("refuses what the check refuses, with the finding on standard error, and runs nothing", async () => {
    const at = project({ "src/agent.ts": AGENT.replace("computer.input", "computer.inptu") });
    const ran = await at.run([...TRACED, "--json"]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: "failed", error: { code: "E_SPEC" }, turns: 0 });
    expect(ran.stderr).toContain("CU6018");
    expect(ran.stderr).not.toContain("turn 1");
  });

  it("stops a script that leaves the bounds, before anything reaches the display", async () => {
    const at = project({}, [turn("out", ["left_click", { coordinate: [320, 10] }]), BYE]);
    const ran = await at.run([...TRACED, "--json"]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      outcome: "violation",
      error: { code: "E_BOUNDS" },
      actions: 0,
    });
    expect(readFileSync(at.path("trace/trace.jsonl"), "utf8")).not.toContain('"kind":"intent"');
  });

  it("enforces the spec that is named, and refuses one that differs from the class", async () => {
    const at = project();
    expect((await at.run(["build"])).code).toBe(0);
    expect((await at.run([...TRACED, "--spec", "computer-use.json"])).code).toBe(0);
    at.write("src/agent.ts", AGENT.replace("width: 320", "width: 400"));
    const drifted = await at.run([...RUN, "--spec", "computer-use.json", "--json"]);
    expect(drifted.code).toBe(2);
    expect(JSON.parse(drifted.stdout)).toMatchObject({ error: { code: "E_SPEC_DRIFT" } });
  });

  it("reports configuration as exit 2, in the document too", async () => {
    const at = project();
    const anthropic = RUN.map((word) => (word === "script:script.json" ? "anthropic" : word));
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[...RUN, "--trace", "/etc/passwd", "--json"], "E_AUDIT"],
      [[...RUN, "--agent", "Nobody", "--json"], "E_SPEC"],
      [[...anthropic, "--json"], "E_CONFIG"],
    ];
    for (const [argv, code] of cases) {
      const ran = await at.run(argv);
      expect(ran.code, argv.join(" ")).toBe(2);
      expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: "failed", error: { code } });
    }
  });

  it("names the place in the TypeScript when the module itself fails", async () => {
    const ran = await project({
      "src/agent.ts": `${AGENT}\nconst broken: string[] = [];\nbroken[1]!.trim();\n`,
    }).run([...RUN, "--json"]);
    expect(ran.code).toBe(1);
    expect((JSON.parse(ran.stdout) as Document).error?.message).toMatch(/src\/agent\.ts:12:\d+\)/);
  });

  it("reports an error that the agent's code let loose, and ends the trace", async () => {
    const at = project({
      "src/agent.ts": AGENT.replace(
        "return computer",
        'setTimeout(() => { throw new Error("loose"); }, 0); return computer',
      ).replace("\n", "declare function setTimeout(run: () => void, ms: number): void;\n"),
      "script.json": JSON.stringify([turn("I wait", ["wait", { duration: 10 }]), BYE]),
    });
    const ran = await at.run([...TRACED, "--json"]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: "failed", error: { code: "E_STATE" } });
    expect((JSON.parse(ran.stdout) as Document).error?.message).toContain("loose");
    expect((await at.run(["trace", "verify", "trace"])).code).toBe(0);
  });

  it("leaves no goal, typed text or key in trace, output or errors", async () => {
    const at = project({}, [turn("I type", ["type", { text: "TYPED-CANARY" }]), BYE]);
    const argv = TRACED.map((word) => (word === "do it" ? "GOAL-CANARY" : word));
    const ran = await at.run(argv, { ANTHROPIC_API_KEY: "sk-KEY-CANARY", CAPUCHIN_DEBUG: "1" });
    expect(ran.code).toBe(0);
    const trace = readFileSync(at.path("trace/trace.jsonl"), "utf8");
    expect(trace + ran.stdout + ran.stderr).not.toContain("CANARY");
    // The benign twin: what may be recorded is.
    expect(trace).toContain('"name":"type"');
  });

  it("runs a JavaScript module without a tsconfig, a declared class by a plain call", async () => {
    const at = new Project({
      "package.json": PACKAGE,
      "agent.mjs": `
        import { computer, computerUse } from "capuchin";
        export const Operator = computerUse({ cap: "computer.screen + computer.input", width: 320, height: 200 })(
          class Operator { async run(goal) { return computer.run(this, goal); } },
        );`,
      "script.json": JSON.stringify([CLICK, BYE]),
    });
    const ran = await at.run([
      ...["run", "agent.mjs", "--goal", "do it", "--desktop", "fake"],
      ...["--model", "script:script.json", "--trace", "trace", "--json"],
    ]);
    expect(ran.stderr).toContain("left_click (10, 10)");
    expect(ran.code).toBe(0);
  });

  it("does not load what was changed after the check, in TypeScript and in JavaScript", async () => {
    // The module itself changes its neighbour while it is loaded: later than the check, earlier than the import.
    for (const kind of ["ts", "mjs"]) {
      const neighbour = `src/neighbour.${kind}`;
      const at = project({
        "tsconfig.json": tsconfig({ allowJs: true, module: "esnext", moduleResolution: "bundler" }),
        [neighbour]: "export const answer = 1;\n",
        "src/first.ts": `declare const process: any;\nif (process.env.CHANGE) process.getBuiltinModule("fs").writeFileSync("${neighbour}", "export const answer = 2;\\n");\nexport {};\n`,
        "src/agent.ts": `import "./first.js";\nconst { answer } = await import("./neighbour.${kind === "ts" ? "js" : kind}");\nexport { answer };\n${AGENT}`,
      });
      expect((await at.run(RUN)).code).toBe(0);
      const ran = await at.run([...RUN, "--json"], { CHANGE: "1" });
      expect(ran.code).toBe(1);
      expect((JSON.parse(ran.stdout) as Document).error?.message).toMatch(/changed after it was checked/);
    }
  });

  it("keeps a recording that replay plays", async () => {
    const at = project();
    expect((await at.run([...TRACED, "--record", "recording"])).code).toBe(0);
    const replayed = await at.run([...RUN.slice(0, -1), "replay:recording", "--trace", "again", "--json"]);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ outcome: "completed", text: "bye", actions: 1 });
  });

  it("uses a private folder below the user's state when no trace is named", async () => {
    const at = project();
    const ran = await at.run([...RUN, "--json"], { XDG_STATE_HOME: at.path("state") });
    const { trace } = JSON.parse(ran.stdout) as Document;
    expect(trace.startsWith(at.path("state/capuchin/runs/"))).toBe(true);
    expect((await at.run(["trace", "verify", trace])).code).toBe(0);
  });
});

describe("a run that is told to end", () => {
  const HOLD = turn(
    "I hold",
    ["mouse_move", { coordinate: [20, 20] }],
    ["left_mouse_down", {}],
    ["wait", { duration: 10 }],
  );

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("lets go of the button, ends the trace and exits after %s", async (signal, code) => {
    const at = project({}, [HOLD, BYE]);
    const started = at.start([...TRACED, "--json"]);
    await started.saw("left_mouse_down");
    started.child.kill(signal);
    // The second one changes nothing.
    started.child.kill(signal);
    const ran = await started.ended;
    expect(ran).toMatchObject({ code, signal: null });
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: "stopped" });
    const shown = await at.run(["trace", "show", "trace"]);
    expect(shown.stdout).toContain("let go of button 1");
    expect(shown.stdout).toMatch(/intact and complete\n$/);
  });

  it("ends while the module is still being loaded", async () => {
    const endless = `${AGENT}
declare function setInterval(run: () => void, ms: number): void;
declare const console: { log(text: string): void };
console.log("loading");
setInterval(() => {}, 1000);
await new Promise(() => {});
`;
    const started = project({ "src/agent.ts": endless }).start([...TRACED, "--json"]);
    await started.saw("loading");
    started.child.kill("SIGINT");
    const ran = await started.ended;
    expect(ran).toMatchObject({ code: 130, signal: null });
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: "stopped", turns: 0, trace: "none" });
  });

  it("ends quietly when nobody reads its output any more", async () => {
    const at = project({}, [HOLD, BYE]);
    const started = at.start(TRACED);
    await started.saw("turn 1");
    started.child.stderr?.destroy();
    const ran = await started.ended;
    expect(ran.code).toBe(1);
    expect(ran.stderr).not.toMatch(/EPIPE|internal error/);
    expect((await at.run(["trace", "verify", "trace"])).code).toBe(0);
  });
});

describe("the copy of capuchin", () => {
  it("is this one, with a note, where the module resolves none", async () => {
    const withPackage = project();
    expect((await withPackage.run(["build", "--out", "spec.json"])).code).toBe(0);
    const bare = new Project(
      {
        "package.json": PACKAGE,
        "tsconfig.json": tsconfig(),
        "src/agent.ts": AGENT,
        "script.json": JSON.stringify([CLICK, BYE]),
        "spec.json": readFileSync(withPackage.path("spec.json"), "utf8"),
      },
      { capuchin: false },
    );
    const ran = await bare.run([...TRACED, "--spec", "spec.json"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("note: the module resolves no capuchin; this copy is used");
  });
});
