// The key table: the only names under which a key may be asked for, denied or pressed. A chord is a set of
// modifiers and at most one base key. Gate and drivers share this file; what is not in it is unknown.
// Keysym numbers are X11's (X.Org keysymdef.h); rules after docs/security.md, "Keys".
import { LIMITS } from "./limits.js";

export type Modifier = "ctrl" | "alt" | "shift" | "super";

/** The order in which modifiers are written and pressed. */
export const MODIFIERS: readonly Modifier[] = ["ctrl", "alt", "shift", "super"];

/** X11 keysym of the left key of each modifier. */
export const MODIFIER_KEYSYMS: Readonly<Record<Modifier, number>> = {
  ctrl: 0xffe3,
  alt: 0xffe9,
  shift: 0xffe1,
  super: 0xffeb,
};

export interface Chord {
  /** In the order of `MODIFIERS`, without repeats. */
  readonly modifiers: readonly Modifier[];
  /** Canonical id of the base key; absent for a chord of modifiers only. */
  readonly key?: string;
}

interface KeyEntry {
  readonly id: string;
  readonly keysym: number;
  /** The character it types alone, when it types one. */
  readonly character?: string;
  /** Known, but no driver can press it faithfully. */
  readonly unsupported?: true;
}

const entries = new Map<string, KeyEntry>();
const aliases = new Map<string, string>();
const modifierNames = new Map<string, Modifier>();
const characters = new Map<string, string>();

function add(entry: KeyEntry, ...names: string[]): void {
  entries.set(entry.id, entry);
  for (const name of [entry.id, ...names]) aliases.set(name.toLowerCase(), entry.id);
  if (entry.character !== undefined) characters.set(entry.character, entry.id);
}

for (const [modifier, names] of Object.entries({
  ctrl: ["control", "ctl", "control_l", "control_r", "ctrl_l", "ctrl_r"],
  alt: ["alt_l", "alt_r", "option", "opt"],
  shift: ["shift_l", "shift_r"],
  super: [
    "super_l",
    "super_r",
    "meta",
    "meta_l",
    "meta_r",
    "cmd",
    "command",
    "win",
    "windows",
    "os",
    "hyper",
    "hyper_l",
    "hyper_r",
  ],
} satisfies Record<Modifier, string[]>)) {
  for (const name of [modifier, ...names]) modifierNames.set(name, modifier as Modifier);
}

for (const letter of "abcdefghijklmnopqrstuvwxyz") {
  add({ id: letter, keysym: letter.charCodeAt(0), character: letter });
}
for (const digit of "0123456789") add({ id: digit, keysym: digit.charCodeAt(0), character: digit });

/** Punctuation: X11 name, character, and the key that gives it with Shift on a US layout. */
const PUNCTUATION: readonly (readonly [string, string, string?])[] = [
  ["space", " "],
  ["minus", "-"],
  ["equal", "="],
  ["bracketleft", "["],
  ["bracketright", "]"],
  ["backslash", "\\"],
  ["semicolon", ";"],
  ["apostrophe", "'"],
  ["grave", "`"],
  ["comma", ","],
  ["period", "."],
  ["slash", "/"],
  ["exclam", "!", "1"],
  ["at", "@", "2"],
  ["numbersign", "#", "3"],
  ["dollar", "$", "4"],
  ["percent", "%", "5"],
  ["asciicircum", "^", "6"],
  ["ampersand", "&", "7"],
  ["asterisk", "*", "8"],
  ["parenleft", "(", "9"],
  ["parenright", ")", "0"],
  ["underscore", "_", "minus"],
  ["plus", "+", "equal"],
  ["braceleft", "{", "bracketleft"],
  ["braceright", "}", "bracketright"],
  ["bar", "|", "backslash"],
  ["colon", ":", "semicolon"],
  ["quotedbl", '"', "apostrophe"],
  ["asciitilde", "~", "grave"],
  ["less", "<", "comma"],
  ["greater", ">", "period"],
  ["question", "?", "slash"],
];
/** shifted key → the key below it on a US layout, and back. */
const shiftedOf = new Map<string, string>();
const unshiftedOf = new Map<string, string>();
for (const [id, character, base] of PUNCTUATION) {
  add({ id, keysym: character.charCodeAt(0), character });
  if (base !== undefined) {
    unshiftedOf.set(id, base);
    shiftedOf.set(base, id);
  }
}

