// The two commands of the README answer for themselves before they set anything up.
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const COMMANDS = ["scripts/test", "scripts/demo"];

test.each(COMMANDS)("%s explains itself, from any folder", (path) => {
  const folder = mkdtempSync(join(tmpdir(), "capuchin-elsewhere-"));
  const done = run(path, ["--help"], folder);
  rmSync(folder, { recursive: true });
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toMatch(new RegExp(`^usage: ${path} (?:.|\\n +)*--install`));
});

test.each(COMMANDS)("%s refuses an unknown flag with exit code 2", (path) => {
  const done = run(path, ["--instal"]);
  expect(done.status).toBe(2);
  expect(done.stderr).toContain("unknown argument: --instal");
});

test.each([...COMMANDS, ".ci/run", "scripts/driver-matrix", "demo/form-app", "demo/watched-terminal"])(
  "%s may be executed",
  (path) => {
    accessSync(join(ROOT, path), constants.X_OK);
    expect(readFileSync(join(ROOT, path), "utf8")).toMatch(
      /^#!\/usr\/bin\/env bash\n(#.*\n)+set -euo pipefail\n/,
    );
  },
);

test("continuous integration runs scripts/test and nothing else", () => {
  const lines = readFileSync(join(ROOT, ".ci/run"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines).toHaveLength(3);
  expect(lines.at(-1)).toBe('exec ./scripts/test "$@"');
});

test("the demo's live mode wants a key before anything else", () => {
  const done = run("scripts/demo", ["--live"], ROOT, { ANTHROPIC_API_KEY: "" });
  expect(done.status).toBe(2);
  expect(done.stderr).toContain("ANTHROPIC_API_KEY");
});

function run(path: string, args: string[], cwd = ROOT, env: Record<string, string> = {}) {
  return spawnSync(join(ROOT, path), args, { cwd, encoding: "utf8", env: { ...process.env, ...env } });
}
