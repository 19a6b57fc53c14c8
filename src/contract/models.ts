// What each model family takes: the versions of the hosted computer tool, the beta header that goes with each, and how
// large a picture may be. One table; a pair that the API refuses is refused at start. Source: the API's documentation
// as of November 2026 (see docs/wire.md and docs/origins.md).

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

/** `standard`: long edge 1568, 1568 visual tokens. `high`: 2576 and 4784. */
export type PictureTier = "standard" | "high";

interface ModelRow {
  /** As in the model id, after `claude-`. A date, `latest` or a platform's suffix may follow. */
  readonly families: readonly string[];
  /** What the API takes for it, the one to use first. */
  readonly tools: readonly [ToolVersion, ...ToolVersion[]];
  readonly pictures: PictureTier;
}

export const MODELS: readonly ModelRow[] = [
  {
    families: ["opus-5-5", "sonnet-5-5", "haiku-5-5", "fable-5-2", "mythos-5-2"],
    tools: ["computer_toolset_20260801"],
    pictures: "high",
  },
  {
    families: ["opus-5", "sonnet-5", "fable-5-1", "mythos-5-1", "fable-5", "mythos-5", "opus-4-8"],
    tools: ["computer_toolset_20260801", "computer_20251124"],
    pictures: "high",
  },
  { families: ["opus-4-7"], tools: ["computer_20251124"], pictures: "high" },
  {
    families: ["opus-4-6", "sonnet-4-6", "opus-4-5"],
    tools: ["computer_20251124"],
    pictures: "standard",
  },
  {
    families: ["sonnet-4-5", "haiku-4-5", "opus-4-1", "opus-4", "opus-4-0", "sonnet-4", "sonnet-4-0"],
    tools: ["computer_20250124"],
    pictures: "standard",
  },
  { families: ["3-5-sonnet"], tools: ["computer_20241022"], pictures: "standard" },
];

/** The day on which the API stops to answer for a family, where one is published. */
const RETIREMENTS: Readonly<Record<string, string>> = {
  "mythos-preview": "2026-06-30",
  "sonnet-4-5": "2026-11-30",
  "opus-4-5": "2027-01-22",
};

const PREFIX = "^(?:[a-z.]+[./])?claude-";
const SUFFIX = "(?:[-@](?:\\d{8}|latest|default))?(?:-v\\d+(?::\\d+)?)?$";

function isOf(model: string, family: string): boolean {
  return new RegExp(`${PREFIX}${family}${SUFFIX}`).test(model);
}

function findModel(model: string): ModelRow | undefined {
  return MODELS.find(({ families }) => families.some((family) => isOf(model, family)));
}

/** The family of a model id, such as `opus-4-6`; undefined for a model that the table does not know. */
export function familyOf(model: string): string | undefined {
  return findModel(model)?.families.find((family) => isOf(model, family));
}

/** What the API takes for a model id, the preferred one first; for a model that the table does not know undefined. */
export function toolsOf(model: string): readonly ToolVersion[] | undefined {
  return findModel(model)?.tools;
}

/** The hosted tool version for a model id; models that the table does not know get the current one. */
export function toolForModel(model: string | undefined): ToolVersion {
  return (model === undefined ? undefined : toolsOf(model)?.[0]) ?? CURRENT_TOOL;
}

/** A model that takes a version, for advice: the first of the table whose end is not announced. */
export function modelFor(version: ToolVersion): string {
  if (version === CURRENT_TOOL) return DEFAULT_MODEL;
  const families = MODELS.filter((row) => row.tools.includes(version)).flatMap((row) => row.families);
  const lasting = families.find((family) => RETIREMENTS[family] === undefined);
  return `claude-${lasting ?? families[0] ?? ""}`;
}

/**
 * How large a picture the model takes. For ids that the table does not know the smaller size, which every model
 * takes: a picture that is too large is refused with the whole request.
 */
export function pictureTierOf(model: string): PictureTier {
  return findModel(model)?.pictures ?? "standard";
}

/** The day (YYYY-MM-DD) on which the API stops to answer for a model, where one is published. */
export function retirementOf(model: string): string | undefined {
  return Object.entries(RETIREMENTS).find(([family]) => isOf(model, family))?.[1];
}
