// The hosted tool as offered: what the cap does not grant is switched off where the tool version can say so.
import { ACTION_LIST, type ActionName } from "../../contract/actions.js";
import type { Size } from "../../contract/geometry.js";
import { TOOL_VERSIONS, type ToolVersion } from "../../contract/models.js";
import type { ToolEntry } from "./message.js";

/** The tool entry for a version, a display size and the actions that the cap grants. */
export function buildToolEntry(version: ToolVersion, size: Size, offered: readonly ActionName[]): ToolEntry {
  if (version === "computer_toolset_20260801") {
    const withheld = ACTION_LIST.filter((name) => !offered.includes(name));
    if (withheld.length === 0) return { type: version };
    return {
      type: version,
      configs: Object.fromEntries(withheld.map((name) => [name, { enabled: false }])),
    };
  }
  return {
    type: version,
    name: "computer",
    display_width_px: size.width,
    display_height_px: size.height,
    ...(version === "computer_20251124" && offered.includes("zoom") ? { enable_zoom: true } : {}),
  };
}

/** The beta header's value that a tool version needs; undefined when it needs none. */
export function betaOf(tool: ToolEntry): string | undefined {
  return TOOL_VERSIONS[tool.type].beta;
}
