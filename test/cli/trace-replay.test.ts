// A run by `launch` on the fake desktop leaves a trace; the command plays it again and compares.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { sealSpec, serialiseSpec } from "../../src/contract/agent-spec.js";
import type { ComputerUseOptions } from "../../src/contract/declaration.js";
import { computerUse } from "../../src/decorators/index.js";
import { computer } from "../../src/runtime/runs/computer.js";
import { launch } from "../../src/runtime/runs/launch.js";
import type { LaunchOptions } from "../../src/runtime/runs/launch-options.js";
import { type FakeDesktopOptions, fakeDesktop } from "../../src/runtime/testing/fake-desktop.js";
import { type ScriptReply, script } from "../../src/runtime/testing/scripted-model.js";
import { call, entryOf, FULL_CAP, say } from "../runtime/dispatch/setup.js";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";
import { runCli } from "./fake-io.js";

const models: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(models.splice(0).map((model) => model.close()));
});

interface Recorded {
  readonly folder: string;
  readonly outcome: string;
}

type Work = (agent: object, goal: string) => Promise<unknown>;

async function record(
  replies: readonly ScriptReply[],
  declared: Partial<ComputerUseOptions> = {},
  more: {
    readonly fake?: FakeDesktopOptions;
    readonly launch?: Partial<LaunchOptions<object>>;
    readonly work?: Work;
    readonly desktop?: ReturnType<typeof fakeDesktop>;
  } = {},
): Promise<Recorded> {
  const { work = (agent: object, goal: string) => computer.run(agent, goal) } = more;
  class Operator {
    async run(goal: string): Promise<void> {
      await work(this, goal);
    }
  }
  const agent = computerUse({ cap: FULL_CAP, width: 200, height: 100, ...declared })(Operator);
  const model = script(replies);
  models.push(model);
  const folder = join(temporaryFolder(), "trace");
  const { outcome } = await launch(agent, {
    goal: "go",
    derive: true,
    model,
    desktop: more.desktop ?? fakeDesktop(more.fake),
    trace: folder,
    ...more.launch,
  });
  return { folder, outcome };
}

async function replay(folder: string, ...flags: string[]) {
  const ran = await runCli(["trace", "replay", folder, "--json", ...flags]);
  expect(ran.stderr).toBe("");
  return { code: ran.code, report: JSON.parse(ran.stdout) };
}

async function expectSame({ folder }: Recorded, actions: number) {
  const { code, report } = await replay(folder);
  expect(report).toMatchObject({ ok: true, intact: true, entry: "kept", notes: [] });
  expect(report.actions.filter(({ result }: { result: string }) => result !== "same")).toEqual([]);
  expect(report.actions).toHaveLength(actions);
  expect(code).toBe(0);
  return report;
}

describe("a run that is replayed as it was", () => {
  it("agrees, allowed and denied alike", async () => {
    const recorded = await record(
      [
        [
          call("left_click", { coordinate: [30, 40] }),
          call("type", { text: "hunter2\n" }),
          call("key", { text: "ctrl+s" }),
        ],
        [call("left_click", { coordinate: [500, 1] }), call("screenshot")],
        [call("type", { text: 5 }), call("wait", { duration: 0 })],
        [call("scroll", { coordinate: [1, 1], scroll_direction: "down", scroll_amount: 101 })],
        [call("drag", {})],
        [call("key", { text: "alt+F4" })],
        [call("type", { text: "a\u202eb" })],
        [call("zoom", { region: [0, 0, 20, 20], [`a "key"`]: 1 })],
        [call("left_click", { coordinate: [30, 40] }, { caller: { type: "program" } })],
        [call("screenshot"), call("zoom", { region: [0, 0, 20, 20] }), call("cursor_position")],
        [say("Done.")],
      ],
      { onViolation: "refuse" },
    );
    expect(recorded.outcome).toBe("completed");
    const report = await expectSame(recorded, 16);
    const verdicts = report.actions.map((action: { recorded: { verdict: string; code?: string } }) =>
      [action.recorded.verdict, action.recorded.code].filter(Boolean).join(" "),
    );
    expect(verdicts).toEqual([
      ...["allow", "allow", "allow", "deny E_BOUNDS", "not_executed", "deny E_SCHEMA", "not_executed"],
      ...["deny E_LIMIT", "deny E_UNKNOWN_ACTION", "deny E_KEY_DENIED", "deny E_TEXT_DENIED"],
      ...["deny E_SCHEMA", "deny E_PROTOCOL", "allow", "allow", "allow"],
    ]);
  });

  it("goes as far as the run did that was ended by a violation", async () => {
    await expectSame(
      await record([[call("left_click", { coordinate: [30, 40] }), call("key", { text: "alt+Tab" })]]),
      2,
    );
  });

  it("plays several goals one after the other", async () => {
    const recorded = await record(
      [
        [call("left_click", { coordinate: [1, 1] })],
        [say("first")],
        [call("left_click", { coordinate: [2, 2] })],
        [say("second")],
      ],
      {},
      {
        work: async (agent) => {
          await computer.run(agent, "one");
          await computer.run(agent, "two");
        },
      },
    );
    await expectSame(recorded, 2);
  });

  it("sees the screens that were seen: a run that was stuck is stuck again", async () => {
    const clicks = Array.from({ length: 9 }, () => [call("left_click", { coordinate: [5, 5] })]);
    const white = { width: 200, height: 100, data: new Uint8Array(60_000).fill(255), channels: 3 as const };
    const recorded = await record(clicks, {}, { fake: { screens: () => white } });
    expect(recorded.outcome).toBe("stuck");
    await expectSame(recorded, 8);
    // The twin: the same clicks on a screen that changes get to the ninth.
    const other = await record(clicks, {}, { fake: {} });
    expect(other.outcome).toBe("stuck");
  });

  it("meets the display's failures again", async () => {
    const recorded = await record(
      [[call("left_click", { coordinate: [5, 5] }), call("type", { text: "after" })], [say("Done.")]],
      {},
      { fake: { fault: (action) => (action.kind === "click" ? { code: "E_BACKEND" } : undefined) } },
    );
    await expectSame(recorded, 2);
  });

  it("needs no kept frames", async () => {
    const recorded = await record(
      [[call("left_click", { coordinate: [5, 5] }), call("screenshot")], [say("Done.")]],
      {},
      { launch: { traceFrames: "digest-only" } },
    );
    expect(readdirSync(join(recorded.folder, "frames"))).toEqual([]);
    expect(await runCli(["trace", "verify", recorded.folder])).toMatchObject({ code: 0 });
    await expectSame(recorded, 2);
  });
});

