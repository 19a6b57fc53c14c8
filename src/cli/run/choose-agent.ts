// Which class of a module is run: the only declared one, or the one of a name.
import { closestName } from "../../base/closest.js";
import { quoteText } from "../../base/escape.js";
import type { Size } from "../../contract/geometry.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import type { Runtime } from "./runtime-copy.js";

type AgentClass = Parameters<Runtime["launch"]>[0];

export interface ChosenAgent {
  readonly agentClass: AgentClass;
  readonly name: string;
  readonly exportName: string;
  /** The size of the host display that the class declares. */
  readonly display: Size | undefined;
}

interface Candidate extends ChosenAgent {
  /** Its own name, as in the spec, and the export's. */
  readonly names: readonly string[];
}

/** The declared classes that a module exports, each once. */
function candidatesOf(module: object, findDeclaration: Runtime["findDeclaration"]): readonly Candidate[] {
  const found = new Map<unknown, Candidate>();
  for (const [exportName, value] of Object.entries(module)) {
    const declaration = findDeclaration(value);
    if (!declaration || found.has(value)) continue;
    const agentClass = value as AgentClass;
    const own = declaration.name ?? (agentClass.name || exportName);
    const names = [own, exportName];
    found.set(value, {
      agentClass,
      name: own,
      exportName,
      display: declaration.display,
      names,
    });
  }
  return [...found.values()];
}

function refuse(reason: string): ConfigurationError {
  return new ConfigurationError("E_SPEC", reason);
}

/** @throws ConfigurationError E_SPEC when there is none, or more than one that could be meant. */
export function chooseAgent(
  module: object,
  findDeclaration: Runtime["findDeclaration"],
  wanted: string | undefined,
): ChosenAgent {
  const candidates = candidatesOf(module, findDeclaration);
  const listed = candidates.map((candidate) => quoteText(candidate.name)).join(", ");
  if (candidates.length === 0) {
    throw refuse(
      "the module exports no class declared with @computerUse; export the agent, and see that it imports the capuchin of its own project",
    );
  }
  if (wanted === undefined) {
    const [only, ...more] = candidates;
    if (only && more.length === 0) return only;
    throw refuse(`the module exports several agents (${listed}); name one with --agent`);
  }
  // An agent's own name (declared, else the class's) wins over a name that only the module gives it.
  for (const rank of [0, 1]) {
    const matches = candidates.filter((candidate) => candidate.names[rank] === wanted);
    const [only, ...more] = matches;
    if (only && more.length === 0) return only;
    if (only) throw refuse(`several agents of the module are named ${quoteText(wanted)}; give each a name`);
  }
  const close = closestName(
    wanted,
    candidates.map((candidate) => candidate.name),
  );
  const hint = close === undefined ? `; it exports ${listed}` : `; did you mean ${quoteText(close)}?`;
  throw refuse(`the module exports no agent ${quoteText(wanted)}${hint}`);
}
