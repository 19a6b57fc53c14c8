// What only a process shows: signals, pipes that close, devices that are full.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { distFolder } from "../../tools/built.js";
import { AGENT, PACKAGE, Project, tsconfig } from "./project.js";

const MAIN = join(distFolder, "cli", "main.js");

function shell(command: string, cwd = "/"): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn("bash", ["-c", command, process.execPath, MAIN], { cwd });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

describe("the process", () => {
  it("ends quietly when a reader takes one line only", async () => {
    const { code, out, err } = await shell('"$0" "$1" explain | head -1; exit $PIPESTATUS');
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe("Build codes\n");
  });

  it.runIf(process.platform === "linux")("does not take a full disk for success", async () => {
    const { code, err } = await shell('"$0" "$1" explain > /dev/full');
    expect(code).toBe(2);
    expect(err).toMatch(/standard output cannot be written \(ENOSPC\)/);
  });

  it("answers gate lines while standard input stays open, and ends with its end", async () => {
    const project = new Project({
      "package.json": PACKAGE,
      "tsconfig.json": tsconfig(),
      "src/agent.ts": AGENT,
    });
    expect((await project.run(["build"])).code).toBe(0);
    const child = spawn(
      process.execPath,
      [MAIN, "gate", "--spec", "computer-use.json", "--agent", "Operator"],
      { cwd: project.folder, stdio: ["pipe", "pipe", "inherit"] },
    );
    child.stdout.setEncoding("utf8");
    const answers = child.stdout[Symbol.asyncIterator]();
    for (const x of [10, 400]) {
      const block = { name: "left_click", toolset_name: "computer", input: { coordinate: [x, 10] } };
      child.stdin.write(`${JSON.stringify(block)}\n`);
      const { value } = await answers.next();
      expect(JSON.parse(String(value))).toMatchObject({ verdict: x === 10 ? "allow" : "deny" });
    }
    child.stdin.end();
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  });

  it("does not take an agent's process.exit(0) for success", async () => {
    const project = new Project({
      "package.json": PACKAGE,
      "tsconfig.json": tsconfig(),
      "src/agent.ts": `${AGENT}\ndeclare const process: { exit(code: number): never };\nsetTimeout(() => process.exit(0), 0);\n`,
      "script.json": "[]",
    });
    const argv = ["run", "src/agent.ts", "--goal", "g", "--desktop", "fake", "--model", "script:script.json"];
    const ran = await project.run([...argv, "--json"]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      outcome: "failed",
      error: { code: "E_STATE", message: "the agent's code called process.exit(0)" },
    });
  });
});
