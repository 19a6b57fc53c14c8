// From a tool_use block to a parsed action: the caller and the tool version are judged here, all else by the one
// parser.
import { describeValue } from "../../base/escape.js";
import { ACTIONS, type ActionName } from "../../contract/actions.js";
import { TOOL_VERSIONS, type ToolVersion } from "../../contract/models.js";
import { type ParsedAction, parseToolCall } from "../../contract/parse-action.js";
import type { ToolCall } from "./reply.js";

/** Absent, null and `{ type: "direct" }` are the model itself; anything else is a program that runs elsewhere. */
function isDirect(caller: ToolCall["caller"]): boolean {
  if (caller === undefined || caller === null) return true;
  return (
    typeof caller === "object" && !Array.isArray(caller) && (caller as { type?: unknown }).type === "direct"
  );
}

function isKnownTo(version: ToolVersion, name: ActionName): boolean {
  if (version === "computer_toolset_20260801") return true;
  const versions: readonly ToolVersion[] = ACTIONS[name].single;
  return versions.includes(version);
}

/** Parses a call under the run's declared tool. */
export function parseCall(call: ToolCall, version: ToolVersion): ParsedAction {
  if (!isDirect(call.caller)) {
    return { ok: false, code: "E_PROTOCOL", reason: "only the model itself may call the computer" };
  }
  const parsed = parseToolCall({ name: call.name, toolset_name: call.toolset, input: call.input }, [
    TOOL_VERSIONS[version].style,
  ]);
  if (parsed.ok && !isKnownTo(version, parsed.action.name)) {
    return {
      ok: false,
      code: "E_UNKNOWN_ACTION",
      reason: `${version} has no action ${describeValue(parsed.action.name)}`,
    };
  }
  return parsed;
}
