// A long run does not grow with its turns: measured as the memory of a process of its own, pictures of 500 MB in all.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const MIB = 2 ** 20;

test("500 turns with a screenshot of a megabyte each stay within memory [Q-022]", async () => {
  const args = ["--import", "tsx", "test/runtime/dispatch/long-run.ts", "500"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: process.cwd() });
  const run = JSON.parse(stdout);
  expect(run).toMatchObject({ outcome: "completed", turns: 501, shown: 501, problems: [] });
  expect(run.bytes).toBeGreaterThan(500 * MIB);
  expect(run.mostImages).toBeLessThanOrEqual(12);
  // What stays is a dozen pictures; the rest is what a request of 16 MB takes while it is made and collected later.
  expect(run.peak - run.before).toBeLessThan(200 * MIB);
}, 1_800_000);
