// How a fault of our own is told: as ours, with the place on request.
import { escapeText } from "../base/escape.js";

/** A text of several lines, each one escaped. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeText).join("\n");
}

/** The message for an error that is no answer about what was given. Its stack only where debugging is asked for. */
export function describeFault(error: unknown, debug: boolean): string {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const place = debug && error instanceof Error ? `\n${error.stack ?? ""}` : "; CAPUCHIN_DEBUG=1 shows where";
  return `internal error, a fault of capuchin and not of what it was given: ${what}${place}`;
}
