// The model table against the documentation's own lists, written out here by hand.
import { expect, test } from "vitest";
import {
  DEFAULT_MODEL,
  MODEL_ID,
  modelFor,
  pictureTierOf,
  retirementOf,
  TOOL_VERSIONS,
  type ToolVersion,
  toolForModel,
  toolsOf,
} from "../../src/contract/models.js";

const SET = "computer_toolset_20260801";

/** Model, the versions that the API takes for it (the one to prefer first), the size of its pictures. */
const DOCUMENTED: readonly (readonly [string, readonly ToolVersion[], "high" | "standard"])[] = [
  ["claude-opus-5-5", [SET], "high"],
  ["claude-sonnet-5-5", [SET], "high"],
  ["claude-haiku-5-5", [SET], "high"],
  ["claude-fable-5-2", [SET], "high"],
  ["claude-mythos-5-2", [SET], "high"],
  ["claude-opus-4-8", [SET, "computer_20251124"], "high"],
  ["claude-opus-5", [SET, "computer_20251124"], "high"],
  ["claude-sonnet-5", [SET, "computer_20251124"], "high"],
  ["claude-fable-5", [SET, "computer_20251124"], "high"],
  ["claude-mythos-5", [SET, "computer_20251124"], "high"],
  ["claude-fable-5-1", [SET, "computer_20251124"], "high"],
  ["claude-mythos-5-1", [SET, "computer_20251124"], "high"],
  ["claude-opus-4-7", ["computer_20251124"], "high"],
  ["claude-opus-4-6", ["computer_20251124"], "standard"],
  ["claude-sonnet-4-6", ["computer_20251124"], "standard"],
  ["claude-opus-4-5", ["computer_20251124"], "standard"],
  ["claude-sonnet-4-5", ["computer_20250124"], "standard"],
  ["claude-haiku-4-5", ["computer_20250124"], "standard"],
  ["claude-opus-4-1", ["computer_20250124"], "standard"],
  ["claude-sonnet-4", ["computer_20250124"], "standard"],
  ["claude-opus-4", ["computer_20250124"], "standard"],
  ["claude-3-5-sonnet", ["computer_20241022"], "standard"],
];

test.each(DOCUMENTED)("%s takes %j and %s pictures, however its id is spelled", (id, tools, tier) => {
  const spellings = [
    id,
    `${id}-20251101`,
    `${id}-latest`,
    `anthropic/${id}`,
    `anthropic.${id}-20250514-v1:0`,
    `us.anthropic.${id}-v1:0`,
    `${id}@20251101`,
  ];
  for (const spelling of spellings) {
    expect(spelling).toMatch(MODEL_ID);
    expect([spelling, toolsOf(spelling)]).toEqual([spelling, tools]);
    expect([spelling, toolForModel(spelling)]).toEqual([spelling, tools[0]]);
    expect([spelling, pictureTierOf(spelling)]).toEqual([spelling, tier]);
  }
});

test.each([
  "claude-opus-6",
  "claude-opus-5-50",
  "claude-opus-4-55",
  "claude-sonnet-4-5x",
  "xclaude-opus-4-5",
  "claude-opus-4-5-2025",
  "gpt-4",
  "my-gateway",
  "__proto__",
])("%s is unknown: the current tool, and pictures that every model takes", (id) => {
  expect(toolsOf(id)).toBeUndefined();
  expect(toolForModel(id)).toBe(SET);
  expect(pictureTierOf(id)).toBe("standard");
  expect(retirementOf(id)).toBeUndefined();
});

test("each version has its header, the toolset none", () => {
  expect(Object.entries(TOOL_VERSIONS).map(([name, { beta }]) => [name, beta])).toEqual([
    [SET, undefined],
    ["computer_20251124", "computer-use-2025-11-24"],
    ["computer_20250124", "computer-use-2025-01-24"],
    ["computer_20241022", "computer-use-2024-10-22"],
  ]);
});

test("the model that is advised for a version takes it, and its end is not announced", () => {
  for (const version of Object.keys(TOOL_VERSIONS) as ToolVersion[]) {
    const model = modelFor(version);
    expect(toolsOf(model)).toContain(version);
    expect(retirementOf(model)).toBeUndefined();
  }
  expect(modelFor(SET)).toBe(DEFAULT_MODEL);
});

test("the ends that are announced", () => {
  expect(retirementOf("claude-sonnet-4-5-20250929")).toBe("2026-11-30");
  expect(retirementOf("claude-opus-4-5")).toBe("2027-01-22");
  expect(retirementOf("claude-mythos-preview")).toBe("2026-06-30");
  expect(retirementOf("claude-opus-4-6")).toBeUndefined();
});
