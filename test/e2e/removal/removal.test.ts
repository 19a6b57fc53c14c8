// Each layer is taken out of a copy of the built package, and what it promises must then fail: a layer that can go
// unnoticed protects nothing.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BareDisplay, startBareDisplay } from "../../tools/bare-display.js";
import { readInputState } from "../../tools/input-state.js";
import { PackageCopy } from "../../tools/package-copy.js";
import { type EventRecorder, startEventRecorder } from "../../tools/recorder.js";

const TSCONFIG = JSON.stringify({
  compilerOptions: { target: "es2022", module: "nodenext", strict: true, types: [], skipLibCheck: true },
  include: ["agent.ts"],
});

function agentFile(cap: string, body: string, options = ""): string {
  return `import { computer, computerUse } from "capuchin";

@computerUse({ width: 640, height: 400, cap: "${cap}"${options} })
export class Agent {
  async run(_goal: string): Promise<void> {
    ${body}
  }
}
`;
}

function copyWith(agent: string): PackageCopy {
  const copy = new PackageCopy({ "agent.ts": agent, "agent.mjs": agent, "tsconfig.json": TSCONFIG });
  onTestFinished(() => copy.remove());
  return copy;
}

describe("the checker", () => {
  const agent = agentFile("computer.screen", "await computer.click(this, { x: 1, y: 2 });");

  function isRefused(copy: PackageCopy): boolean {
    const { status, stdout } = copy.run(["check", "-p", "."]);
    return status === 1 && stdout.includes("CU6030");
  }

  test("refuses an agent beyond its cap", () => {
    expect(isRefused(copyWith(agent))).toBe(true);
  });

  test("taken out, the agent would pass", () => {
    const copy = copyWith(agent);
    copy.patch(
      "transformer/check.js",
      "export function checkProject(",
      "export function checkProject(...args) {\n    const result = realCheck(...args);\n    return { ...result, report: { ...result.report, ok: true, diagnostics: [] } };\n}\nfunction realCheck(",
    );
    expect(isRefused(copy)).toBe(false);
  });
});

describe("the spec's digest", () => {
  const agent = agentFile("computer.screen", "computer.cap(this);");

  /** Builds a spec, edits what no other check compares, and runs. */
  function isEditRefused(copy: PackageCopy): boolean {
    expect(copy.run(["build", "-p", "."]).status).toBe(0);
    copy.write(
      "computer-use.json",
      copy.read("computer-use.json").replace('"file": "agent.ts"', '"file": "other.ts"'),
    );
    const run = [
      "run",
      "agent.ts",
      "--goal",
      "g",
      "--spec",
      "computer-use.json",
      "--desktop",
      "fake",
      "--model",
      "script:none.json",
    ];
    copy.write("none.json", "[]");
    const { status, stderr } = copy.run(run);
    return status === 2 && stderr.includes("E_SPEC");
  }

  test("refuses an edited spec", () => {
    expect(isEditRefused(copyWith(agent))).toBe(true);
  });

  test("taken out, an edited spec would run", () => {
    const copy = copyWith(agent);
    copy.patch("contract/agent-spec.js", "if (spec.digest !== expected)", "if (false)");
    expect(isEditRefused(copy)).toBe(false);
  });
});

describe("on a display", () => {
  let display: BareDisplay;
  let recorder: EventRecorder;

  beforeAll(async () => {
    display = await startBareDisplay(640, 400);
    recorder = await startEventRecorder(display.address);
  });
  afterAll(async () => {
    await recorder.stop();
    await display.stop();
  });

  /** A program that launches an agent with this body on the display that DISPLAY names. */
  function program(body: string, options: object = {}): PackageCopy {
    const declared = { width: 640, height: 400, cap: "computer.screen + computer.input", ...options };
    return copyWith(`import { computer, computerUse, launch } from "capuchin";
import { hostDesktop } from "capuchin/runtime";

const Agent = computerUse(${JSON.stringify(declared)})(class Agent {
  async run() {
    ${body}
  }
});
const result = await launch(Agent, { goal: "g", derive: true, desktop: hostDesktop() });
process.stdout.write(result.outcome);
`);
  }

  /** Runs the copy's program on the display; the events that reached it. */
  async function eventsOf(copy: PackageCopy): Promise<number> {
    await recorder.clear();
    copy.node(["agent.mjs"], { DISPLAY: display.address.display });
    return (await recorder.events()).filter((event) => event.event !== "MotionNotify").length;
  }

  describe("the gate", () => {
    const bounds = { bounds: { x: 0, y: 0, width: 100, height: 100 } };
    const outside = () => program("await computer.click(this, { x: 300, y: 200 });", bounds);
    const inside = () => program("await computer.click(this, { x: 50, y: 50 });", bounds);
    const denied = () => program('await computer.key(this, "alt+F4");');
    const allowed = () => program('await computer.key(this, "F4");');

    test.each([
      ["a click outside the bounds", outside, inside],
      ["a denied chord", denied, allowed],
    ])("lets no event of %s through, and its twin passes", async (_what, hostile, twin) => {
      expect(await eventsOf(hostile())).toBe(0);
      expect(await eventsOf(twin())).toBeGreaterThan(0);
    });

    test("passed through, the click would reach the display", async () => {
      const copy = outside();
      copy.patch(
        "contract/geometry.js",
        "export function contains(rect, point) {",
        "export function contains(rect, point) {\n    return true;",
      );
      expect(await eventsOf(copy)).toBeGreaterThan(0);
    });

    test("passed through, the chord would reach the display", async () => {
      const copy = denied();
      copy.patch(
        "contract/deny-keys.js",
        "export function findDenied(chord, deny, held = []) {",
        "export function findDenied(chord, deny, held = []) {\n    return undefined;",
      );
      expect(await eventsOf(copy)).toBeGreaterThan(0);
    });
  });

  describe("release-all", () => {
    const holding = () =>
      program("await computer.move(this, { x: 60, y: 60 }); await computer.mouseDown(this);");
    const heldMask = async () => (await readInputState(display.address)).mask & 0x1f00;

    test("leaves no button down after a run that pressed one", async () => {
      expect(await eventsOf(holding())).toBeGreaterThan(0);
      expect(await heldMask()).toBe(0);
    });

    test("taken out, the button would stay down", async () => {
      const copy = holding();
      copy.patch(
        "runtime/drivers/x11/neutral-state.js",
        "export async function releaseEverything(display) {",
        "export async function releaseEverything(display) {\n    return { keys: [], buttons: [] };",
      );
      await eventsOf(copy);
      expect(await heldMask()).not.toBe(0);
      // The next run finds the button and lets go of it.
      expect(await eventsOf(program("await computer.screenshot(this);"))).toBeGreaterThan(0);
      expect(await heldMask()).toBe(0);
    });
  });
});
