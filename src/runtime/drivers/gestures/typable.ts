// The driver's own look at a text, after the gate's: what may never be typed is refused here too, before any event.
import { findForbiddenCharacter } from "../../../contract/text.js";
import { DriverError } from "../../../diagnostics/errors.js";

/** `U+00E9`, for messages: the character itself may be invisible or secret. */
export function formatCodePoint(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

export function requireTypable(text: string): void {
  const found = findForbiddenCharacter(text);
  if (!found) return;
  throw new DriverError(
    "E_SCHEMA",
    `the text holds ${formatCodePoint(found.codePoint)} at character ${found.at + 1}, which is never typed; nothing was typed`,
    0,
  );
}

export function cannotType(codePoint: number, why: string): DriverError {
  return new DriverError(
    "E_TEXT_UNSUPPORTED",
    `${formatCodePoint(codePoint)} cannot be typed here: ${why}; nothing was typed`,
    0,
  );
}
