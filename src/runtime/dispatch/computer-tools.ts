// For callers who ask the API themselves: the computer entry of a request's `tools`, made as a run makes its own, and
// what must go with it. It offers what the cap grants and nothing more.
import { describeValue } from "../../base/escape.js";
import type { ActionName } from "../../contract/actions.js";
import type { AgentEntry } from "../../contract/agent-spec.js";
import type { Size } from "../../contract/geometry.js";
import {
  DEFAULT_MODEL,
  MODEL_ID,
  pictureTierOf,
  type ToolVersion,
  toolForModel,
} from "../../contract/models.js";
import { pictureSize } from "../../contract/picture-size.js";
import { isKnownTo, refusedThough } from "../../contract/wire-versions.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import { ComputerCap } from "../cap/computer-cap.js";
import { offeredBy } from "../cap/offered.js";
import { chooseModel, requireEntry } from "./dispatch-options.js";
import type { ToolEntry } from "./message.js";
import { refusedNotice } from "./system-prompt.js";
import { betaOf, buildToolEntry } from "./tool-entry.js";

/** The computer tool of a request, and what must go with it. */
export interface ComputerTools {
  /** The model that these are for. */
  readonly model: string;
  readonly version: ToolVersion;
  /** The size of the pictures to send, in whose pixels the model answers: the viewport's, or as much as the model takes. */
  readonly picture: Size;
  /** For the request's `tools`, beside the caller's own. No other tool may be called `computer`. */
  readonly tools: readonly [ToolEntry];
  /** For `betas` of `client.beta.messages.create`. Empty where `client.messages.create` takes the tool. */
  readonly betas: readonly string[];
  /** The same for a caller without the SDK: the headers to add. */
  readonly headers: Readonly<Record<string, string>>;
  /** The actions that the cap grants and this version knows. */
  readonly offered: readonly ActionName[];
  /**
   * For the system text, where the version offers actions that the cap does not grant and that cannot be switched
   * off: the gate refuses them, and this tells the model so.
   */
  readonly notice: string | undefined;
}

/** What to make the tools of, and for which model. */
export interface ComputerToolsOptions {
  /** The model that will be asked; the spec entry's, else the default one. */
  readonly model?: string;
}

function requireModelId(model: unknown): string {
  if (typeof model === "string" && MODEL_ID.test(model)) return model;
  throw new CapuchinError("E_SCHEMA", `${describeValue(model)} is no model id`);
}

interface Basis {
  readonly cap: ComputerCap;
  readonly modelId: string;
  readonly version: ToolVersion;
}

function basisOf(source: AgentEntry | ComputerCap, asked: string | undefined): Basis {
  if (source instanceof ComputerCap) {
    const modelId = asked ?? DEFAULT_MODEL;
    return { cap: source, modelId, version: toolForModel(modelId) };
  }
  const entry = requireEntry(source);
  const { modelId, tool } = chooseModel(entry, asked === undefined ? {} : { model: asked });
  return { cap: ComputerCap.fromSpec(entry), modelId, version: tool };
}

/**
 * The computer tool for a spec entry or a cap, in the version that the model takes: what the cap does not grant is
 * switched off where the version can say so, and named in `notice` where it cannot.
 *
 * @throws ConfigurationError E_SPEC for a malformed entry, or one that was built for a version which the model refuses.
 * @throws CapuchinError E_CAP_FORGED for a cap that is not genuine, E_SCHEMA for what is no model id.
 */
export function computerTools(
  source: AgentEntry | ComputerCap,
  options: ComputerToolsOptions = {},
): ComputerTools {
  const asked = options.model === undefined ? undefined : requireModelId(options.model);
  const { cap, modelId, version } = basisOf(source, asked);
  const granted = offeredBy(cap);
  const picture = pictureSize(cap.viewport, pictureTierOf(modelId));
  const entry = buildToolEntry(version, picture, granted);
  const beta = betaOf(entry);
  return {
    model: modelId,
    version,
    picture,
    tools: [entry],
    betas: beta === undefined ? [] : [beta],
    headers: beta === undefined ? {} : { "anthropic-beta": beta },
    offered: granted.filter((name) => isKnownTo(version, name)),
    notice: refusedNotice(refusedThough(version, granted)),
  };
}
