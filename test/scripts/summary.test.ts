// The closing line of scripts/test: what it counts, and what it takes for a failure.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const SUMMARY = resolve(import.meta.dirname, "../../scripts/lib/summary.mjs");
const folder = mkdtempSync(join(tmpdir(), "capuchin-summary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GOOD = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ name: "a.test.ts", status: "passed", assertionResults: [{ status: "passed" }] }],
};

function summarise(...reports: (object | string)[]) {
  const files = reports.map((report, index) => {
    if (typeof report === "string") return report;
    const file = join(folder, `${index}.json`);
    writeFileSync(file, JSON.stringify(report));
    return file;
  });
  return spawnSync(process.execPath, [SUMMARY, ...files], { encoding: "utf8" });
}

test("passed tests of all reports are added up", () => {
  const done = summarise(GOOD, { ...GOOD, numPassedTests: 4 });
  expect(done).toMatchObject({ status: 0, stdout: "tests: 7 passed, 0 failed\n", stderr: "" });
});

test("skipped tests are named", () => {
  expect(summarise({ ...GOOD, numPendingTests: 1, numTodoTests: 1 }).stdout).toBe(
    "tests: 3 passed, 0 failed, 2 skipped\n",
  );
});

test("a failed test fails", () => {
  const failed = {
    ...GOOD,
    success: false,
    numFailedTests: 2,
    testResults: [{ name: "a.test.ts", status: "failed", assertionResults: [{ status: "failed" }] }],
  };
  expect(summarise(failed)).toMatchObject({ status: 1, stdout: "tests: 3 passed, 2 failed\n" });
});

test("a file that could not be loaded fails and is named", () => {
  const broken = {
    ...GOOD,
    success: false,
    testResults: [{ name: "b.test.ts", status: "failed", assertionResults: [] }],
  };
  const done = summarise(broken);
  expect(done).toMatchObject({ status: 1, stdout: "tests: 3 passed, 1 failed\n" });
  expect(done.stderr).toContain("b.test.ts");
});

test("a missing report fails, and so does a report of nothing", () => {
  expect(summarise(GOOD, join(folder, "missing.json"))).toMatchObject({
    status: 1,
    stdout: "tests: 3 passed, 1 failed\n",
  });
  expect(summarise({ ...GOOD, numPassedTests: 0 })).toMatchObject({ status: 1 });
  expect(summarise()).toMatchObject({ status: 1, stdout: "tests: 0 passed, 0 failed\n" });
});
