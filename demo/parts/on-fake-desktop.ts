// Parts (c) and (e) where there is no virtual display: the same agents, scripts, SDK and gate, on the fake desktop.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type LaunchOptions, launch } from "capuchin";
import { scriptFile } from "capuchin/runtime";
import { type FakeEvent, fakeDesktop } from "capuchin/testing";
import type { FormFiller as Example } from "../../examples/form-filler/agent.js";
import { TerminalHelper } from "../../examples/terminal-helper/agent.js";
import { createFakeForm } from "../fake-form.js";
import { ENTRIES, type Plan } from "../plan.js";
import { explain, mark, show } from "../terminal.js";
import { showAskedAgain } from "./asked-again.js";
import { judgeEvents } from "./mischief-report.js";

const SIZE = { width: 1024, height: 768 };

export async function fillDrawnForm(plan: Plan): Promise<void> {
  const { seed, goal, size, agent, spec, answer, trace, script, faulty } = plan;
  explain(`The form is drawn at a place that follows from seed ${seed}.`);
  explain(
    "A script plays the model. It sees only what its server received, and finds the form by its pixels.",
  );
  const form = createFakeForm(size, ENTRIES.length, seed);
  const desktop = fakeDesktop({ screens: form.screens });
  const { FormFiller } = (await import(pathToFileURL(resolve(agent)).href)) as { FormFiller: typeof Example };
  const model = await scriptFile(script, { stream: true });
  const result = await launch(FormFiller, { goal, model, desktop, spec, trace, onEvent: printEvent });
  mark(result.outcome === "completed", `the run is ${result.outcome}`);
  if (faulty) showAskedAgain(plan);
  const printed = form.printed(desktop.events);
  if (printed !== undefined) writeFileSync(answer, printed);
}

export async function tryMischiefOnFake({ spec, folder }: Plan): Promise<void> {
  explain(
    "The agent may use the mouse within 800 × 600 and may not press Return; the model tries to, in four ways.",
  );
  const page = new Uint8Array(SIZE.width * SIZE.height * 3).fill(255);
  const desktop = fakeDesktop({ screens: () => ({ ...SIZE, channels: 3, data: page }) });
  const result = await launch(TerminalHelper, {
    goal: "Prepare the command.",
    model: await scriptFile("demo/model/hostile-script.mjs"),
    desktop,
    spec,
    trace: `${folder}/trace-mischief`,
    onEvent: printEvent,
  });
  mark(result.outcome === "completed", "the run went on within its limits and ended");
  judgeEvents({
    keyPresses: desktop.events.filter((event) => event.type === "key" && event.down).length,
    buttonPresses: desktop.events.filter((event) => event.type === "button" && event.down).length,
    places: desktop.events.flatMap((event: FakeEvent) => (event.type === "key" ? [] : [event])),
  });
}

type RunEvent = Parameters<NonNullable<LaunchOptions<object>["onEvent"]>>[0];

function printEvent(event: RunEvent): void {
  if (event.type === "turn") show(`turn ${event.turn}`);
  else if (event.type === "retry") show(`  asked again because ${event.reason}`);
  else if (event.type === "action")
    show(`  ${event.summary}   ${event.verdict}   ${event.code ?? event.effect ?? ""}`);
}
