// Calls that are none (the rows L that meet the gate): whole tool_use blocks, told from actions by name and toolset.
import type { RunCodeName } from "../../src/diagnostics/run-codes.js";

export interface CallVector {
  readonly id: string;
  readonly block: Record<string, unknown>;
  readonly codes: readonly RunCodeName[];
  /** Wire styles under which it is refused. */
  readonly styles: readonly ("single" | "toolset")[];
  readonly twin: Record<string, unknown>;
}

const BOTH = ["single", "toolset"] as const;
const point = { coordinate: [200, 200] };
const single = { name: "computer", input: { action: "left_click", ...point } };
const member = { name: "left_click", toolset_name: "computer", input: point };

const UNKNOWN_TOOLS = ["bash", "computer2", "Computer", "computer ", "__proto__", "constructor", ""];

export const CALL_VECTORS: readonly CallVector[] = [
  ...UNKNOWN_TOOLS.map((name) => ({
    id: "L-001",
    block: { name, input: { action: "left_click", ...point } },
    codes: ["E_UNKNOWN_TOOL"] as const,
    styles: BOTH,
    twin: single,
  })),
  ...["", "Left_Click", "left_click ", "done", "stop", "click", "__proto__", "constructor", "toString"].map(
    (name) => ({
      id: "L-001",
      block: { name, toolset_name: "computer", input: point },
      codes: ["E_UNKNOWN_ACTION"] as const,
      styles: ["toolset"] as const,
      twin: member,
    }),
  ),
  ...["", "Left_Click", "done", "click", "__proto__", "constructor"].map((action) => ({
    id: "L-001",
    block: { name: "computer", input: { action, ...point } },
    codes: ["E_UNKNOWN_ACTION"] as const,
    styles: ["single"] as const,
    twin: single,
  })),
  {
    id: "L-003",
    block: { name: "left_click", input: point },
    codes: ["E_PROTOCOL"],
    styles: BOTH,
    twin: member,
  },
  ...["browser", "Computer", "", 5, {}, "computer "].map((toolset_name) => ({
    id: "L-003",
    block: { name: "left_click", toolset_name, input: point },
    codes: ["E_PROTOCOL"] as const,
    styles: BOTH,
    twin: member,
  })),
  {
    id: "L-003",
    block: { name: "computer", toolset_name: "computer", input: { action: "left_click", ...point } },
    codes: ["E_PROTOCOL"],
    styles: BOTH,
    twin: single,
  },
  { id: "L-003", block: member, codes: ["E_PROTOCOL"], styles: ["single"], twin: single },
  { id: "L-003", block: single, codes: ["E_PROTOCOL"], styles: ["toolset"], twin: member },
  ...[5, null, undefined, ["left_click"], {}].map((name) => ({
    id: "L-003",
    block: { name, toolset_name: "computer", input: point },
    codes: ["E_PROTOCOL"] as const,
    styles: BOTH,
    twin: member,
  })),
  ...[undefined, null, '{"action":"screenshot"}', [], 7, true].flatMap((input) => [
    {
      id: "L-006",
      block: { name: "computer", input },
      codes: ["E_SCHEMA"] as const,
      styles: ["single"] as const,
      twin: single,
    },
    {
      id: "L-006",
      block: { name: "screenshot", toolset_name: "computer", input },
      codes: ["E_SCHEMA"] as const,
      styles: ["toolset"] as const,
      twin: { name: "screenshot", toolset_name: "computer", input: {} },
    },
  ]),
  ...[undefined, null, 5, ["left_click"], { toString: "left_click" }].map((action) => ({
    id: "L-006",
    block: { name: "computer", input: { action, ...point } },
    codes: ["E_SCHEMA"] as const,
    styles: ["single"] as const,
    twin: single,
  })),
];
