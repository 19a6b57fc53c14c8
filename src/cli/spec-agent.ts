// Choosing an agent of a spec: by name, or the only one.
import { closestName } from "../base/closest.js";
import { quoteText } from "../base/escape.js";
import type { AgentEntry, Spec } from "../contract/agent-spec.js";
import { ConfigurationError } from "../diagnostics/errors.js";

/** The entry of that name, or the only one where none is named. @throws ConfigurationError E_SPEC */
export function chooseEntry(spec: Spec, name: string | undefined): AgentEntry {
  if (name !== undefined) return findAgent(spec, name);
  const [only, ...more] = spec.agents;
  if (only && more.length === 0) return only;
  const names = spec.agents.map((entry) => quoteText(entry.agent)).join(", ");
  throw new ConfigurationError("E_SPEC", `the spec has several agents (${names}); name one with --agent`);
}

/** The entry of that name. @throws ConfigurationError E_SPEC, with the names there are. */
function findAgent(spec: Spec, name: string): AgentEntry {
  const found = spec.agents.find((entry) => entry.agent === name);
  if (found) return found;
  const names = spec.agents.map((entry) => entry.agent);
  const close = closestName(name, names);
  const hint = close
    ? `; did you mean ${quoteText(close)}?`
    : `; it has ${names.length === 0 ? "no agent" : names.map((known) => quoteText(known)).join(", ")}`;
  throw new ConfigurationError("E_SPEC", `the spec has no agent ${quoteText(name)}${hint}`);
}