const NAMED: readonly (readonly [string, number, ...string[]])[] = [
  ["Return", 0xff0d, "enter"],
  ["Tab", 0xff09],
  ["Escape", 0xff1b, "esc"],
  ["BackSpace", 0xff08, "back_space"],
  ["Delete", 0xffff, "del"],
  ["Insert", 0xff63, "ins"],
  ["Home", 0xff50],
  ["End", 0xff57],
  ["Page_Up", 0xff55, "pageup", "pgup", "prior"],
  ["Page_Down", 0xff56, "pagedown", "pgdn", "pgdown", "next"],
  ["Up", 0xff52, "arrowup", "arrow_up", "uparrow"],
  ["Down", 0xff54, "arrowdown", "arrow_down", "downarrow"],
  ["Left", 0xff51, "arrowleft", "arrow_left", "leftarrow"],
  ["Right", 0xff53, "arrowright", "arrow_right", "rightarrow"],
  ["Menu", 0xff67],
  ["Print", 0xff61, "printscreen", "print_screen", "prtsc"],
  ["Sys_Req", 0xff15, "sysreq"],
];
for (const [id, keysym, ...names] of NAMED) add({ id, keysym }, ...names);
for (const [name, id] of [
  ["spacebar", "space"],
  ["dot", "period"],
  ["quote", "apostrophe"],
  ["tilde", "asciitilde"],
  ["hyphen", "minus"],
  ["equals", "equal"],
] as const) {
  aliases.set(name, id);
}
for (let n = 1; n <= 24; n++) {
  const keysym = 0xffbe + n - 1;
  add(n <= 12 ? { id: `F${n}`, keysym } : { id: `F${n}`, keysym, unsupported: true });
}
for (let n = 1; n <= 4; n++) aliases.set(`kp_f${n}`, `F${n}`);
// Known so that the refusal can say why: libraries below us drop these or die of them (docs/security.md).
for (const [id, keysym] of [
  ["Pause", 0xff13],
  ["Clear", 0xff0b],
  ["AudioRandom", 0x1008ff99],
  ["AudioRepeat", 0x1008ff98],
] as const) {
  add({ id, keysym, unsupported: true });
}

/** Keypad keys, each with the keys that the same physical key can be, depending on NumLock. */
const KEYPAD: readonly (readonly [string, number, ...string[]])[] = [
  ["KP_0", 0xffb0, "0", "Insert"],
  ["KP_1", 0xffb1, "1", "End"],
  ["KP_2", 0xffb2, "2", "Down"],
  ["KP_3", 0xffb3, "3", "Page_Down"],
  ["KP_4", 0xffb4, "4", "Left"],
  ["KP_5", 0xffb5, "5"],
  ["KP_6", 0xffb6, "6", "Right"],
  ["KP_7", 0xffb7, "7", "Home"],
  ["KP_8", 0xffb8, "8", "Up"],
  ["KP_9", 0xffb9, "9", "Page_Up"],
  ["KP_Decimal", 0xffae, "period", "Delete"],
  ["KP_Add", 0xffab, "plus"],
  ["KP_Subtract", 0xffad, "minus"],
  ["KP_Multiply", 0xffaa, "asterisk"],
  ["KP_Divide", 0xffaf, "slash"],
  ["KP_Equal", 0xffbd, "equal"],
  ["KP_Enter", 0xff8d, "Return"],
  ["KP_Tab", 0xff89, "Tab"],
  ["KP_Space", 0xff80, "space"],
  ["KP_Delete", 0xff9f, "Delete", "period"],
  ["KP_Insert", 0xff9e, "Insert", "0"],
  ["KP_Home", 0xff95, "Home", "7"],
  ["KP_End", 0xff9c, "End", "1"],
  ["KP_Up", 0xff97, "Up", "8"],
  ["KP_Down", 0xff99, "Down", "2"],
  ["KP_Left", 0xff96, "Left", "4"],
  ["KP_Right", 0xff98, "Right", "6"],
  ["KP_Page_Up", 0xff9a, "Page_Up", "9"],
  ["KP_Page_Down", 0xff9b, "Page_Down", "3"],
];
const keypadTwins = new Map<string, readonly string[]>();
for (const [id, keysym, ...twins] of KEYPAD) {
  add({ id, keysym });
  keypadTwins.set(id, twins);
}
aliases.set("kp_prior", "KP_Page_Up");
aliases.set("kp_next", "KP_Page_Down");

export type ChordProblem =
  | { readonly kind: "unknown"; readonly token: string }
  | { readonly kind: "unsupported"; readonly key: string }
  | { readonly kind: "too_big"; readonly what: string }
  | { readonly kind: "two_keys"; readonly keys: readonly [string, string] }
  | { readonly kind: "empty" };

