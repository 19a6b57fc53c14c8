// The demo: one agent from declaration to trace. Run by scripts/demo, which sets everything up; prints what it does
// and exits 1 when anything is not as it should be.
import { mkdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildSpec } from "./parts/build-spec.js";
import { checkExamples } from "./parts/check-examples.js";
import { compareAnswer } from "./parts/compare-answer.js";
import { fillForm } from "./parts/fill-form.js";
import { fillOnHost } from "./parts/fill-on-host.js";
import { fillDrawnForm, tryMischiefOnFake } from "./parts/on-fake-desktop.js";
import { showPictures } from "./parts/show-pictures.js";
import { showTrace } from "./parts/show-trace.js";
import { writeSizedAgent } from "./parts/sized-agent.js";
import { tryMischief } from "./parts/try-mischief.js";
import { readPlan } from "./plan.js";
import { explain, failures, heading, mark } from "./terminal.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    fake: { type: "boolean", default: false },
    live: { type: "boolean", default: false },
    sabotage: { type: "string" },
    size: { type: "string" },
    "model-id": { type: "string" },
    desktop: { type: "string" },
    driver: { type: "string" },
    "skip-check": { type: "boolean", default: false },
  },
});
const plan = readPlan(values);
rmSync(plan.folder, { recursive: true, force: true });
mkdirSync(plan.folder, { recursive: true, mode: 0o700 });

console.log(`Capuchin demo. Everything it writes is in ${plan.folder}/.`);
if (plan.fake)
  explain("The runs use the fake desktop: it draws a form and records events; no display is touched.");

if (plan.sabotage === undefined && !values["skip-check"] && plan.isExample) {
  heading("a", "Check: the build proves what the agents' code can reach");
  checkExamples();
}
heading("b", "Build: the proof becomes a spec, which the run enforces");
if (!plan.isExample) writeSizedAgent(plan);
const built = buildSpec(plan);
if (built && plan.host) {
  await fillOnHost(plan);
  heading("e", "Trace: what was done, chained by hash");
  showTrace(plan);
} else if (built) {
  heading("c", "Run: an agent fills in a form");
  await (plan.fake ? fillDrawnForm(plan) : fillForm(plan));
  showPictures(plan);
  heading("d", "Compare: what the form program got, against the goal");
  compareAnswer(plan);
  if (plan.sabotage === undefined && !plan.live && plan.isExample) {
    heading("e", "Mischief: a hostile model against bounds and denied keys");
    await (plan.fake ? tryMischiefOnFake(plan) : tryMischief(plan));
  }
  if (plan.sabotage === undefined) {
    heading("f", "Trace: what was done, chained by hash");
    showTrace(plan);
  }
}

console.log("");
if (failures.length > 0) {
  mark(false, `demo: ${failures.length} of its statements did not hold`);
  process.exitCode = 1;
} else {
  mark(true, "demo: everything was as it should be");
}
