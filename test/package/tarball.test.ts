import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { pack, ROOT } from "./packed.js";

let tarball: string;
beforeAll(() => {
  tarball = pack();
});

test("the tarball holds what is promised and nothing of the workshop", () => {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  for (const path of [
    "package.json",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "dist/index.js",
    "dist/cli/main.js",
  ]) {
    expect(files).toContain(path);
  }
  const outside = files.filter(
    (path) =>
      !/^(dist|docs)\//.test(path) && !/^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(path),
  );
  expect(outside).toEqual([]);
  expect(files.filter((path) => /\.test\.|(^|\/)test\/|\.tsbuildinfo$|\.map$/.test(path))).toEqual([]);
});

test("every entry has its file and its declarations in the tarball", () => {
  const manifest = JSON.parse(
    execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }),
  );
  const files = new Set(execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n"));
  const targets = Object.values(manifest.exports as Record<string, string | Record<string, string>>).flatMap(
    (target) => (typeof target === "string" ? [target] : Object.values(target)),
  );
  const missing = [...targets, ...Object.values(manifest.bin as Record<string, string>)].filter(
    (target) => !files.has(join("package", target)),
  );
  expect(targets.length).toBeGreaterThan(8);
  expect(missing).toEqual([]);
});

test("publint finds nothing to say", () => {
  const done = run("publint", [tarball, "--strict"]);
  expect(done.stdout + done.stderr).toMatch(/All good!/);
  expect(done.status).toBe(0);
});

test("attw: the types are found as the code is, for an ESM package", () => {
  const done = run("attw", [
    tarball,
    "--profile",
    "esm-only",
    "--format",
    "ascii",
    "--no-emoji",
    "--no-color",
  ]);
  expect(done.stdout).toContain("capuchin/testing");
  expect(done.status).toBe(0);
});

function run(tool: string, args: string[]) {
  return spawnSync(join(ROOT, "node_modules/.bin", tool), args, { cwd: ROOT, encoding: "utf8" });
}
