// Asking again is taken out of a copy of the built package: the demo's form run, whose model's server fails twice in
// the middle of a reply, must then fail.
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PackageCopy } from "../../tools/package-copy.js";

const ROOT = resolve(import.meta.dirname, "../../..");

/** The demo's form run on the fake desktop: its agent, its drawn form, its failing server. */
const PROGRAM = `
import { launch } from "capuchin";
import { scriptFile } from "capuchin/runtime";
import { fakeDesktop } from "capuchin/testing";
import { createFakeForm } from "./demo/fake-form.js";
import { ENTRIES, readPlan } from "./demo/plan.js";
import { FormFiller } from "./examples/form-filler/agent.js";

const { goal, script, seed, expected } = readPlan({ seed: "7", fake: true, live: false });
const form = createFakeForm({ width: 1024, height: 768 }, ENTRIES.length, seed);
const desktop = fakeDesktop({ screens: form.screens });
const model = await scriptFile(script, { stream: true });
const reasons: string[] = [];
const onEvent = (event: { type: string; reason?: string }) => {
  if (event.type === "retry") reasons.push(String(event.reason));
};
const { outcome } = await launch(FormFiller, { goal, model, desktop, derive: true, onEvent });
console.log(JSON.stringify({ outcome, reasons, isTyped: form.printed(desktop.events) === expected }));
`;

interface Played {
  readonly outcome: string;
  readonly reasons: readonly string[];
  readonly isTyped: boolean;
}

function play(change: (copy: PackageCopy) => void = () => {}): Played {
  const copy = new PackageCopy({ "form-run.ts": PROGRAM });
  onTestFinished(() => copy.remove());
  for (const folder of ["demo", "examples"]) {
    cpSync(join(ROOT, folder), join(copy.folder, folder), { recursive: true });
  }
  change(copy);
  const ran = copy.node(["--import", "tsx", "form-run.ts"], { TSX_TSCONFIG_PATH: "demo/tsconfig.json" });
  expect(ran).toMatchObject({ status: 0 });
  return JSON.parse(ran.stdout) as Played;
}

test("the demo's form run survives an overload in mid-stream and a reset", () => {
  expect(play()).toEqual({
    outcome: "completed",
    reasons: [
      expect.stringContaining("overloaded_error"),
      expect.stringMatching(/the connection (?:broke off|was closed)/),
    ],
    isTyped: true,
  });
});

test("without asking again, the demo's form run would fail", () => {
  const played = play((copy) =>
    copy.patch(
      "runtime/dispatch/ask-model.js",
      "function nextAttempt(error, attempt, malformed, limits) {",
      "function nextAttempt(error, attempt, malformed, limits) {\n    return { why: undefined };",
    ),
  );
  expect(played).toEqual({ outcome: "failed", reasons: [], isTyped: false });
});
