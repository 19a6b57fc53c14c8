// Attacks on a run from inside its own process: buggy or curious agent code against the run API and launch.
import { describe, expect, it } from "vitest";
import { sealSpec } from "../../src/contract/agent-spec.js";
import type { ComputerUseOptions } from "../../src/contract/declaration.js";
import { computer, computerUse, launch } from "../../src/index.js";
import type { ComputerCap } from "../../src/runtime/cap/computer-cap.js";
import { MemoryJournal } from "../../src/runtime/control/memory-journal.js";
import { fakeDesktop } from "../../src/runtime/drivers/index.js";
import { CAPS, entryOf } from "./fixtures.js";
import { instantClock } from "./instant-clock.js";

const SMALL = { width: 128, height: 80 };
const INSIDE = { x: 200, y: 200 };

type Work = (agent: object) => Promise<unknown>;

/** A fresh agent class of a declaration whose method does the work. */
function agentOf(options: ComputerUseOptions, work: Work) {
  class Agent {
    run() {
      return work(this);
    }
  }
  computerUse({ ...options, display: SMALL } as never)(Agent);
  return Agent;
}

function start(options: ComputerUseOptions, work: Work, more: object = {}) {
  const desktop = fakeDesktop({ size: SMALL, clock: instantClock() });
  const journal = new MemoryJournal();
  const made = { goal: "go", desktop, derive: true, trace: journal, clock: instantClock(), ...more };
  return { desktop, journal, run: launch(agentOf(options, work), made) };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (error as { code?: string }).code ?? "an error without a code",
  );

describe("quotas belong to the run", () => {
  it("Q-015 a class run twice starts at zero each time, and the first trace stays as it was", async () => {
    const codes: string[][] = [];
    const work: Work = async (agent) => {
      const run: string[] = [];
      codes.push(run);
      for (let n = 0; n < 4; n++) run.push(await codeOf(computer.click(agent, INSIDE)));
    };
    const Agent = agentOf(CAPS.Q, work);
    const runOnce = async () => {
      const journal = new MemoryJournal();
      const desktop = fakeDesktop({ size: SMALL, clock: instantClock() });
      await launch(Agent, { goal: "go", desktop, derive: true, trace: journal, clock: instantClock() });
      return journal;
    };
    const first = await runOnce();
    const text = first.text;
    await runOnce();
    expect(codes).toEqual([
      ["done", "done", "done", "E_QUOTA"],
      ["done", "done", "done", "E_QUOTA"],
    ]);
    expect(first.text).toBe(text);
  });

  it("Q-011 a hundred calls of the agent's own at once on a quota of ten", async () => {
    let done = 0;
    const { run, desktop } = start({ ...CAPS.A, maxActions: 10 }, async (agent) => {
      const all = await Promise.all(Array.from({ length: 100 }, () => codeOf(computer.click(agent, INSIDE))));
      done = all.filter((code) => code === "done").length;
    });
    await run;
    expect(done).toBe(10);
    expect(desktop.events.filter((event) => event.type === "button" && event.down)).toHaveLength(10);
  });

  it("Q-016 a goal run inside a goal is E_STATE, and mints no fresh quota", async () => {
    let inner = "";
    const model = {
      id: "script:nested",
      async ask() {
        return {
          id: "m",
          type: "message",
          role: "assistant",
          content: [{ type: "text", text: "done" }],
          stop_reason: "end_turn",
          usage: { input_tokens: 1, output_tokens: 1 },
        };
      },
      async close() {},
    };
    const { run } = start(
      CAPS.A,
      async (agent) => {
        const outer = computer.run(agent, "outer");
        inner = await codeOf(computer.run(agent, "inner"));
        await outer;
      },
      { model },
    );
    expect((await run).outcome).toBe("completed");
    expect(inner).toBe("E_STATE");
  });
});

