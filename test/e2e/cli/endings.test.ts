// How a run ends from outside, on a real display: what was held is let go, the trace is ended, the exit code says why.
// The same on the fake desktop is in run.test.ts.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startBareDisplay } from "../../tools/bare-display.js";
import { readInputState } from "../../tools/input-state.js";
import { AGENT, PACKAGE, Project, tsconfig, turn } from "./project.js";

const HOLD = turn(
  "I hold",
  ["mouse_move", { coordinate: [20, 20] }],
  ["left_mouse_down", {}],
  ["wait", { duration: 10 }],
);

function project(script: unknown = [HOLD, turn("bye")]): Project {
  return new Project({
    "package.json": PACKAGE,
    "tsconfig.json": tsconfig(),
    "src/agent.ts": AGENT,
    "script.json": JSON.stringify(script),
  });
}

const RUN = ["run", "src/agent.ts", "--goal", "g", "--model", "script:script.json", "--trace", "trace"];

describe("a run on a display that outlives it", () => {
  it.each([
    ["SIGINT", 1, 130],
    ["SIGINT", 2, 130],
    ["SIGTERM", 1, 143],
    ["SIGHUP", 1, 129],
  ] as const)(
    "C-013 %s, %i time(s): the button is up again, the trace is whole, exit %i",
    async (signal, times, code) => {
      const display = await startBareDisplay(320, 200);
      try {
        const at = project();
        const started = at.start([...RUN, "--desktop", "host", "--json"], {
          DISPLAY: display.address.display,
        });
        await started.saw("left_mouse_down");
        expect((await readInputState(display.address)).mask, "the button is down").toBe(256);
        for (let sent = 0; sent < times; sent++) started.child.kill(signal);
        const ran = await started.ended;
        expect(ran).toMatchObject({ code, signal: null });
        expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: "stopped" });
        expect(await readInputState(display.address)).toMatchObject({ keys: [], mask: 0 });
        const verified = await at.run(["trace", "verify", "trace"]);
        expect(verified.stdout).toMatch(/^intact and complete/);
      } finally {
        await display.stop();
      }
    },
  );
});

describe("a run whose readers go away", () => {
  it("C-013 ends with what was held let go when nobody reads its progress", async () => {
    const at = project();
    const started = at.start([...RUN, "--desktop", "fake"]);
    await started.saw("turn 1");
    started.child.stderr?.destroy();
    expect((await started.ended).code).toBe(1);
    const trace = readFileSync(at.path("trace/trace.jsonl"), "utf8");
    expect(trace).toContain("whoever read the output has closed it");
    expect((await at.run(["trace", "verify", "trace"])).code).toBe(0);
  });

  it("C-013 goes on without standard input, and to its end without a reader of the result", async () => {
    const at = project([turn("bye")]);
    // Standard input is /dev/null here: it ended before the run began.
    const started = at.start([...RUN, "--desktop", "fake"]);
    started.child.stdout?.destroy();
    const ran = await started.ended;
    expect(ran.stderr).not.toMatch(/EPIPE|internal error/);
    expect(ran.code).toBe(0);
    expect((await at.run(["trace", "verify", "trace"])).code).toBe(0);
  });
});
