// Which access an answer of the API says is missing. The status decides between key and rights; which right it is,
// the server's own words tell where they name it, and are not believed for more than that.
import { describeValue } from "../../base/escape.js";
import { TOOL_VERSIONS, type ToolVersion } from "../../contract/models.js";

/**
 * `key`: none, or a wrong one. `model`: this key may not use the model, or there is no such one. `tool`: the model or
 * the key may not use that version of the computer tool. `beta`: nor the beta that it belongs to. `model_or_tool`:
 * the server does not say which.
 */
export type MissingAccess = "key" | "model" | "tool" | "beta" | "model_or_tool";

/** What a request asked for. */
export interface Asked {
  readonly model: string;
  readonly version: ToolVersion;
}

function named(said: string, { model, version }: Asked): MissingAccess | undefined {
  const { beta } = TOOL_VERSIONS[version];
  if ((beta !== undefined && said.includes(beta)) || /\banthropic-beta\b/.test(said)) return "beta";
  if (said.includes(version) || /\bcomputer[ _-](?:use|tool)/i.test(said)) return "tool";
  return said.includes(model) ? "model" : undefined;
}

/** The access that an answer says is missing; undefined for an answer that is about something else. */
export function missingAccess(
  status: number,
  said: string,
  asked: Asked | undefined,
): MissingAccess | undefined {
  if (status === 401) return "key";
  const what = asked === undefined ? undefined : named(said, asked);
  if (status === 403) return what ?? "model_or_tool";
  if (status === 404) return what;
  // A model that takes another version answers that the request is invalid, and names the tool or the header.
  return status === 400 && what !== "model" ? what : undefined;
}

/** What to do about it. */
export function accessAdvice(missing: MissingAccess, asked: Asked | undefined): string {
  const model = asked === undefined ? "the model" : `the model ${describeValue(asked.model)}`;
  const tool = asked === undefined ? "the computer tool" : `the tool ${asked.version}`;
  switch (missing) {
    case "key":
      return "the API key is missing or not valid: set ANTHROPIC_API_KEY or pass apiKey";
    case "model":
      return `this API key may not use ${model}, or there is none of that name: ask for access in the console, or choose another model`;
    case "tool":
      return `${tool} is not open to this API key with ${model}: ask for access in the console, or choose a model that takes it`;
    case "beta":
      return `the beta ${(asked && TOOL_VERSIONS[asked.version].beta) ?? "named in the request"} is not open to this API key: ask for access in the console, or choose a model that takes the current tool, which needs none`;
    case "model_or_tool":
      return "this API key may not use the model or the computer tool: ask for access in the console, or choose another model";
  }
}