describe("whose run it is", () => {
  it.each<readonly [string, (agent: object) => unknown]>([
    ["another instance", (agent) => new (agent.constructor as new () => object)()],
    ["an heir", (agent) => Object.create(agent)],
    ["a proxy", (agent) => new Proxy(agent, {})],
    ["a copy", (agent) => ({ ...agent })],
    ["null", () => null],
    ["a text", () => "agent"],
  ])("%s of the agent may do nothing", async (_what, other) => {
    let code = "";
    const { run, desktop } = start(CAPS.A, async (agent) => {
      code = await codeOf(Promise.resolve().then(() => computer.click(other(agent) as object, INSIDE)));
    });
    await run;
    expect(code).toMatch(/^E_/);
    expect(desktop.events).toEqual([]);
  });

  it("a call kept for after the run is refused", async () => {
    let kept: (() => Promise<unknown>) | undefined;
    const { run, desktop } = start(CAPS.A, async (agent) => {
      kept = () => computer.click(agent, INSIDE);
    });
    await run;
    const events = desktop.events.length;
    expect(await codeOf(Promise.resolve().then(() => kept?.()))).toBe("E_STATE");
    expect(desktop.events.length).toBe(events);
  });

  it("a call left running in the background does nothing once the run has ended", async () => {
    let late: Promise<string> = Promise.resolve("never");
    let letGo = () => {};
    const waiting = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { run, desktop } = start(CAPS.A, async (agent) => {
      late = waiting.then(() => codeOf(computer.type(agent, "late")));
    });
    await run;
    letGo();
    expect(await late).toBe("E_STATE");
    expect(desktop.text).toBe("");
  });

  it("F-019 a subclass that declares nothing is no agent, whatever its parent declared", async () => {
    const Parent = agentOf(CAPS.A, (agent) => computer.click(agent, INSIDE));
    class Child extends Parent {}
    const desktop = fakeDesktop({ size: SMALL });
    let code = "";
    try {
      const result = await launch(Child, { goal: "go", desktop, derive: true });
      code = result.outcome === "completed" ? "completed" : result.error.code;
    } catch (error) {
      code = (error as { code: string }).code;
    }
    expect(code).toMatch(/^E_/);
    expect(desktop.events).toEqual([]);
  });
});

describe("launch", () => {
  const entry = entryOf({ ...CAPS.A, display: SMALL }, "Agent");
  const spec = sealSpec("capuchin/test", [
    {
      ...entry,
      uses: [{ function: "click", path: [{ file: "src/operator.ts", line: 1, column: 1, symbol: "run" }] }],
    },
  ]);
  const launched = (options: ComputerUseOptions, work: Work, more: object) => {
    const desktop = fakeDesktop({ size: SMALL, clock: instantClock() });
    const Agent = agentOf(options, work);
    const result = Promise.resolve()
      .then(() => launch(Agent, { goal: "go", desktop, spec, clock: instantClock(), ...more } as never))
      .then(
        (ended) => (ended.outcome === "completed" ? "completed" : ended.error.code),
        (error: { code: string }) => error.code,
      );
    return { desktop, result };
  };
  const click: Work = (agent) => computer.click(agent, INSIDE);

  it("runs what the spec says of the class", async () => {
    const { desktop, result } = launched(CAPS.A, click, {});
    expect(await result).toBe("completed");
    expect(desktop.events.length).toBeGreaterThan(0);
  });

  it("F-025 refuses a class that declares more, or less, than its spec", async () => {
    for (const options of [CAPS.paste, { ...CAPS.A, denyKeys: [] }, { ...CAPS.A, maxActions: 21 }, CAPS.D]) {
      const { desktop, result } = launched(options, click, {});
      expect(await result).toBe("E_SPEC_DRIFT");
      expect(desktop.performed).toEqual([]);
    }
  });

  it("refuses an API function that the build did not prove", async () => {
    const { desktop, result } = launched(CAPS.A, (agent) => computer.type(agent, "x"), {});
    expect(await result).toBe("E_SPEC_DRIFT");
    expect(desktop.text).toBe("");
  });

  it.each([
    ["a tampered spec", { spec: { ...spec, agents: [{ ...spec.agents[0], maxActions: 1000 }] } }],
    ["a spec of another agent", { spec: sealSpec("capuchin/test", [entryOf(CAPS.A, "Other")]) }],
    ["no spec", { spec: undefined }],
    ["a spec that is none", { spec: {} }],
    ["a spec file that is not there", { spec: "/nonexistent/computer-use.json" }],
  ])("refuses %s with E_SPEC before any display is opened", async (_what, more) => {
    const { desktop, result } = launched(CAPS.A, click, more);
    expect(await result).toBe("E_SPEC");
    expect(desktop.openSessions).toBe(0);
    expect(desktop.performed).toEqual([]);
  });

  it("F-001 refuses a forged cap beside the spec", async () => {
    const cap = { screen: true, allows: () => true } as unknown as ComputerCap;
    const { desktop, result } = launched(CAPS.A, click, { cap });
    expect(await result).toBe("E_CAP_FORGED");
    expect(desktop.performed).toEqual([]);
  });
});

