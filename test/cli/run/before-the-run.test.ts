// What ends `capuchin run` before anything of the module is loaded: one document, and the exit code.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../runtime/store/temporary-folder.js";
import { createProject } from "../../transformer/support/project.js";
import { runCli } from "../fake-io.js";

const RUN = ["--goal", "do it", "--desktop", "fake", "--model", "script:none.json"];

async function documentOfRun(cwd: string, module: string, ...more: string[]) {
  const ran = await runCli(["run", module, ...RUN, ...more, "--json"], { cwd });
  return { code: ran.code, stderr: ran.stderr, document: JSON.parse(ran.stdout) };
}

describe("capuchin run --json", () => {
  it("reports a module that is none as exit 2", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "folder.ts"));
    writeFileSync(join(folder, "data.json"), "{}");
    for (const [module, message] of [
      ["absent.ts", /does not exist/],
      ["folder.ts", /is not a file/],
      ["data.json", /must end in \.ts/],
      ["/dev/null", /is not a file/],
    ] as const) {
      const { code, document, stderr } = await documentOfRun(folder, module);
      expect(code).toBe(2);
      expect(document).toMatchObject({
        outcome: "failed",
        error: { code: "E_SPEC", message: expect.stringMatching(message), retryable: false },
        turns: 0,
        actions: 0,
        trace: "none",
      });
      expect(stderr).toMatch(message);
    }
  });

  it("reports a spec that is refused as exit 2", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "agent.mjs"), "export {};");
    writeFileSync(join(folder, "spec.json"), "{}");
    for (const spec of ["/dev/zero", "absent.json", "spec.json"]) {
      const { code, document } = await documentOfRun(folder, "agent.mjs", "--spec", spec);
      expect(code).toBe(2);
      expect(document).toMatchObject({ outcome: "failed", error: { code: "E_SPEC" } });
      expect(document.error.message).toContain(spec);
    }
  });

  it("reports a check that finds errors as exit 1, with the findings on standard error", async () => {
    const project = createProject({
      "src/agent.ts": `
        import { computer, computerUse } from "capuchin";
        @computerUse({ cap: "computer.screen" })
        export class A { async run() { await computer.click(this, { x: 1, y: 1 }); } }`,
    });
    onTestFinished(() => project.remove());
    const { code, document, stderr } = await documentOfRun(project.folder, "src/agent.ts");
    expect(code).toBe(1);
    expect(document).toMatchObject({ outcome: "failed", error: { code: "E_SPEC" }, turns: 0 });
    expect(stderr).toContain("CU6030");
  });

  it("checks a module without a tsconfig by itself, JavaScript too", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "agent.mjs"), "export const nothing = 1;\n");
    const { code, stderr } = await documentOfRun(folder, "agent.mjs");
    expect(code).toBe(1);
    expect(stderr).toContain("CU6051");
  });
});
