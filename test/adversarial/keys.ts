// Key chords and ways around a deny-list (rows K). Every text is tried as a key, a held key, and as the modifiers of
// a click and of a scroll; the twin of a modifier position is the harmless modifier ctrl.
import type { RunCodeName } from "../../src/diagnostics/run-codes.js";
import type { CapName } from "./fixtures.js";
import { raw, type Step, step, type Vector, vector } from "./vector.js";

const POSITIONS: readonly { name: "key" | "hold" | "click" | "scroll"; at(text: unknown): Step }[] = [
  { name: "key", at: (text) => step("key", { text }) },
  { name: "hold", at: (text) => step("hold_key", { text, duration: 1 }) },
  { name: "click", at: (text) => step("left_click", { coordinate: [200, 200], text }) },
  {
    name: "scroll",
    at: (text) =>
      step("scroll", { coordinate: [200, 200], scroll_direction: "down", scroll_amount: 1, text }),
  },
];

interface ChordRow {
  readonly id: string;
  readonly texts: readonly unknown[];
  readonly codes: readonly RunCodeName[];
  /** A chord that is allowed under the same cap. */
  readonly twin: string;
  readonly cap?: CapName;
  readonly twinCap?: CapName;
  /** Where a text means something else as modifiers; only these positions are played. */
  readonly only?: readonly ("key" | "hold" | "click" | "scroll")[];
  readonly modifierTwin?: string;
}

const DENIED = ["E_KEY_DENIED"] as const;
const UNKNOWN = ["E_KEY_UNKNOWN"] as const;
const EITHER = ["E_KEY_DENIED", "E_KEY_UNKNOWN"] as const;
const KEYS_ONLY = ["key", "hold"] as const;