describe("arguments of the run API", () => {
  it("B-050 are read once", async () => {
    let reads = 0;
    const target = {
      y: 200,
      get x() {
        return reads++ === 0 ? 200 : 5;
      },
    };
    const { run, desktop } = start(CAPS.A, (agent) => computer.click(agent, target));
    expect((await run).outcome).toBe("completed");
    for (const event of desktop.events)
      if (event.type !== "key") expect([event.x, event.y]).toEqual([20, 20]);
  });

  it.each<readonly [string, (agent: object) => Promise<unknown>]>([
    ["a fraction", (agent) => computer.click(agent, { x: 200.5, y: 200 })],
    ["a text", (agent) => computer.click(agent, { x: "200", y: 200 } as never)],
    ["NaN", (agent) => computer.click(agent, { x: Number.NaN, y: 200 })],
    ["an unknown field", (agent) => computer.click(agent, { ...INSIDE, display: 1 } as never)],
    ["nothing", (agent) => computer.click(agent, undefined as never)],
    ["one end of a drag", (agent) => computer.drag(agent, { from: INSIDE } as never)],
    ["half a scroll target", (agent) => computer.scroll(agent, { x: 200, direction: "up", amount: 1 })],
    ["a key list", (agent) => computer.key(agent, ["ctrl", "c"] as never)],
    ["a number to type", (agent) => computer.type(agent, 5 as never)],
    ["an object that prints as text", (agent) => computer.type(agent, { toString: () => "x" } as never)],
    ["a fraction of a millisecond", (agent) => computer.wait(agent, 0.5)],
    ["a wait of an hour", (agent) => computer.wait(agent, 3_600_000)],
    ["a zoom of nothing", (agent) => computer.zoom(agent, { ...INSIDE, width: 0, height: 5 })],
  ])("%s is refused, and the run goes on", async (_what, call) => {
    let code = "";
    let after = "";
    const { run, desktop } = start(CAPS.A, async (agent) => {
      code = await codeOf(call(agent));
      after = await codeOf(computer.move(agent, INSIDE));
    });
    await run;
    expect(code).toMatch(/^E_(?:SCHEMA|LIMIT)$/);
    expect(after).toBe("done");
    expect(desktop.events.every((event) => event.type === "motion")).toBe(true);
  });

  it("a violation that the agent catches still closes the run for good under abort", async () => {
    const codes: string[] = [];
    const { run, desktop } = start({ ...CAPS.A, onViolation: "abort" }, async (agent) => {
      codes.push(await codeOf(computer.click(agent, { x: 5, y: 5 })));
      codes.push(await codeOf(computer.click(agent, INSIDE)));
      return "all is well";
    });
    const result = await run;
    expect(result.outcome).toBe("violation");
    expect(codes[0]).toBe("E_BOUNDS");
    expect(codes[1]).not.toBe("done");
    expect(desktop.events).toEqual([]);
  });
});
