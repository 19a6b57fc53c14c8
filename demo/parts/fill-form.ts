// (c) The form agent on a virtual display of its own, against a real GTK form.
import { capuchin } from "../capuchin.js";
import type { Plan } from "../plan.js";
import { explain, mark, show } from "../terminal.js";
import { showAskedAgain } from "./asked-again.js";

export function fillForm(plan: Plan): void {
  const { seed, goal, agent, spec, answer, trace, folder, script, live, faulty } = plan;
  explain(`A zenity form opens on a private display, at a place that follows from seed ${seed}.`);
  if (live) explain("Claude plays the model; a recording is kept.");
  else
    explain(
      "A script plays the model. It sees only what its server received, and finds the form by its pixels.",
    );
  explain("The goal:");
  show(goal);
  const model = live ? ["anthropic", "--record", `${folder}/recording`] : [`script:${script}`, "--stream"];
  const code = capuchin(
    "run",
    agent,
    ...["--goal", goal],
    ...["--spec", spec],
    ...["--desktop", "virtual"],
    ...["--app", `demo/form-app --seed ${seed} --out ${answer}`],
    ...["--trace", trace],
    ...["--model", ...model],
  );
  mark(code === 0, "the run is completed");
  if (faulty) showAskedAgain(plan);
  if (live && code === 0) explain(`Play it again with: capuchin run … --model replay:${folder}/recording`);
}
