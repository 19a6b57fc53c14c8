// The demo's model script against a drawn form: it fills the form in by the pictures alone, and gives up when the
// pictures are wrong.
import { expect, test, vi } from "vitest";
import { createFakeForm } from "../../demo/fake-form.js";
import formScript from "../../demo/model/form-script.mjs";
import { withBlackFrame, withPreviousFrame, withScaledFrame } from "../../demo/model/sabotage.mjs";
import { FormFiller } from "../../examples/form-filler/agent.js";
import { type Clock, systemClock } from "../../src/base/clock.js";
import { computerUse, launch } from "../../src/index.js";
import { fakeDesktop } from "../../src/runtime/drivers/index.js";
import type { ScriptFunction } from "../../src/runtime/testing/messages-server.js";
import { script } from "../../src/runtime/testing/scripted-model.js";

const VALUES = [`O'Brien & Söhne <a@b.c> 100% #1 "x" 日本`, "ring twice; gate 7", "Köln"];
const GOAL = ["Fill in the form.", `Name: ${VALUES[0]}`, `Note: ${VALUES[1]}`, `City: ${VALUES[2]}`].join(
  "\n",
);

/** For a machine that does much else; an idle one takes seconds. */
vi.setConfig({ testTimeout: 60_000 });

/** The script's waits pass at once, since a drawn form needs no time; deadlines are longer and stay. */
const HURRIED: Clock = {
  ...systemClock,
  sleep: (ms, signal) => (ms < 1000 ? Promise.resolve() : systemClock.sleep(ms, signal)),
};

/** The same agent on a small display, whose pictures are quicker to read. */
@computerUse({ width: 520, height: 360, cap: "computer.screen + computer.input" })
class SmallFormFiller extends FormFiller {}

async function play(
  Agent: typeof FormFiller,
  seed: number,
  model: typeof formScript | ReturnType<typeof withBlackFrame>,
) {
  const size = Agent === FormFiller ? { width: 1024, height: 768 } : { width: 520, height: 360 };
  const form = createFakeForm(size, VALUES.length, seed);
  const desktop = fakeDesktop({ screens: form.screens });
  const result = await launch(Agent, {
    goal: GOAL,
    model: script(model as ScriptFunction, { name: "form-script.mjs" }),
    desktop,
    derive: true,
    clock: HURRIED,
  });
  return { result, printed: form.printed(desktop.events) };
}

test.each([
  [FormFiller, 1],
  [SmallFormFiller, 20],
  [SmallFormFiller, 999],
])("%o: the form at the place of seed %i gets every character", async (Agent, seed) => {
  const { result, printed } = await play(Agent, seed, formScript);
  expect(result).toMatchObject({ outcome: "completed" });
  expect(printed).toBe(VALUES.map((value) => `${value}\n`).join(""));
});

test.each([
  ["the picture of the turn before", withPreviousFrame],
  ["a black picture", withBlackFrame],
  ["a picture of the wrong scale", withScaledFrame],
])("fed %s, it cannot finish", async (_, sabotage) => {
  const { result, printed } = await play(SmallFormFiller, 5, sabotage(formScript));
  expect(["model_refused", "violation"]).toContain(result.outcome);
  expect(printed).toBeUndefined();
});
