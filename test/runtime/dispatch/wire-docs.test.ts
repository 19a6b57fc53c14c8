// The tables of docs/wire.md say what the code does: versions, models, members.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { ACTION_LIST } from "../../../src/contract/actions.js";
import { MODELS, retirementOf, TOOL_VERSIONS, type ToolVersion } from "../../../src/contract/models.js";
import { parseCall } from "../../../src/runtime/dispatch/parse-call.js";

const text = readFileSync(resolve(import.meta.dirname, "../../../docs/wire.md"), "utf8");

function tableOf(heading: string): string[][] {
  const section = text.split("\n## ").find((part) => part.startsWith(heading)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) => line.slice(2, -2).split(" | "));
}

const VERSIONS = Object.keys(TOOL_VERSIONS) as ToolVersion[];

test("the versions and their headers", () => {
  expect(tableOf("Versions of the tool").map(([version, , beta]) => [version, beta])).toEqual(
    VERSIONS.map((version) => {
      const { beta } = TOOL_VERSIONS[version];
      return [`\`${version}\``, beta === undefined ? "none" : `\`${beta}\``];
    }),
  );
});

test("the models", () => {
  expect(tableOf("Which model takes which")).toEqual(
    MODELS.map(({ families, tools, pictures }) => [
      families.join(", "),
      tools.map((tool) => `\`${tool}\``).join(", "),
      pictures,
    ]),
  );
  const announced = [...text.matchAll(/([a-z]+-[a-z0-9-]+) for (\d{4}-\d\d-\d\d)/g)];
  expect(announced).toHaveLength(3);
  for (const [, family, day] of announced) expect(retirementOf(`claude-${family}`)).toBe(day);
});

/** A good input with every field that a member has in any version. */
const WHOLE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  zoom: { region: [0, 0, 2, 2] },
  mouse_move: { coordinate: [1, 1] },
  left_click: { coordinate: [1, 1], text: "ctrl" },
  right_click: { coordinate: [1, 1], text: "ctrl" },
  middle_click: { coordinate: [1, 1], text: "ctrl" },
  double_click: { coordinate: [1, 1], text: "ctrl" },
  triple_click: { coordinate: [1, 1], text: "ctrl" },
  left_click_drag: { start_coordinate: [1, 1], coordinate: [2, 2], text: "ctrl" },
  scroll: { coordinate: [1, 1], text: "ctrl", scroll_direction: "up", scroll_amount: 1 },
  type: { text: "x" },
  key: { text: "a", repeat: 2 },
  hold_key: { text: "a", duration: 1 },
  wait: { duration: 1 },
};
const OPTIONAL = ["coordinate", "text", "repeat"];

function accepts(version: ToolVersion, name: string, input: object): boolean {
  const isSet = TOOL_VERSIONS[version].style === "toolset";
  const call = isSet
    ? { name, toolset: "computer", input: { ...input } }
    : { name: "computer", toolset: undefined, input: { action: name, ...input } };
  return parseCall({ id: "a", caller: undefined, ...call }, version).ok;
}

/** What the parser makes of a member under a version, in the table's words. */
function cell(version: ToolVersion, name: string): string {
  const whole = WHOLE[name] ?? {};
  if (accepts(version, name, whole)) return "yes";
  const missing = OPTIONAL.filter((field) => {
    if (!(field in whole)) return false;
    const base = Object.fromEntries(Object.entries(whole).filter(([key]) => !OPTIONAL.includes(key)));
    // What a member needs in every version is no field that one version lacks.
    const needed =
      name === "left_click_drag" ? { coordinate: whole["coordinate"] } : name === "key" ? { text: "a" } : {};
    return !accepts(version, name, { ...base, ...needed, [field]: whole[field] });
  });
  const bare = Object.fromEntries(Object.entries(whole).filter(([key]) => !missing.includes(key)));
  return missing.length > 0 && accepts(version, name, bare)
    ? missing.map((field) => `no ${field}`).join(", ")
    : "no";
}

test("the members and their fields", () => {
  const columns = [...VERSIONS].reverse();
  expect(tableOf("What is offered")).toEqual(
    ACTION_LIST.map((name) => [name, ...columns.map((version) => cell(version, name))]),
  );
});
