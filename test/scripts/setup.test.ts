// The set-up functions of scripts/lib/setup.sh, with a made-up list of packages and a made-up apt-get.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "capuchin-setup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const list = join(folder, "packages.txt");
writeFileSync(
  list,
  "# a comment\n\nshell-pkg sh a shell\nabsent-pkg no-such-command-here nothing\nfile-pkg /no/such/file x\n",
);

/** Commands that stand in front of the real ones. */
function fake(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

function setup(script: string) {
  return spawnSync(
    "bash",
    ["-euo", "pipefail", "-c", `. scripts/lib/setup.sh; PACKAGE_LIST=${list}; ${script}`],
    {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
    },
  );
}

test("what is missing is found by command or by file", () => {
  expect(setup("missing_debian_packages").stdout).toBe("absent-pkg\nfile-pkg\n");
});

test("the real list names a purpose for every package", () => {
  const lines = readFileSync(join(ROOT, "scripts/lib/debian-packages.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect(line).toMatch(/^[a-z0-9.+-]+\s+(\/\S+|[\w-]+)\s+\S.{9,}$/i);
});

test("without root and without --install the apt line is printed and nothing is installed", () => {
  fake("id", "echo 1000");
  fake("apt-get", `echo "apt-get $*" >> ${folder}/apt.log`);
  const done = setup(`ensure_debian_packages no; echo "left: $MISSING_PACKAGES"`);
  expect(done.stdout).toContain("sudo apt-get install -y --no-install-recommends absent-pkg file-pkg");
  expect(done.stdout).toContain("left: absent-pkg file-pkg");
  expect(() => readFileSync(join(folder, "apt.log"))).toThrow();
});

test("as root they are installed, and what apt-get could not bring is still missing", () => {
  fake("id", "echo 0");
  fake(
    "apt-get",
    `echo "apt-get $*" >> ${folder}/apt.log; [ "$1" = update ] || cp "$0" ${folder}/no-such-command-here`,
  );
  const done = setup(`ensure_debian_packages no; echo "left: $MISSING_PACKAGES"`);
  const log = readFileSync(join(folder, "apt.log"), "utf8");
  expect(log).toMatch(/^apt-get update -qq\napt-get install -y .*absent-pkg file-pkg$/m);
  expect(done.stdout).toContain("left: file-pkg\n");
});

test("with --install sudo is used", () => {
  fake("id", "echo 1000");
  fake("sudo", `echo "sudo $*" >> ${folder}/sudo.log`);
  setup("ensure_debian_packages yes");
  expect(readFileSync(join(folder, "sudo.log"), "utf8")).toContain("sudo apt-get update");
});

test.each([
  ["20.18.9", false],
  ["20.19.0", true],
  ["20.20.2", true],
  ["22.1.0", true],
  ["9.99.99", false],
])("Node %s is accepted: %s", (version, accepted) => {
  const script = `node() { if [ "$1" = -p ]; then echo ${version}; else command node "$@"; fi; }; require_node; echo fine`;
  const done = setup(script);
  expect(done.stdout).toBe(accepted ? "fine\n" : "");
  expect(done.status).toBe(accepted ? 0 : 2);
  if (!accepted) expect(done.stderr).toContain(`this is Node ${version}`);
});
