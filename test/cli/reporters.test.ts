// The pretty report as people see it: excerpt, caret, reason, path, fix; nothing of the sources reaches the terminal
// unescaped.
import { describe, expect, test } from "vitest";
import { formatJson } from "../../src/cli/reporters/json.js";
import { formatPretty } from "../../src/cli/reporters/pretty.js";
import { createProject } from "../transformer/support/project.js";

const IMPORT = 'import { computer, computerUse } from "capuchin";\n';

function check(files: Record<string, string>) {
  const project = createProject(files);
  try {
    return project.check();
  } finally {
    project.remove();
  }
}

describe("pretty", () => {
  test("shows excerpt, path, first steps and fix", () => {
    const result = check({
      "a.ts": `${IMPORT}import { tap } from "./tap.js";
@computerUse({ cap: "computer.screen" })
export class A {
  async one() { await computer.screenshot(this); await tap(this); }
  async two() { await tap(this); }
}
`,
      "tap.ts": `import { computer } from "capuchin";
export async function tap(a: import("./a.js").A) {
\tawait computer.click(a, {});
}
`,
    });
    expect(
      formatPretty(result),
    ).toBe(`tap.ts:3:8 error CU6030: an API function is reached without the word it needs
    |
  3 |     await computer.click(a, {});
    |           ^^^^^^^^^^^^^^
    A reaches computer.click, which needs computer.input.pointer; add it to cap if the agent may do this, or else delete the call (code that never runs counts too)
    agent: A
    reached through:
      A.one              a.ts:5:9
      -> tap             a.ts:5:56
      -> computer.click  tap.ts:3:8
    every first step there:
      A.one -> tap  a.ts:5:56
      A.two -> tap  a.ts:6:23
    fix: add computer.input.pointer to cap

  not proved  A  computer.screen

refused: 1 error, 0 warnings in 1 agent, 2 files
`);
  });

  test("the caret stands under wide characters, and hostile text is escaped", () => {
    const result = check({
      "a.ts": `${IMPORT}@computerUse({ cap: "computer.screen" })
export class A { 見る() { return /* 日本\u202e */ computer.click(this, "\u001b[2J"); } }
`,
    });
    const lines = formatPretty(result).split("\n");
    const at = lines.findIndex((line) => line.includes("見る() {"));
    expect(lines[at]).toContain("\\u{202e}");
    expect(lines[at]).toContain("\\u{1b}");
    const shown = lines[at] ?? "";
    const columns = [...shown.slice(0, shown.indexOf("computer.click"))].reduce(
      (sum, character) => sum + (/[見る日本]/u.test(character) ? 2 : 1),
      0,
    );
    expect(lines[at + 1]?.indexOf("^")).toBe(columns);
    expect(formatPretty(result)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test("colours only when asked", () => {
    const result = check({ "a.ts": `${IMPORT}@computerUse({}) export class A {}\n` });
    expect(formatPretty(result)).not.toContain("\u001b[");
    expect(formatPretty(result, { colour: true })).toContain("\u001b[1;31merror CU6017\u001b[0m");
  });

  test("a suppressed finding is listed with its reason", () => {
    const result = check({
      "a.ts": `${IMPORT}@computerUse({ cap: "computer.screen" })
export class A {
  async go() {
    await computer.screenshot(this);
    // capuchin-ignore-next-line CU6030: reviewed in May
    await computer.click(this, {});
  }
}
`,
    });
    expect(result.report.ok).toBe(true);
    expect(formatPretty(result)).toContain("reviewed in May");
    expect(formatPretty(result)).toContain("1 suppressed");
    expect(JSON.parse(formatJson(result))).toMatchObject({
      ok: true,
      diagnostics: [{ code: "CU6030", suppressed: { reason: "reviewed in May" } }],
    });
  });
});
