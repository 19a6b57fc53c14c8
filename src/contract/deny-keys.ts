// Deny-lists over chords. A chord is compared as a set, in every form that the same key press may take; an entry
// denies every chord that contains it. Rules in docs/security.md, "Keys".
import {
  type Chord,
  canonicalChord,
  explainChordProblem,
  formatChord,
  keypadTwinsOf,
  type Modifier,
  parseChord,
  shiftedKeyOf,
  unshiftedKeyOf,
} from "./keys.js";

/** ASCII control aliases: the chord, and the keys it stands for in a terminal or a toolkit. */
const CONTROL_ALIASES: readonly (readonly [readonly Modifier[], string, readonly string[]])[] = [
  [["ctrl"], "m", ["Return"]],
  [["ctrl"], "j", ["Return"]],
  [["ctrl"], "i", ["Tab"]],
  [["ctrl"], "bracketleft", ["Escape"]],
  [["ctrl"], "3", ["Escape"]],
  [["ctrl"], "h", ["BackSpace"]],
  [["ctrl"], "question", ["BackSpace", "Delete"]],
  [["ctrl"], "8", ["BackSpace", "Delete"]],
  // Hexadecimal entry of input methods composes any character, these included.
  [["ctrl", "shift"], "u", ["Return", "Tab", "Escape", "BackSpace", "Delete"]],
];

/** Denied in every cap unless `allowKeys` names them; canonical. */
export const DEFAULT_DENY_KEYS: readonly string[] = [
  "ctrl+alt+Delete",
  "ctrl+alt+BackSpace",
  ...Array.from({ length: 12 }, (_, index) => `ctrl+alt+F${index + 1}`),
  "alt+F4",
  "alt+Tab",
  "super",
  "Print",
  "Sys_Req",
];

/** Chords that bring in what someone else put on the clipboard or selected. */
const PASTE_CHORDS: readonly ReadonlySet<string>[] = [
  new Set(["ctrl", "v"]),
  new Set(["shift", "Insert"]),
  new Set(["super", "v"]),
];

/** The chord as a set of modifier and key names, and every set that the same key press may amount to. */
export function chordFamily(chord: Chord): ReadonlySet<string>[] {
  const seen = new Map<string, ReadonlySet<string>>();
  const queue: { modifiers: ReadonlySet<Modifier>; key: string | undefined }[] = [];
  const push = (modifiers: ReadonlySet<Modifier>, key: string | undefined) => {
    const set = new Set<string>([...modifiers, ...(key === undefined ? [] : [key])]);
    const id = [...set].sort().join("+");
    if (seen.has(id)) return;
    seen.set(id, set);
    queue.push({ modifiers, key });
  };
  push(new Set(chord.modifiers), chord.key);
  for (let item = queue.shift(); item; item = queue.shift()) {
    const { modifiers, key } = item;
    if (key === undefined) continue;
    for (const twin of keypadTwinsOf(key)) push(modifiers, twin);
    const below = unshiftedKeyOf(key);
    if (below !== undefined) push(new Set<Modifier>([...modifiers, "shift"]), below);
    const above = shiftedKeyOf(key);
    if (above !== undefined && modifiers.has("shift")) {
      push(new Set([...modifiers].filter((modifier) => modifier !== "shift")), above);
    }
    for (const [needed, base, targets] of CONTROL_ALIASES) {
      if (key !== base || !needed.every((modifier) => modifiers.has(modifier))) continue;
      const rest = new Set([...modifiers].filter((modifier) => !needed.includes(modifier)));
      for (const target of targets) push(rest, target);
    }
  }
  return [...seen.values()];
}

function isSubset(inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean {
  for (const item of inner) if (!outer.has(item)) return false;
  return true;
}

/** A deny-list made ready: each entry a set of names, with its canonical text. */
export interface DenyList {
  readonly entries: readonly { readonly text: string; readonly set: ReadonlySet<string> }[];
}

/**
 * Makes a deny-list from canonical chord texts.
 * @throws RangeError when an entry is not in the key table: a bad entry must fail the load, not deny nothing.
 */
export function denyListOf(texts: readonly string[]): DenyList {
  return {
    entries: texts.map((text) => {
      const parsed = parseChord(text);
      if (!parsed.ok) throw new RangeError(`deny-list entry ${text}: ${explainChordProblem(parsed.problem)}`);
      const { modifiers, key } = parsed.chord;
      return {
        text: formatChord(parsed.chord),
        set: new Set<string>([...modifiers, ...(key === undefined ? [] : [key])]),
      };
    }),
  };
}

/**
 * The deny entry that a chord falls under, or undefined. An entry denies every chord that contains it, in every
 * form the same press may take; `held` are names of keys already down.
 */
export function findDenied(chord: Chord, deny: DenyList, held: readonly string[] = []): string | undefined {
  for (const member of chordFamily(chord)) {
    const effective = held.length > 0 ? new Set([...member, ...held]) : member;
    const hit = deny.entries.find((entry) => isSubset(entry.set, effective));
    if (hit) return hit.text;
  }
  return undefined;
}

/** Whether a chord pastes, and so needs `computer.clipboard.read` besides the keyboard. */
export function isPasteChord(chord: Chord): boolean {
  return chordFamily(chord).some((member) => PASTE_CHORDS.some((paste) => isSubset(paste, member)));
}

/** Canonical, sorted, without repeats: defaults and own entries, less the allowed ones. All texts must parse. */
export function effectiveDenyKeys(own: readonly string[], allowed: readonly string[]): string[] {
  const off = new Set(allowed.map(canonicalChord));
  return [...new Set([...DEFAULT_DENY_KEYS, ...own.map(canonicalChord)])]
    .filter((text) => !off.has(text))
    .sort();
}