/** A spec file for the agent of `record`, as a build would write it. */
function specFile(declared: Partial<ComputerUseOptions>): string {
  const path = join(temporaryFolder(), "computer-use.json");
  const entry = { ...entryOf({ width: 200, height: 100, ...declared }), agent: "Operator" };
  writeFileSync(path, serialiseSpec(sealSpec("test", [entry])));
  return path;
}

describe("a run that is judged otherwise now", () => {
  const clicks = () =>
    record([
      [call("left_click", { coordinate: [30, 40] })],
      [call("left_click", { coordinate: [150, 90] }), call("key", { text: "ctrl+s" })],
      [say("Done.")],
    ]);

  it("names the action, and what the replay did not come to", async () => {
    const { folder } = await clicks();
    const spec = specFile({ cap: FULL_CAP, bounds: { x: 0, y: 0, width: 100, height: 100 } });
    const { code, report } = await replay(folder, "--spec", spec);
    expect(code).toBe(1);
    expect(report).toMatchObject({
      ok: false,
      entry: "spec",
      counts: { same: 1, differs: 2, uncertain: 0 },
      actions: [
        { turn: 1, result: "same" },
        { turn: 2, result: "differs", recorded: { verdict: "allow" }, now: { code: "E_BOUNDS" } },
        { turn: 2, result: "differs", now: { verdict: "not_executed" } },
      ],
    });
    const shown = await runCli(["trace", "replay", folder, "--spec", spec]);
    expect(shown.stdout).toMatch(/turn 2 +DIFFERS +left_click 150,90 ─ then allow, now deny E_BOUNDS/);
    expect(shown.stdout).toMatch(/3 model actions replayed .*: 2 verdicts differ\n$/);
  });

  it("has its twin: the same spec agrees", async () => {
    const { folder } = await clicks();
    const { code, report } = await replay(folder, "--spec", specFile({ cap: FULL_CAP }));
    expect(report).toMatchObject({ ok: true, counts: { same: 3 } });
    expect(code).toBe(0);
  });

  it("is told as unsure where the typed text decided", async () => {
    const { folder } = await record(
      [[call("type", { text: "quiz" }), call("key", { text: "Return" })], [say("Done.")]],
      { denyKeys: ["q"], onViolation: "refuse" },
    );
    const { code, report } = await replay(folder);
    expect(code).toBe(1);
    expect(report.counts).toMatchObject({ uncertain: 1 });
    expect(report.actions[0]).toMatchObject({
      result: "uncertain",
      recorded: { code: "E_TEXT_DENIED" },
      note: expect.stringContaining("withheld"),
    });
  });
});

describe("what the host and the agent did", () => {
  it("a stop in the middle of a turn is played", async () => {
    const desktop = fakeDesktop();
    const stop = new AbortController();
    const recorded = await record(
      [[call("left_click", { coordinate: [1, 1] }), call("left_click", { coordinate: [2, 2] })]],
      {},
      {
        desktop,
        launch: {
          signal: stop.signal,
          onEvent: (event) => {
            if (event.type === "action") stop.abort();
          },
        },
      },
    );
    expect(recorded.outcome).toBe("stopped");
    const { report } = await replay(recorded.folder);
    expect(report.counts).toMatchObject({ differs: 0, uncertain: 0 });
  });

  it("the agent's own actions are listed, and leave the pointer where they put it", async () => {
    const recorded = await record(
      [
        [call("left_click", {}), call("scroll", { scroll_direction: "up", scroll_amount: 1 })],
        [say("Done.")],
      ],
      { bounds: { x: 0, y: 0, width: 50, height: 50 }, onViolation: "refuse" },
      {
        work: async (agent, goal) => {
          await computer.move(agent, { x: 10, y: 10 });
          await computer.run(agent, goal);
        },
      },
    );
    const report = await expectSame(recorded, 2);
    expect(report.notReplayed).toEqual([{ seq: expect.any(Number), name: "mouse_move", verdict: "allow" }]);
  });
});

