// (c) The form agent on a display that somebody else has opened, through the driver that was asked for. nut-js mistypes
// some characters of the demo's goal: the driver must refuse it before the first key, and the run must say so.
import { existsSync, readFileSync } from "node:fs";
import { capuchinOn } from "../capuchin.js";
import { type HostDisplay, openHostDisplay } from "../host-display.js";
import { expectedOf, goalOf, PLAIN_ENTRIES, type Plan } from "../plan.js";
import { explain, heading, mark, show } from "../terminal.js";
import { compareAnswer } from "./compare-answer.js";

const SIZE = { width: 1024, height: 768 };

export async function fillOnHost(plan: Plan): Promise<void> {
  heading("c", `Run: the same agent on a display that it did not open, driven by ${plan.driver}`);
  explain("The display stands in for yours: an X server with its own window manager. xinput watches it.");
  if (plan.driver === "nut") {
    await onDisplay((display) => refuseGoal(plan, display));
    heading("d", "Run: a goal of characters that nut-js can be made to type");
    await onDisplay((display) =>
      fill(
        { ...plan, goal: goalOf(PLAIN_ENTRIES), entries: PLAIN_ENTRIES, expected: expectedOf(PLAIN_ENTRIES) },
        display,
      ),
    );
  } else await onDisplay((display) => fill(plan, display));
}

async function onDisplay(part: (display: HostDisplay) => void): Promise<void> {
  const display = await openHostDisplay(SIZE);
  try {
    part(display);
  } finally {
    await display.close();
  }
}

function refuseGoal(plan: Plan, display: HostDisplay): void {
  explain(
    "nut-js by itself presses keys that give no ö and no 日, and reports success. Here the text is refused:",
  );
  const trace = `${plan.folder}/trace-refused`;
  const code = run(plan, display, trace);
  mark(code === 1, "the run is not completed, and its exit code says so");
  const reason = refusalIn(trace);
  mark(
    reason !== undefined,
    `the trace has it: E_TEXT_UNSUPPORTED, 0 events: ${reason ?? "no such receipt"}`,
  );
  mark(display.keyPresses() === 0, `key presses on the display: ${display.keyPresses()}`);
  mark(!existsSync(plan.answer), "the form took nothing");
}

function fill(plan: Plan, display: HostDisplay): void {
  const code = run(plan, display, plan.trace);
  mark(code === 0, "the run is completed");
  compareAnswer(plan);
}

function run(
  { goal, agent, spec, answer, seed, script, driver }: Plan,
  display: HostDisplay,
  trace: string,
): number {
  explain("The goal:");
  show(goal);
  display.openForm(seed, answer);
  return capuchinOn(
    display.env,
    ...["run", agent, "--goal", goal],
    ...["--spec", spec],
    ...["--desktop", "host", "--driver", driver],
    ...["--trace", trace],
    ...["--model", `script:${script}`, "--stream"],
  );
}

/** The driver's words in the trace about a text that was refused before its first event. */
function refusalIn(trace: string): string | undefined {
  const file = `${trace}/trace.jsonl`;
  if (!existsSync(file)) return undefined;
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .find(({ kind, data }) => kind === "receipt" && data.code === "E_TEXT_UNSUPPORTED" && data.events === 0)
    ?.data.reason;
}
