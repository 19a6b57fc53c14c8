// C-004: every option that names a place, with what is no place; each refusal has its twin that works.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";
import { createProject } from "../transformer/support/project.js";
import { runCli } from "./fake-io.js";
import { entryOf, writeSpec } from "./spec-fixture.js";

const AGENT = `
import { computer, computerUse } from "capuchin";
@computerUse({ cap: "computer.screen" })
export class A { async run() { await computer.screenshot(this); } }`;

function project(): string {
  const made = createProject({ "src/agent.ts": AGENT });
  onTestFinished(() => made.remove());
  return made.folder;
}

/** Everything below a folder, with the content of its files: what "nothing touched" is compared by. */
function contentOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("node_modules"))
    .sort()
    .map((name) => {
      const stats = lstatSync(join(folder, name));
      return stats.isFile() ? `${name}: ${readFileSync(join(folder, name), "utf8")}` : name;
    });
}

describe("build --out", () => {
  it("C-004 ../../x is written where it says", async () => {
    const folder = project();
    const deep = join(folder, "a", "b");
    mkdirSync(deep, { recursive: true });
    const ran = await runCli(["build", "-p", "../..", "--out", "../../x"], { cwd: deep });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(readFileSync(join(folder, "x"), "utf8")).agents).toHaveLength(1);
  });

  it("C-004 a name that starts with a dash is written when it is given as a path", async () => {
    const folder = project();
    expect((await runCli(["build", "--out", "./-x"], { cwd: folder })).code).toBe(0);
    expect(existsSync(join(folder, "-x"))).toBe(true);
  });

  it.each([
    [["--out", "-"], /starts with a dash/],
    [["--out=-x"], /starts with a dash/],
    [["--out", ""], /empty/],
    [["--out=/dev/null"], /device/],
    [["--out=/dev/full"], /device/],
    [["--out", "link.json"], /symbolic link/],
    [["--out", "dangling.json"], /symbolic link/],
    [["--out", "src"], /folder/],
    [["--out", "src/agent.ts/x"], /no folder/],
    [["--out", "missing/x.json"], /does not exist/],
    [["--check", "--out", "link.json"], /symbolic link/],
    [["--module", "--out", "gen/x.json"], /symbolic link/],
    [["--project", "-"], /starts with a dash/],
    [["--out", "a\0b"], /NUL/],
  ])("C-004 %j is refused with exit 2, and nothing is touched", async (flags, message) => {
    const folder = project();
    writeFileSync(join(folder, "target.json"), "mine");
    symlinkSync("target.json", join(folder, "link.json"));
    symlinkSync("nowhere.json", join(folder, "dangling.json"));
    mkdirSync(join(folder, "gen"));
    symlinkSync("../target.json", join(folder, "gen", "computer-use.gen.ts"));
    const before = contentOf(folder);
    const ran = await runCli(["build", ...flags], { cwd: folder });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(message);
    expect(contentOf(folder)).toEqual(before);
  });
});

describe("gate --spec", () => {
  it.each([
    ["-", /starts with a dash/],
    ["/dev/stdin", /E_SPEC/],
    ["/dev/zero", /device/],
    [".", /folder/],
    ["link.json", /symbolic link/],
    ["nowhere.json", /does not exist/],
  ])("C-004 %s is refused with exit 2", async (path, message) => {
    const folder = temporaryFolder();
    writeSpec(folder, [entryOf("A", { cap: "computer.screen" })]);
    symlinkSync("computer-use.json", join(folder, "link.json"));
    const ran = await runCli(["gate", "--spec", path], { cwd: folder, stdin: "x\n" });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });

  it("C-004 a spec in the folder above is read, by its only agent or by name", async () => {
    const folder = temporaryFolder();
    writeSpec(folder, [entryOf("A", { cap: "computer.screen" })]);
    mkdirSync(join(folder, "below"));
    for (const flags of [[], ["--agent", "A"]]) {
      const argv = ["gate", "--spec", "../computer-use.json", ...flags];
      const stdin = '{"name":"computer","input":{"action":"screenshot"}}\n';
      expect(await runCli(argv, { cwd: join(folder, "below"), stdin })).toMatchObject({
        code: 0,
        stderr: "",
      });
    }
  });
});

describe("gate without --agent", () => {
  it("takes the only agent of a spec, and asks which where there are several", async () => {
    const folder = temporaryFolder();
    writeSpec(
      folder,
      ["A", "B"].map((name) => entryOf(name, { cap: "computer.screen" })),
    );
    const ran = await runCli(["gate", "--spec", "computer-use.json"], { cwd: folder, stdin: "x\n" });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/E_SPEC: the spec has several agents \("A", "B"\); name one with --agent/);
  });
});

describe("run --trace, --record and the module", () => {
  const run = (folder: string, ...flags: string[]) =>
    runCli(["run", "agent.mjs", "--goal", "g", "--desktop", "fake", "--model", "script:s.json", ...flags], {
      cwd: folder,
    });

  it.each([
    [["--trace", "-"], /starts with a dash/],
    [["--trace="], /empty/],
    [["--record", "-x"], /starts with a dash/],
    [["--spec", "-"], /starts with a dash/],
  ])("C-004 %j is refused with exit 2 before anything is read", async (flags, message) => {
    const folder = temporaryFolder();
    const ran = await run(folder, ...flags);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("C-004 a module whose name starts with a dash is run as ./-a.mjs and not as -a.mjs", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "-a.mjs"), "export {};");
    const argv = ["--goal", "g", "--desktop", "fake", "--model", "script:s.json"];
    const bare = await runCli(["run", ...argv, "--", "-a.mjs"], { cwd: folder });
    expect(bare.stderr).toMatch(/starts with a dash; write \.\/ before/);
    // The twin comes as far as the check, which finds no agent.
    const named = await runCli(["run", "./-a.mjs", ...argv], { cwd: folder });
    expect(named.stderr).toMatch(/CU6051/);
    rmSync(join(folder, "-a.mjs"));
  });
});
