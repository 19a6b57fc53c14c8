import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSpecBytes } from "../../src/contract/agent-spec.js";
import { createProject, type TestProject } from "../transformer/support/project.js";
import { type Ran, runCli } from "./fake-io.js";

const AGENT = `
import { computer, computerUse } from "capuchin";
@computerUse({ cap: "computer.screen" })
export class Observer {
  async run() { return computer.screenshot(this); }
}
`;
const BAD = AGENT.replace("computer.screen", "computer.scren");

function project(agent = AGENT): TestProject & { run(...argv: string[]): Promise<Ran> } {
  const made = createProject({ "src/agent.ts": agent });
  onTestFinished(() => made.remove());
  return { ...made, run: (...argv) => runCli(argv, { cwd: made.folder }) };
}

const mode = (path: string) => statSync(path).mode & 0o777;

describe("check", () => {
  it("exits 0 for a proved project and 1 for a refused one, with the finding on standard output", async () => {
    const good = await project().run("check");
    expect(good).toMatchObject({ code: 0, stderr: "" });
    expect(good.stdout).toContain("Observer");
    const bad = await project(BAD).run("check");
    expect(bad).toMatchObject({ code: 1, stderr: "" });
    expect(bad.stdout).toContain("CU6018");
  });

  it("prints one JSON document with --format json, findings or not", async () => {
    for (const [agent, ok] of [
      [AGENT, true],
      [BAD, false],
    ] as const) {
      const ran = await project(agent).run("check", "--format", "json");
      expect(JSON.parse(ran.stdout)).toMatchObject({ version: 1, ok });
      expect(ran).toMatchObject({ code: ok ? 0 : 1, stderr: "" });
    }
  });

  it("takes the project from -p, as a file or a folder", async () => {
    const { folder } = project();
    for (const path of [folder, join(folder, "tsconfig.json")]) {
      expect(await runCli(["check", "-p", path])).toMatchObject({ code: 0 });
    }
  });

  it("reports a project that is not there as a finding: exit 1, CU6051", async () => {
    const ran = await runCli(["check", "-p", "/nowhere/tsconfig.json", "--format", "json"]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout).diagnostics).toMatchObject([{ code: "CU6051" }]);
  });

  it.each([
    [["--format", "xml"], /must be pretty or json/],
    [["--format", "sarif"], /sarif is not in this version/],
    [["--watch"], /--watch is not in this version/],
    [["--fix"], /--fix is not in this version/],
    [["-p", "-x"], /starts with a dash/],
    [["src"], /too many arguments/],
  ])("refuses %j with exit 2", async (flags, message) => {
    const ran = await project().run("check", ...flags);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });
});

describe("build", () => {
  it("writes a spec that its reader takes, the same bytes each time", async () => {
    const at = project();
    const path = join(at.folder, "computer-use.json");
    expect(await at.run("build")).toMatchObject({ code: 0, stderr: "" });
    const first = readFileSync(path);
    expect(readSpecBytes(first)).toMatchObject({ ok: true });
    expect(mode(path)).toBe(0o644 & ~process.umask());
    expect((await at.run("build")).code).toBe(0);
    expect(readFileSync(path)).toEqual(first);
    expect(readdirSync(at.folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("writes nothing when the check finds an error", async () => {
    const at = project(BAD);
    const ran = await at.run("build", "--module");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("CU6018");
    expect(existsSync(join(at.folder, "computer-use.json"))).toBe(false);
    expect(existsSync(join(at.folder, "computer-use.gen.ts"))).toBe(false);
  });

  it("leaves an older spec alone when the check finds an error", async () => {
    const at = project(BAD);
    writeFileSync(join(at.folder, "computer-use.json"), "old");
    expect((await at.run("build")).code).toBe(1);
    expect(readFileSync(join(at.folder, "computer-use.json"), "utf8")).toBe("old");
  });

  it("writes the module beside the spec", async () => {
    const at = project();
    mkdirSync(join(at.folder, "out"));
    expect((await at.run("build", "--out", "out/spec.json", "--module")).code).toBe(0);
    expect(readFileSync(join(at.folder, "out/computer-use.gen.ts"), "utf8")).toContain(
      "computerUseSpec_Observer",
    );
    expect(readdirSync(join(at.folder, "out")).sort()).toEqual(["computer-use.gen.ts", "spec.json"]);
  });

  it("writes where a path says, above the project too", async () => {
    const at = project();
    mkdirSync(join(at.folder, "a/b"), { recursive: true });
    const ran = await runCli(["build", "-p", "../..", "--out", "../up.json"], {
      cwd: join(at.folder, "a/b"),
    });
    expect(ran.code).toBe(0);
    expect(existsSync(join(at.folder, "a/up.json"))).toBe(true);
  });

  it("replaces the name and not what a hard link shares", async () => {
    const at = project();
    const { linkSync } = await import("node:fs");
    writeFileSync(join(at.folder, "other"), "kept");
    linkSync(join(at.folder, "other"), join(at.folder, "computer-use.json"));
    expect((await at.run("build")).code).toBe(0);
    expect(readFileSync(join(at.folder, "other"), "utf8")).toBe("kept");
  });

  const inPlace: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    [
      "a link",
      (path) => {
        writeFileSync(`${path}.real`, "kept");
        symlinkSync(`${path}.real`, path);
      },
      /symbolic link/,
    ],
    ["a dangling link", (path) => symlinkSync("nowhere", path), /symbolic link/],
    ["a folder", (path) => mkdirSync(path), /a folder/],
  ];
  it.each(inPlace)("refuses %s in the place of the spec, before the check", async (_what, make, message) => {
    const at = project(BAD);
    const path = join(at.folder, "computer-use.json");
    make(path);
    const before = lstatSync(path);
    const ran = await at.run("build");
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(message);
    expect(lstatSync(path).ino).toBe(before.ino);
    if (existsSync(`${path}.real`)) expect(readFileSync(`${path}.real`, "utf8")).toBe("kept");
  });

  it.each(["/dev/null", "/dev/stdout", "/nowhere/spec.json"])("refuses --out %s", async (path) => {
    const at = project();
    expect(await at.run("build", "--out", path)).toMatchObject({ code: 2 });
  });

  it("says with --check whether the spec is what the sources say, and writes nothing", async () => {
    const at = project();
    const path = join(at.folder, "computer-use.json");
    const missing = await at.run("build", "--check");
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toMatch(/error CU6052: .*no such file/);
    expect(existsSync(path)).toBe(false);

    await at.run("build");
    expect(await at.run("build", "--check")).toMatchObject({ code: 0, stderr: "" });

    at.write("src/agent.ts", AGENT.replace("computer.screen", "computer.screen + computer.screen"));
    const stale = await at.run("build", "--check");
    expect(stale.code).toBe(1);
    expect(stale.stderr).toMatch(/CU6052: .*Observer differs in capText/);
  });

  it("counts a missing module as stale only where it was asked for", async () => {
    const at = project();
    await at.run("build");
    expect((await at.run("build", "--check")).code).toBe(0);
    expect((await at.run("build", "--check", "--module")).code).toBe(1);
    await at.run("build", "--module");
    expect((await at.run("build", "--check", "--module")).code).toBe(0);
    at.write("computer-use.gen.ts", "// edited\n");
    expect((await at.run("build", "--check")).code).toBe(1);
  });

  it("compares no file that everyone may write", async () => {
    const at = project();
    await at.run("build");
    chmodSync(join(at.folder, "computer-use.json"), 0o666);
    const ran = await at.run("build", "--check");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/written by everyone/);
  });
});
