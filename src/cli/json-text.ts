// JSON for standard output: what would disturb a terminal is written as \uXXXX, which says the same to a parser.
import { escapeText } from "../base/escape.js";

function escapeUnits(character: string): string {
  if (escapeText(character) === character) return character;
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** The value as JSON in one line, without any invisible or reordering character. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(/[^\x20-\x7e]/gu, escapeUnits);
}

/** The value as JSON laid out for people, with the same promise; ends with a line feed. */
export function jsonDocument(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/[^\x20-\x7e\n]/gu, escapeUnits)}\n`;
}
