// A step as the tool_use block of either wire style: as text for those who read lines, parsed for those who do not.
import type { WireCall, WireStyle } from "../../src/contract/parse-action.js";
import type { Step } from "./vector.js";

/** The block's JSON text. */
export function wireText(step: Step, style: WireStyle, id?: string): string {
  const mark = id === undefined ? "" : `"type":"tool_use","id":${JSON.stringify(id)},`;
  const { action, json } = step;
  if (style === "toolset")
    return `{${mark}"name":${JSON.stringify(action)},"toolset_name":"computer","input":${json}}`;
  const rest = json.trim().slice(1);
  const comma = rest.trim() === "}" ? "" : ",";
  return `{${mark}"name":"computer","input":{"action":${JSON.stringify(action)}${comma}${rest}}`;
}

export function wireCall(step: Step, style: WireStyle): WireCall {
  return JSON.parse(wireText(step, style)) as WireCall;
}
