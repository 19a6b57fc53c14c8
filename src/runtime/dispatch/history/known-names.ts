// A misspelt limit must not leave the one that was meant unset.
import { quoteText } from "../../../base/escape.js";
import { CapuchinError } from "../../../diagnostics/errors.js";

/** @throws CapuchinError E_SCHEMA for a name that is none of `known` */
export function requireKnownNames(what: string, asked: object | undefined, known: readonly string[]): void {
  const unknown = Object.keys(asked ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CapuchinError("E_SCHEMA", `${what} has no ${quoteText(unknown)}; it has ${known.join(", ")}`);
}
