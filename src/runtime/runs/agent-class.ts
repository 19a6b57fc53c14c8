// Agent classes as host code passes them: any concrete class, constructed by `launch` unless told otherwise.
import { quoteText } from "../../base/escape.js";

// biome-ignore lint/suspicious/noExplicitAny: an agent's constructor may take anything; `create` supplies it.
export type AgentConstructor<Agent extends object = object> = new (...args: any[]) => Agent;

const LISTED = 12;

/** The names of an agent's own and inherited methods, for a message. */
export function listMethods(agent: object): string {
  const names = new Set<string>();
  for (
    let proto: unknown = Object.getPrototypeOf(agent);
    typeof proto === "object" && proto !== null && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  ) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
      if (name !== "constructor" && typeof property.value === "function") names.add(name);
  }
  if (names.size === 0) return "none";
  const shown = [...names].slice(0, LISTED).map((name) => quoteText(name));
  return names.size > LISTED ? `${shown.join(", ")} and ${names.size - LISTED} more` : shown.join(", ");
}
