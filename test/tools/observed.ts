// Recorded X events in the words of the conformance suite. The table is written out here, apart from the key table.
import type { ObservedEvent } from "../../src/runtime/testing/driver-conformance.js";
import type { RecordedEvent } from "./recorder.js";

const NAMES: Readonly<Record<number, string>> = {
  65505: "shift",
  65507: "ctrl",
  65513: "alt",
  65515: "super",
  65293: "Return",
  65289: "Tab",
  65307: "Escape",
  65364: "Down",
};

function nameOf(keysym: number): string {
  return NAMES[keysym] ?? (keysym < 0x100 ? String.fromCharCode(keysym) : `keysym:${keysym.toString(16)}`);
}

export function observed(event: RecordedEvent): ObservedEvent {
  const { x, y } = event;
  const down = event.event.endsWith("Press");
  if (event.event === "MotionNotify") return { type: "motion", x, y };
  if (event.button !== undefined) return { type: "button", button: event.button, down, x, y };
  // With Shift down the keysym is the shifted one; the key is the one below.
  const name = nameOf(event.keysym ?? 0);
  return { type: "key", key: /^[A-Z]$/.test(name) ? name.toLowerCase() : name, down };
}
