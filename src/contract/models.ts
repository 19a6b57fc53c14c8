// Which hosted computer tool a model takes, and the beta header that goes with it. One table; a wrong pair is
// refused at start. Source: the API's documentation as of November 2026 (see docs/origins.md).

export const TOOL_VERSIONS = {
  computer_toolset_20260801: { style: "toolset", beta: undefined },
  computer_20251124: { style: "single", beta: "computer-use-2025-11-24" },
  computer_20250124: { style: "single", beta: "computer-use-2025-01-24" },
  computer_20241022: { style: "single", beta: "computer-use-2024-10-22" },
} as const;

export type ToolVersion = keyof typeof TOOL_VERSIONS;

export const CURRENT_TOOL: ToolVersion = "computer_toolset_20260801";

/** The model used when neither the declaration nor the command line names one. */
export const DEFAULT_MODEL = "claude-opus-5-5";

/** Model families, first match wins; versions that end a prefix are exact up to a date suffix. */
const FAMILIES: readonly (readonly [pattern: RegExp, tool: ToolVersion])[] = [
  [/^claude-(?:opus|sonnet|haiku)-5-5\b/, "computer_toolset_20260801"],
  [/^claude-(?:fable|mythos)-5(?:-[12])?\b/, "computer_toolset_20260801"],
  [/^claude-(?:opus|sonnet)-5\b/, "computer_toolset_20260801"],
  [/^claude-opus-4-8\b/, "computer_toolset_20260801"],
  [/^claude-opus-4-[567]\b/, "computer_20251124"],
  [/^claude-sonnet-4-6\b/, "computer_20251124"],
  [/^claude-(?:sonnet-4-5|haiku-4-5|opus-4-1|sonnet-4|opus-4)\b/, "computer_20250124"],
  [/^claude-3-5-sonnet\b/, "computer_20241022"],
];

/** The hosted tool version for a model id; models that the table does not know get the current one. */
export function toolForModel(model: string | undefined): ToolVersion {
  if (model === undefined) return CURRENT_TOOL;
  return FAMILIES.find(([pattern]) => pattern.test(model))?.[1] ?? CURRENT_TOOL;
}
