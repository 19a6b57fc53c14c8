// From a tool_use block to a parsed action: the caller and the tool version are judged here, all else by the one
// parser.
import { describeValue } from "../../base/escape.js";
import { TOOL_VERSIONS, type ToolVersion } from "../../contract/models.js";
import { type ParsedAction, parseToolCall } from "../../contract/parse-action.js";
import { fieldUnknownTo, isKnownTo } from "../../contract/wire-versions.js";
import type { ToolCall } from "./reply.js";

/** Absent, null and `{ type: "direct" }` are the model itself; anything else is a program that runs elsewhere. */
function isDirect(caller: ToolCall["caller"]): boolean {
  if (caller === undefined || caller === null) return true;
  return (
    typeof caller === "object" && !Array.isArray(caller) && (caller as { type?: unknown }).type === "direct"
  );
}

/** Parses a call under the run's declared tool. */
export function parseCall(call: ToolCall, version: ToolVersion): ParsedAction {
  if (!isDirect(call.caller)) {
    return { ok: false, code: "E_PROTOCOL", reason: "only the model itself may call the computer" };
  }
  const parsed = parseToolCall({ name: call.name, toolset_name: call.toolset, input: call.input }, [
    TOOL_VERSIONS[version].style,
  ]);
  if (!parsed.ok) return parsed;
  const { name } = parsed.action;
  if (!isKnownTo(version, name)) {
    return { ok: false, code: "E_UNKNOWN_ACTION", reason: `${version} has no action ${describeValue(name)}` };
  }
  const field = fieldUnknownTo(version, parsed.action);
  if (field === undefined) return parsed;
  return {
    ok: false,
    code: "E_SCHEMA",
    reason: `${name}: ${version} knows no field ${describeValue(field)}`,
  };
}
