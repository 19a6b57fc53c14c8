// Recorded X events in the words of the conformance suite. The table is written out here, apart from the key table.
import type { ObservedEvent } from "../../src/runtime/testing/driver-conformance.js";
import type { RecordedEvent } from "./recorder.js";

// Numbers of X.Org's keysymdef.h.
const NAMES: Readonly<Record<number, string>> = {
  65505: "shift",
  65507: "ctrl",
  65513: "alt",
  65515: "super",
  65288: "BackSpace",
  65289: "Tab",
  65293: "Return",
  65301: "Sys_Req",
  65307: "Escape",
  65360: "Home",
  65361: "Left",
  65362: "Up",
  65363: "Right",
  65364: "Down",
  65365: "Page_Up",
  65366: "Page_Down",
  65367: "End",
  65377: "Print",
  65379: "Insert",
  65383: "Menu",
  65408: "KP_Space",
  65417: "KP_Tab",
  65421: "KP_Enter",
  65429: "KP_Home",
  65430: "KP_Left",
  65431: "KP_Up",
  65432: "KP_Right",
  65433: "KP_Down",
  65434: "KP_Page_Up",
  65435: "KP_Page_Down",
  65436: "KP_End",
  65438: "KP_Insert",
  65439: "KP_Delete",
  65450: "KP_Multiply",
  65451: "KP_Add",
  65453: "KP_Subtract",
  65454: "KP_Decimal",
  65455: "KP_Divide",
  65469: "KP_Equal",
  65535: "Delete",
};

function nameOf(keysym: number): string {
  if (keysym >= 0xffb0 && keysym <= 0xffb9) return `KP_${keysym - 0xffb0}`;
  if (keysym >= 0xffbe && keysym <= 0xffc9) return `F${keysym - 0xffbe + 1}`;
  // Unicode keysyms are the code point plus this.
  if (keysym >= 0x01000100) return String.fromCodePoint(keysym - 0x01000000);
  if (keysym === 0x20ac) return "€";
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
