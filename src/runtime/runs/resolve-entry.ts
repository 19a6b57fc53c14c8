// Finds the spec entry that a run enforces, and proves that the live class still is what was checked. Without a spec
// a run is refused, unless it is derived from the class on purpose (tests), which the trace records.
import { digestBytes } from "../../base/digest.js";
import {
  type AgentEntry,
  declaredFields,
  findDrift,
  readSpecValue,
  type Spec,
} from "../../contract/agent-spec.js";
import { API_FUNCTION_LIST } from "../../contract/api-functions.js";
import type { Declaration } from "../../contract/declaration.js";
import { findDeclaration } from "../../decorators/index.js";
import { ConfigurationError } from "../../diagnostics/errors.js";

export interface ResolvedEntry {
  readonly entry: AgentEntry;
  readonly derived: boolean;
}

export interface EntryRequest {
  /** A spec, or what stands in a spec file. */
  readonly spec: Spec | undefined;
  readonly derive: boolean;
  /** The name under which a module exports the class: the last name tried. */
  readonly exportName?: string | undefined;
}

function requireDeclared(agent: unknown): Declaration {
  if (typeof agent !== "function")
    throw new ConfigurationError("E_SPEC", "launch takes an agent class first");
  const declaration = findDeclaration(agent);
  if (declaration) return declaration;
  throw new ConfigurationError(
    "E_SPEC",
    `${agent.name || "this class"} is not declared with @computerUse; if it is, two copies of capuchin are loaded`,
  );
}

function derive(agent: { readonly name: string }, declaration: Declaration): AgentEntry {
  const name = declaration.name ?? agent.name;
  if (name === "")
    throw new ConfigurationError("E_SPEC", "the agent's class has no name: give it one with the option name");
  return {
    ...declaredFields(declaration),
    agent: name,
    file: "(derived)",
    uses: API_FUNCTION_LIST.map((called) => ({
      function: called,
      path: [{ file: "(derived)", line: 1, column: 1, symbol: name }],
    })),
    sourceHash: digestBytes(""),
  };
}

function find(spec: Spec, names: readonly (string | undefined)[]): AgentEntry {
  for (const name of names) {
    if (name === undefined || name === "") continue;
    const entry = spec.agents.find((candidate) => candidate.agent === name);
    if (entry) return entry;
  }
  const tried =
    names.filter((name) => name !== undefined && name !== "").join(", ") || "a class without a name";
  const listed = spec.agents.map((entry) => entry.agent).join(", ") || "none";
  throw new ConfigurationError(
    "E_SPEC",
    `the spec has no agent ${tried} (it lists: ${listed}); give the class a name option and build again`,
  );
}

/**
 * The entry for an agent class.
 * @throws ConfigurationError E_SPEC without a declaration, a spec or a matching entry; E_SPEC_DRIFT when the class's
 *   declared options differ from its entry.
 */
export function resolveEntry(agent: unknown, request: EntryRequest): ResolvedEntry {
  const declaration = requireDeclared(agent);
  const { name } = agent as { readonly name: string };
  if (!request.spec) {
    if (request.derive)
      return { entry: derive({ name: name || (request.exportName ?? "") }, declaration), derived: true };
    throw new ConfigurationError(
      "E_SPEC",
      "launch needs the spec that capuchin build wrote (spec: path or object); tests may say derive: true",
    );
  }
  // An object may have been made or changed by anyone: it is judged like a file.
  const reading = readSpecValue(structuredClone(request.spec));
  if (!reading.ok) throw new ConfigurationError("E_SPEC", `the spec is refused: ${reading.reason}`);
  const names = declaration.name === undefined ? [name, request.exportName] : [declaration.name];
  const entry = find(reading.spec, names);
  const drift = findDrift(declaration, entry);
  if (drift.length > 0) {
    throw new ConfigurationError(
      "E_SPEC_DRIFT",
      `${entry.agent} differs from its spec entry in ${drift.join(", ")}; run capuchin build`,
    );
  }
  return { entry, derived: false };
}