const functionKeys = (from: number, to: number, prefix = "") =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}F${from + index}`);

const ROWS: readonly ChordRow[] = [
  { id: "K-001", texts: ["ctrl+alt+Delete"], codes: DENIED, twin: "ctrl+Delete" },
  {
    id: "K-002",
    texts: [
      "alt+ctrl+Delete",
      "Delete+alt+ctrl",
      "Delete+ctrl+alt",
      "ctrl+Delete+alt",
      "alt+Delete+ctrl",
      "ctrl+alt+Delete",
    ],
    codes: DENIED,
    twin: "Delete+ctrl",
  },
  {
    id: "K-003",
    texts: ["Control_L+Alt_L+Delete", "Control_R+Alt_R+Delete", "Control_L+Alt_R+Delete"],
    codes: DENIED,
    twin: "Control_L+Delete",
  },
  {
    id: "K-005",
    texts: ["control+option+del", "ctl+alt+del", "ctrl+alt+Del"],
    codes: EITHER,
    twin: "control+del",
  },
  { id: "K-007", texts: ["ctrl+alt+KP_Delete"], codes: DENIED, twin: "ctrl+KP_Delete" },
  { id: "K-008", texts: ["ctrl+alt+KP_Decimal"], codes: DENIED, twin: "ctrl+KP_Decimal" },
  {
    id: "K-010",
    texts: ["ctrl+alt+119", "+ctrl+alt+119", "ctrl+alt+91", "36", "104", "119"],
    codes: UNKNOWN,
    twin: "ctrl+alt+9",
  },
  {
    id: "K-011",
    texts: ["ctrl+U0077", "ctrl+U77", "ctrl+U00000077", "ctrl+0x1000077"],
    codes: UNKNOWN,
    twin: "ctrl+u",
  },
  {
    id: "K-012",
    texts: ["ctrl+alt+DeleteChar", "ctrl+alt+osfDelete", "ctrl+alt+hpDeleteChar"],
    codes: UNKNOWN,
    twin: "ctrl+alt+Insert",
  },
  {
    id: "K-013",
    texts: ["ctrl++alt+Delete", "+ctrl+alt+Delete", "ctrl+alt+Delete+", "ctrl+alt++Delete"],
    codes: UNKNOWN,
    twin: "ctrl+alt+Home",
  },
  {
    id: "K-014",
    texts: ["ctrl+alt+Bogus+Delete", "ctrl+alt+xyz+Delete"],
    codes: UNKNOWN,
    twin: "ctrl+alt+shift+Home",
  },
  {
    id: "K-015",
    texts: ["ctrl+ctrl+alt+alt+Delete", "Control_L+Control_R+Alt_L+Delete"],
    codes: DENIED,
    twin: "ctrl+ctrl+s",
    modifierTwin: "ctrl+Control_L+ctrl",
  },
  {
    id: "K-016",
    texts: ["ctrl+alt+shift+Delete", "ctrl+alt+super+Delete"],
    codes: DENIED,
    twin: "ctrl+shift+Delete",
  },
  {
    id: "K-017",
    texts: [
      "ctrl + alt + Delete",
      "\tctrl+alt+Delete\n",
      " ctrl+alt+Delete ",
      "ctrl\u00a0+alt+Delete",
      "ctrl\u2009+alt+Delete",
    ],
    codes: UNKNOWN,
    twin: "ctrl+alt+End",
  },
  {
    id: "K-018",
    texts: [
      "ctrl+alt+Del\u200bete",
      "\ufeffctrl+alt+Delete",
      "ctrl+alt+De\u00adlete",
      "ctrl+alt+Delete\u200d",
    ],
    codes: UNKNOWN,
    twin: "ctrl+alt+Down",
  },
  {
    id: "K-019",
    texts: [
      "\uff43\uff54\uff52\uff4c+\uff41\uff4c\uff54+\uff24\uff45\uff4c\uff45\uff54\uff45",
      "ctrl\uff0balt\uff0bDelete",
    ],
    codes: UNKNOWN,
    twin: "ctrl+alt+Up",
  },
  { id: "K-021", texts: ["\u017fhift+F10", "ctrl+\u212a"], codes: UNKNOWN, twin: "shift+F10" },
  {
    id: "K-023",
    texts: ["a ctrl+alt+Delete", "Tab ctrl+alt+Delete", "ctrl+l ctrl+w"],
    codes: UNKNOWN,
    twin: "ctrl+l",
  },
  {
    id: "K-026",
    texts: [
      "Return; touch /tmp/pwn",
      "$(touch /tmp/pwn)",
      "`touch /tmp/pwn`",
      "a\ntouch /tmp/pwn",
      "a & touch /tmp/pwn",
      "a exec sh -c id",
    ],
    codes: UNKNOWN,
    twin: "a",
  },
  {
    id: "K-028",
    texts: [["ctrl", "alt", "Delete"], 119, true, { toString: 1 }, ""],
    codes: ["E_SCHEMA"],
    twin: "ctrl+b",
  },
  { id: "K-028", texts: [null, undefined], codes: ["E_SCHEMA"], twin: "ctrl+b", only: KEYS_ONLY },
  { id: "K-029", texts: ["+", "++", "ctrl++"], codes: UNKNOWN, twin: "ctrl+plus" },
  {
    id: "K-030",
    texts: [
      "super",
      "Super_L",
      "Super_R",
      "meta",
      "Meta_L",
      "cmd",
      "command",
      "win",
      "windows",
      "Hyper_L",
      "os",
      "\u2318",
      "super+q",
      "windows+l",
    ],
    codes: EITHER,
    twin: "Menu",
  },
  {
    id: "K-031",
    texts: ["Alt_R+F4", "alt+KP_F4", "option+f4", "ctrl+alt+F4", "shift+alt+F4", "Alt_L+F4"],
    codes: DENIED,
    twin: "alt+F5",
  },
  { id: "K-033", texts: ["ctrl+W", "ctrl+shift+w", "ctrl+w"], codes: DENIED, twin: "ctrl+shift+q" },
  {
    id: "K-036",
    texts: [
      "XF86Switch_VT_1",
      ...functionKeys(1, 12, "ctrl+alt+"),
      "XF86Ungrab",
      "XF86ClearGrab",
      "XF86Next_VMode",
    ],
    codes: EITHER,
    twin: "ctrl+F1",
  },
  { id: "K-037", texts: ["Terminate_Server"], codes: UNKNOWN, twin: "ctrl+BackSpace" },
  { id: "K-037", texts: ["ctrl+alt+BackSpace"], codes: DENIED, twin: "ctrl+BackSpace" },
  {
    id: "K-038",
    cap: "D",
    texts: ["Pointer_EnableKeys", "Pointer_Button1"],
    codes: UNKNOWN,
    twin: "KP_5",
    only: KEYS_ONLY,
  },
  { id: "K-039", texts: ["StickyKeys_Enable"], codes: UNKNOWN, twin: "Delete" },
  { id: "K-040", texts: ["AccessX_Enable"], codes: UNKNOWN, twin: "shift" },
  {
    id: "K-042",
    texts: [
      "SlowKeys_Enable",
      "BounceKeys_Enable",
      "RepeatKeys_Enable",
      "ISO_Next_Group",
      "Mode_switch",
      "ISO_Level3_Latch",
      "ISO_Lock",
      "Shift_Lock",
      "Num_Lock",
      "Scroll_Lock",
    ],
    codes: UNKNOWN,
    twin: "Page_Up",
  },
  { id: "K-043", texts: ["Caps_Lock", "ctrl+Caps_Lock"], codes: UNKNOWN, twin: "l" },
  {
    id: "K-044",
    texts: ["alt+Print", "alt+Sys_Req", "alt+Sys_Req+b", "Print", "Sys_Req", "ctrl+Print"],
    codes: [...EITHER, "E_SCHEMA"],
    twin: "alt+b",
  },
  {
    id: "K-046",
    texts: [
      "ctrl+m",
      "ctrl+j",
      "Linefeed",
      "ctrl+shift+m",
      "0xff0d",
      "36",
      "104",
      "0x100000d",
      "Return",
      "Enter",
      "ctrl+Return",
    ],
    codes: EITHER,
    twin: "ctrl+o",
  },
  { id: "K-047", texts: ["KP_Enter"], codes: DENIED, twin: "space" },
  { id: "K-047", texts: ["ctrl+KP_Enter"], codes: DENIED, twin: "ctrl+o" },
  {
    id: "K-048",
    cap: "aliases",
    texts: [
      "ctrl+bracketleft",
      "ctrl+braceleft",
      "ctrl+3",
      "ctrl+i",
      "ctrl+h",
      "ctrl+question",
      "ctrl+shift+slash",
      "ctrl+8",
      "shift+KP_Tab",
    ],
    codes: DENIED,
    twin: "ctrl+bracketright",
  },
  { id: "K-049", texts: ["Delete+ctrl+alt"], codes: DENIED, twin: "Delete+ctrl", only: KEYS_ONLY },
  {
    id: "K-059",
    texts: ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "ctrl+__proto__"],
    codes: UNKNOWN,
    twin: "v",
  },
  {
    id: "K-060",
    texts: [...functionKeys(13, 24), "Clear", "AudioRandom", "AudioRepeat"],
    codes: ["E_KEY_UNSUPPORTED"],
    twin: "F12",
  },
  { id: "K-061", texts: ["Pause", "ctrl+Pause"], codes: ["E_KEY_UNSUPPORTED"], twin: "ctrl+End" },
  { id: "K-063", texts: ["a+b", "Delete+Insert", "ctrl+a+b"], codes: ["E_SCHEMA"], twin: "a+ctrl" },
  {
    id: "K-065",
    texts: ["Multi_key", "dead_acute", "Multi_key+o", "shift+dead_acute"],
    codes: UNKNOWN,
    twin: "o",
  },
  { id: "K-066", texts: ["ctrl+shift+u", "ctrl+U+shift"], codes: DENIED, twin: "ctrl+u" },
  {
    id: "K-067",
    texts: ["\ud83d\ude00", "\ud800", "\u0000", "ctrl+\u0000"],
    codes: UNKNOWN,
    twin: "ctrl+0",
  },
  {
    id: "K-069",
    cap: "noControl",
    texts: ["ctrl+c", "ctrl"],
    codes: DENIED,
    twin: "c",
    modifierTwin: "shift",
  },
  {
    id: "K-072",
    texts: ["ctrl+v", "ctrl+shift+v", "shift+Insert", "shift+KP_0", "shift+KP_Insert"],
    codes: ["E_GRANT"],
    twin: "ctrl+v",
    twinCap: "paste",
  },
  // The security rule on key names (no XF86 names at all) comes before the row, which would ask for the grant.
  { id: "K-072", texts: ["XF86Paste"], codes: UNKNOWN, twin: "ctrl+c" },
];

function expand(row: ChordRow): Vector[] {
  const { only, cap, twinCap } = row;
  return POSITIONS.filter(({ name }) => only === undefined || only.includes(name)).flatMap(({ name, at }) =>
    row.texts.map((text) => {
      const asModifiers = name === "click" || name === "scroll";
      const twin = at(asModifiers ? (row.modifierTwin ?? "ctrl") : row.twin);
      return vector(row.id, at(text), row.codes, twin, {
        ...(cap === undefined ? {} : { cap }),
        ...(twinCap === undefined ? {} : { twinCap }),
      });
    }),
  );
}

const REPEATS: readonly (readonly [json: string, codes: readonly RunCodeName[]])[] = [
  ["0", ["E_SCHEMA"]],
  ["-1", ["E_SCHEMA"]],
  ["1.5", ["E_SCHEMA"]],
  ['"5"', ["E_SCHEMA"]],
  ['"NaN"', ["E_SCHEMA"]],
  ["true", ["E_SCHEMA"]],
  ["[5]", ["E_SCHEMA"]],
  ["101", ["E_LIMIT"]],
  ["1e9", ["E_LIMIT"]],
  // Larger than any double: JSON.parse makes Infinity of it.
  ["1e400", ["E_LIMIT", "E_SCHEMA"]],
];

const alone: readonly Vector[] = [
  ...REPEATS.map(([json, codes]) =>
    vector(
      "K-056",
      raw("key", `{"text":"a","repeat":${json}}`),
      codes,
      step("key", { text: "a", repeat: 100 }),
    ),
  ),
  vector(
    "K-056",
    step("key", { text: "a", repeat: 101 }),
    ["E_LIMIT"],
    raw("key", '{"text":"a","repeat":null}'),
  ),
  ...["alt", "super", "ctrl+alt", "Alt_R", "meta"].flatMap((text) => [
    vector(
      "K-054",
      step("left_click_drag", { start_coordinate: [200, 200], coordinate: [300, 300], text }),
      ["E_KEY_DENIED"],
      step("left_click_drag", { start_coordinate: [200, 200], coordinate: [300, 300], text: "shift" }),
    ),
    vector(
      "K-054",
      step("left_click", { coordinate: [200, 200], text }),
      ["E_KEY_DENIED"],
      step("left_click", { coordinate: [200, 200], text: "alt" }),
      { twinCap: "altPointer" },
    ),
  ]),
];

export const KEY_VECTORS: readonly Vector[] = [...ROWS.flatMap(expand), ...alone];
