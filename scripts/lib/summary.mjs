// Adds up vitest's JSON reports and prints the closing line of scripts/test. A report that is missing or unreadable,
// and a test file that could not be loaded, count as a failure: silence is not success.
// Usage: node summary.mjs REPORT.json…   Exit code 1 when anything failed or nothing ran.
import { readFileSync } from "node:fs";

/**
 * @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} FileResult
 * @typedef {{
 *   success: boolean, numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: FileResult[],
 * }} Report
 */

let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of process.argv.slice(2)) {
  const report = readReport(file);
  if (report === undefined) {
    console.error(`tests: no report in ${file}`);
    failed += 1;
    continue;
  }
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests + report.numTodoTests;
  const unloaded = report.testResults.filter(isFailedOutsideATest);
  for (const { name } of unloaded) console.error(`tests: failed outside a test: ${name}`);
  failed += unloaded.length;
  if (report.success !== true && report.numFailedTests + unloaded.length === 0) {
    console.error(`tests: ${file} reports no success`);
    failed += 1;
  }
}
console.log(`tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** @param {string} file @returns {Report | undefined} */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {FileResult} result */
function isFailedOutsideATest({ status, assertionResults }) {
  return status === "failed" && assertionResults.every((assertion) => assertion.status !== "failed");
}
