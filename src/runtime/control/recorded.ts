// How actions and texts are written down: numbers and key texts as they are, typed text, goals and a model's words
// only by digest and length.
import { digestBytes } from "../../base/digest.js";
import { escapeText } from "../../base/escape.js";
import type { Action } from "../../contract/actions.js";
import type { RecordedInput, WithheldText } from "../../contract/journal-records.js";

export function withheldText(text: string): WithheldText {
  return { digest: digestBytes(text), length: [...text].length };
}

/** Cuts and escapes a text from outside so that it fits a record. */
export function boundedText(text: string, limit = 500): string {
  const escaped = escapeText(text);
  return escaped.length <= limit ? escaped : `${escaped.slice(0, limit - 1)}…`;
}

export function recordedInput(action: Action): RecordedInput {
  const recorded: RecordedInput = {};
  for (const [key, value] of Object.entries(action.input) as [string, unknown][]) {
    if (value === undefined) continue;
    if (typeof value === "string") {
      recorded[key] = action.name === "type" ? withheldText(value) : boundedText(value, 100);
    } else {
      recorded[key] = value as RecordedInput[string];
    }
  }
  return recorded;
}
