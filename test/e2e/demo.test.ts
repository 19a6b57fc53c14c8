// The demo as a whole, as scripts/demo starts it after its set-up: it succeeds, and it fails when its model script is
// shown a wrong picture.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { expectedOf, PLAIN_ENTRIES, readPlan } from "../../demo/plan.js";

const ROOT = resolve(import.meta.dirname, "../..");
const FOUR_MINUTES = 240_000;

function demo(...flags: string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", "demo/main.ts", ...flags], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, TSX_TSCONFIG_PATH: "demo/tsconfig.json", FORCE_COLOR: "0" },
    maxBuffer: 64 * 1024 * 1024,
  });
}

const plan = readPlan({ seed: "7", fake: false, live: false });

test(
  "on a virtual display every statement of the demo holds",
  () => {
    const done = demo("--seed", "7");
    expect(done.stdout).not.toContain("✗");
    expect(done).toMatchObject({ status: 0 });
    for (const part of ["(a)", "(b)", "(c)", "(d)", "(e)", "(f)"])
      expect(done.stdout).toContain(`\n${part} `);
    expect(readFileSync(resolve(ROOT, plan.answer), "utf8")).toBe(plan.expected);
    expect(done.stdout).not.toContain("\u001b[");
  },
  FOUR_MINUTES,
);

test.each([
  ["1920x1080", "1456 × 819"],
  ["1080x1920", "819 × 1456"],
])(
  "on a display of %s the script reads pictures of %s, and its clicks still land on the form",
  (size, shown) => {
    const done = demo("--seed", "7", "--size", size, "--model-id", "claude-sonnet-4-6");
    expect(done.stdout).not.toContain("✗");
    expect(done).toMatchObject({ status: 0 });
    expect(done.stdout).toContain(
      `✓ the display has ${size.replace("x", " × ")} pixels; the model was shown ${shown}\n`,
    );
    expect(readFileSync(resolve(ROOT, plan.answer), "utf8")).toBe(plan.expected);
  },
  FOUR_MINUTES,
);

test(
  "on a display of somebody else's, nut's refusals are shown, and what it can type is typed",
  () => {
    const done = demo("--seed", "7", "--skip-check", "--desktop", "host", "--driver", "nut");
    expect(done.stdout).not.toContain("✗ ");
    expect(done).toMatchObject({ status: 0 });
    expect(done.stdout).toMatch(/U\+00F6 cannot be typed here: .*nut/);
    expect(done.stdout).toContain("key presses on the display: 0");
    expect(readFileSync(resolve(ROOT, plan.answer), "utf8")).toBe(expectedOf(PLAIN_ENTRIES));
  },
  FOUR_MINUTES,
);

test(
  "on the fake desktop too",
  () => {
    const done = demo("--seed", "7", "--fake", "--skip-check");
    expect(done.stdout).not.toContain("✗");
    expect(done).toMatchObject({ status: 0 });
    expect(readFileSync(resolve(ROOT, plan.answer), "utf8")).toBe(plan.expected);
  },
  FOUR_MINUTES,
);

test.each(["previous", "black", "scaled"])(
  "fed a %s frame, the demo fails",
  (kind) => {
    const done = demo("--seed", "7", "--sabotage", kind);
    expect(done.status).toBe(1);
    expect(done.stdout).toContain("✗ the run is completed");
    expect(done.stdout).toMatch(/✗ (the form program printed nothing|all \d+ characters are the same)/);
    const answer = resolve(ROOT, plan.answer);
    expect(existsSync(answer) ? readFileSync(answer, "utf8") : "").not.toBe(plan.expected);
  },
  FOUR_MINUTES,
);
