// Each fix is applied and the project checked again: the finding is gone and nothing new has come.
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/contract/report.js";
import { createProject } from "./support/project.js";

const IMPORT = 'import { computer, computerUse } from "capuchin";\n';

function agent(options: string, body = "", before = ""): string {
  return `${IMPORT}${before}@computerUse(${options})\nexport class A {\n  async run(goal: string) {\n${body}    return computer.run(this, goal);\n  }\n}\n`;
}

function applyFix(text: string, diagnostic: Diagnostic): string {
  const edits = [...(diagnostic.fix?.edits ?? [])].sort((a, b) => b.start - a.start);
  expect(edits.length).toBeGreaterThan(0);
  return edits.reduce((all, edit) => all.slice(0, edit.start) + edit.newText + all.slice(edit.end), text);
}

const CASES: readonly (readonly [code: string, text: string])[] = [
  ["CU6017", agent("{ width: 1280, height: 800 }")],
  ["CU6017", agent("{}")],
  ["CU6017", agent("")],
  ["CU6017", agent('{ cap: "  " }')],
  ["CU6017", agent("{}").replace("@computerUse({})", "@computerUse")],
  ["CU6018", agent('{ cap: "screen" }')],
  ["CU6018", agent('{ cap: "computer.screen + computer.inptu" }')],
  ["CU6021", agent('{ width: W, cap: "computer.screen" }', "", "let W = 1280;\n")],
  ["CU6021", agent('{ width: W, cap: "computer.screen" }', "", "export var W = 1280;\n")],
  ["CU6022", agent('{ cap: "computer.screen", maxTurn: 5 }')],
  ["CU6022", agent('{ cap: "computer.screen", "maxturns": 5 }')],
  ["CU6030", agent('{ cap: "computer.screen" }', "    await computer.click(this, {});\n")],
  ["CU6030", agent('{ cap: "computer.screen" }', "    await computer.middleClick(this, {});\n")],
  ["CU6039", agent('{ cap: "computer.screen + computer.windows" }')],
  ["CU6039", agent('{ cap: "computer.screen + computer.screen" }')],
  ["CU6039", agent('{ cap: "computer.screen + computer.input + computer.input.pointer" }')],
];

describe("fixes", () => {
  test.each(CASES)("%s %#", (code, text) => {
    const project = createProject({ "a.ts": text });
    try {
      const before = project.check().report.diagnostics;
      expect(before.map((each) => each.code)).toEqual([code]);
      const [first] = before;
      if (!first) throw new Error("no finding");
      project.write("a.ts", applyFix(text, first));
      expect(project.check().report.diagnostics).toEqual([]);
    } finally {
      project.remove();
    }
  });

  test("no fix where one edit is not surely right", () => {
    const project = createProject({
      "a.ts": agent(
        "{ width: W, ...REST }",
        "",
        'let W = 1; W = 2;\nconst REST = { cap: "computer.fly" };\n',
      ),
    });
    try {
      const found = project.check().report.diagnostics;
      expect(found.map((each) => [each.code, each.fix])).toEqual([
        ["CU6021", undefined],
        ["CU6018", undefined],
      ]);
    } finally {
      project.remove();
    }
  });
});
