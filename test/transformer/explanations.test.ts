// Every explanation's example raises its code in the checker, and the accepted one does not.
import { describe, expect, test } from "vitest";
import { BUILD_CODE_LIST } from "../../src/diagnostics/build-codes.js";
import { BUILD_EXPLANATIONS, explain } from "../../src/diagnostics/explanations/explain.js";
import type { ExampleFiles } from "../../src/diagnostics/explanations/explanation.js";
import { buildSpec, compareSpec } from "../../src/transformer/index.js";
import { createProject } from "./support/project.js";

function codesOf(files: ExampleFiles): string[] {
  const all = typeof files === "string" ? { "agent.ts": files } : files;
  const project = createProject(all);
  try {
    const result = project.check();
    const codes = result.report.diagnostics.filter((each) => !each.suppressed).map((each) => each.code);
    const stored = "computer-use.json" in all ? all["computer-use.json"] : undefined;
    if (stored === undefined || !result.report.ok) return codes;
    const bytes = new TextEncoder().encode(stored);
    const stale = compareSpec(buildSpec(result, "test"), { file: "computer-use.json", bytes });
    return [...codes, ...stale.map((each) => each.code)];
  } finally {
    project.remove();
  }
}

describe.each(BUILD_CODE_LIST)("%s", (code) => {
  const { wrong, right } = BUILD_EXPLANATIONS[code];
  test("the refused example raises it", () => {
    expect(codesOf(wrong)).toContain(code);
  });
  test("the accepted example is clean", () => {
    expect(codesOf(right)).toEqual([]);
  });
});

test("Mighty's numbers answer as ours", () => {
  expect(explain("MT6017")).toBe(explain("CU6017"));
  expect(explain("mt6020")).toContain("CU6020");
  expect(explain("MT6021")).toBeUndefined();
  expect(explain("toString")).toBeUndefined();
});

test("every code has a page", () => {
  const names = (explain() ?? "").match(/^(CU\d{4}|E_[A-Z_]+)/gm) ?? [];
  expect(names.length).toBeGreaterThan(40);
  for (const name of names) expect(explain(name)).toContain(name);
});
