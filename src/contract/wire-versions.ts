// Which members and which fields each version of the hosted tool knows. A call with a member or a field that its
// version does not know is refused, since no model was told of it. Source: docs/wire.md.
import { ACTION_LIST, ACTIONS, type Action, type ActionName } from "./actions.js";
import { TOOL_VERSIONS, type ToolVersion } from "./models.js";

/** The members that a version of the hosted tool knows, in the order of the action table. */
export function membersOf(version: ToolVersion): readonly ActionName[] {
  return ACTION_LIST.filter((name) => isKnownTo(version, name));
}

/** Whether a version of the hosted tool knows a member. */
export function isKnownTo(version: ToolVersion, name: ActionName): boolean {
  if (TOOL_VERSIONS[version].style === "toolset") return true;
  const versions: readonly ToolVersion[] = ACTIONS[name].single;
  return versions.includes(version);
}

/** Fields that came later than their members: the clicks of the first version act at the pointer and nowhere else. */
const MISSING_FIELDS: Readonly<
  Record<ToolVersion, { readonly [Name in ActionName]?: readonly string[] | undefined }>
> = {
  computer_toolset_20260801: {},
  // Modifiers of a drag are documented for the toolset only; with these two they are the gate's to judge.
  computer_20251124: { key: ["repeat"] },
  computer_20250124: { key: ["repeat"] },
  computer_20241022: {
    key: ["repeat"],
    left_click_drag: ["text"],
    left_click: ["coordinate", "text"],
    right_click: ["coordinate", "text"],
    middle_click: ["coordinate", "text"],
    double_click: ["coordinate", "text"],
  },
};

/** A field of the action that the version does not know; undefined when there is none. */
export function fieldUnknownTo(version: ToolVersion, action: Action): string | undefined {
  const input: Readonly<Record<string, unknown>> = action.input;
  return MISSING_FIELDS[version][action.name]?.find((field) => input[field] !== undefined);
}

/**
 * What of a tool the request cannot switch off, although it is not offered: of the single tools everything but zoom.
 * The model is told in words, and the gate refuses it.
 */
export function refusedThough(version: ToolVersion, offered: readonly ActionName[]): readonly ActionName[] {
  if (TOOL_VERSIONS[version].style === "toolset") return [];
  return membersOf(version).filter((name) => name !== "zoom" && !offered.includes(name));
}
