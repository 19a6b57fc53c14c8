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

/** What a model id looks like. */
export const MODEL_ID = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/;

/** The model used when neither the declaration nor the command line names one. */
export const DEFAULT_MODEL = "claude-opus-5-5";

/** Model families that take an older tool; a date, `latest` or a platform's suffix may follow. */
const OLDER_FAMILIES: readonly (readonly [families: readonly string[], tool: ToolVersion])[] = [
  [["opus-4-5", "opus-4-6", "opus-4-7", "sonnet-4-6"], "computer_20251124"],
  [["sonnet-4-5", "haiku-4-5", "opus-4-1", "sonnet-4", "opus-4"], "computer_20250124"],
  [["3-5-sonnet"], "computer_20241022"],
];

const SUFFIX = "(?:[-@](?:\\d{8}|latest)(?:-v\\d.*)?)?$";

/** The hosted tool version for a model id; models that the table does not know get the current one. */
export function toolForModel(model: string | undefined): ToolVersion {
  if (model === undefined) return CURRENT_TOOL;
  const isOf = (family: string) => new RegExp(`^(?:[a-z.]+[./])?claude-${family}${SUFFIX}`).test(model);
  return OLDER_FAMILIES.find(([families]) => families.some(isOf))?.[1] ?? CURRENT_TOOL;
}