export type ParsedChord =
  | { readonly ok: true; readonly chord: Chord }
  | { readonly ok: false; readonly problem: ChordProblem };

const TOKEN = /^[A-Za-z0-9_]+$/;

/**
 * Reads a key text: ASCII names joined by single `+`, letter case free. Unknown, empty or non-ASCII tokens refuse
 * the whole chord; nothing is trimmed, split or guessed.
 */
export function parseChord(text: string): ParsedChord {
  if (text === "") return { ok: false, problem: { kind: "empty" } };
  if (text.length > LIMITS.keyTextMaxCharacters) {
    return { ok: false, problem: { kind: "too_big", what: `${text.length} characters` } };
  }
  const tokens = text.split("+");
  const modifiers = new Set<Modifier>();
  const keys: string[] = [];
  for (const token of tokens) {
    // Lower-casing is safe here: the token is ASCII, and toLowerCase knows no locale.
    const name = TOKEN.test(token) ? token.toLowerCase() : undefined;
    const modifier = name === undefined ? undefined : modifierNames.get(name);
    const key = name === undefined ? undefined : aliases.get(name);
    if (modifier) modifiers.add(modifier);
    else if (key) keys.push(key);
    else return { ok: false, problem: { kind: "unknown", token } };
  }
  if (tokens.length > LIMITS.keyTokensMax) {
    return { ok: false, problem: { kind: "too_big", what: `${tokens.length} keys` } };
  }
  const [key, second] = keys;
  if (key !== undefined && second !== undefined)
    return { ok: false, problem: { kind: "two_keys", keys: [key, second] } };
  if (key !== undefined && entries.get(key)?.unsupported)
    return { ok: false, problem: { kind: "unsupported", key } };
  const ordered = MODIFIERS.filter((modifier) => modifiers.has(modifier));
  return { ok: true, chord: key === undefined ? { modifiers: ordered } : { modifiers: ordered, key } };
}

/** The canonical text of a chord: modifiers in fixed order, then the base key. */
export function formatChord(chord: Chord): string {
  return [...chord.modifiers, ...(chord.key === undefined ? [] : [chord.key])].join("+");
}

/** A sentence on what is wrong with a key text, without the text itself. */
export function explainChordProblem(problem: ChordProblem): string {
  switch (problem.kind) {
    case "empty":
      return "a key text must not be empty";
    case "too_big":
      return `a key text has at most ${LIMITS.keyTextMaxCharacters} characters and ${LIMITS.keyTokensMax} keys, this one has ${problem.what}`;
    case "two_keys":
      return `a chord has at most one key beside its modifiers, this one has ${problem.keys[0]} and ${problem.keys[1]}`;
    case "unsupported":
      return `no driver can press ${problem.key} faithfully`;
    case "unknown":
      return "not in the key table; names are ASCII, joined by single plus signs, such as ctrl+s, Page_Down, plus";
  }
}

/** The keysym of a canonical key id, for drivers; undefined when the table has no such key. */
export function keysymOf(id: string): number | undefined {
  return entries.get(id)?.keysym;
}

/** Every canonical key id that a driver may be asked to press. */
export function pressableKeys(): string[] {
  return [...entries.values()].filter((entry) => !entry.unsupported).map((entry) => entry.id);
}

/** The canonical id of a character's own key, when the table has one; upper-case letters are their lower-case key. */
export function keyOfCharacter(
  character: string,
): { readonly key: string; readonly shift: boolean } | undefined {
  if (character === "\n") return { key: "Return", shift: false };
  if (character === "\t") return { key: "Tab", shift: false };
  const key = characters.get(character);
  if (key !== undefined) return { key, shift: false };
  if (/^[A-Z]$/.test(character)) return { key: character.toLowerCase(), shift: true };
  return undefined;
}

/** The canonical text of a key text. @throws RangeError when it is not in the key table. */
export function canonicalChord(text: string): string {
  const parsed = parseChord(text);
  if (!parsed.ok) throw new RangeError(`key ${text}: ${explainChordProblem(parsed.problem)}`);
  return formatChord(parsed.chord);
}

/** The keys that the same keypad key can be, depending on NumLock; none for other keys. */
export function keypadTwinsOf(id: string): readonly string[] {
  return keypadTwins.get(id) ?? [];
}

/** The key that gives this one with Shift on a US layout, such as `equal` for `plus`. */
export function unshiftedKeyOf(id: string): string | undefined {
  return unshiftedOf.get(id);
}

/** What this key gives with Shift on a US layout, such as `plus` for `equal`. */
export function shiftedKeyOf(id: string): string | undefined {
  return shiftedOf.get(id);
}