it("what an earlier version kept is judged as it was then", async () => {
  const folder = join(import.meta.dirname, "../corpus/0.1.0-documents/trace");
  const { code, report } = await replay(folder);
  expect(report).toMatchObject({ ok: true, agent: "form_clerk", counts: { same: 10 } });
  expect(report.notReplayed).toHaveLength(3);
  expect(code).toBe(0);
});

describe("a trace that cannot be replayed", () => {
  const simple = () => record([[call("type", { text: "secret words" })], [say("Done.")]]);
  const documents = (folder: string) => readdirSync(join(folder, "documents")).sort();

  it("is not used when a kept reply was edited, exchanged or removed", async () => {
    const changes: readonly ((file: string) => void)[] = [
      (file) => writeFileSync(file, readFileSync(file, "utf8").replace(/x{12}|"withheld":\d+/, '"y"')),
      (file) => rmSync(file),
    ];
    for (const change of changes) {
      const { folder } = await simple();
      for (const name of documents(folder)) change(join(folder, "documents", name));
      const { code, report } = await replay(folder);
      expect(report).toMatchObject({ ok: false, intact: false, actions: [] });
      expect(report.problem).toMatch(/its document sha256:[0-9a-f]{64}: its file/);
      expect(code).toBe(1);
      expect((await runCli(["trace", "verify", folder])).code).toBe(1);
    }
  });

  it("keeps no replies: usage", async () => {
    const ran = await runCli(["trace", "replay", join(import.meta.dirname, "../corpus/0.1.0/trace")]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/keeps no replies/);
  });

  it("is no trace: usage", async () => {
    expect((await runCli(["trace", "replay", temporaryFolder()])).code).toBe(2);
  });
});

describe("a run of another kind", () => {
  it("of large pictures: the model's coordinates mean the same places", async () => {
    const recorded = await record(
      [
        [call("left_click", { coordinate: [2000, 200] }), call("left_click", { coordinate: [2576, 1] })],
        [say("Done.")],
      ],
      { width: 3000, height: 500, onViolation: "refuse" },
    );
    const report = await expectSame(recorded, 2);
    expect(report.actions[0].input.coordinate.x).toBeGreaterThan(2300);
  });

  it("of a script that ends by a call of its own", async () => {
    const model = script(
      [
        [
          call("left_click", { coordinate: [1, 1] }),
          call("done", { summary: "words" }, { toolset_name: null }),
        ],
      ],
      { dialect: "simple" },
    );
    models.push(model);
    const recorded = await record([], {}, { launch: { model } });
    expect(recorded.outcome).toBe("completed");
    await expectSame(recorded, 1);
  });

  it("with a secret in an id and in a name", async () => {
    const recorded = await record(
      [
        [call("left_click", { coordinate: [1, 1] }, { id: "id_token-1234" }), call("token-1234", {})],
        [say("Done.")],
      ],
      { onViolation: "refuse" },
      { launch: { secrets: ["token-1234"] } },
    );
    await expectSame(recorded, 2);
  });

  it("that was paused in the middle of a turn", async () => {
    let paused = false;
    const replies: ScriptReply[] = [
      [call("left_click", { coordinate: [1, 1] }), call("left_click", { coordinate: [2, 2] })],
      [say("Done.")],
    ];
    const model = script(replies);
    models.push(model);
    const folder = join(temporaryFolder(), "trace");
    class Operator {
      async run(goal: string): Promise<void> {
        await computer.run(this, goal);
      }
    }
    const run = launch(computerUse({ cap: FULL_CAP, width: 200, height: 100 })(Operator), {
      goal: "go",
      derive: true,
      model,
      trace: folder,
      onEvent: (event) => {
        if (event.type !== "action" || paused) return;
        paused = true;
        void run.pause("a look").then(() => run.resume("looked"));
      },
    });
    expect(await run).toMatchObject({ outcome: "completed" });
    const { code, report } = await replay(folder);
    expect(report.actions).toMatchObject([
      { result: "same", recorded: { verdict: "allow" } },
      { result: "same", recorded: { verdict: "not_executed" } },
    ]);
    expect(code).toBe(0);
  });
});

it("with --json there is one document even of a trace that cannot be read", async () => {
  const { code, stdout, stderr } = await runCli([
    "trace",
    "replay",
    join(temporaryFolder(), "none"),
    "--json",
  ]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, ok: false, error: { code: "E_AUDIT" } });
  expect(stderr).toContain("E_AUDIT");
});
