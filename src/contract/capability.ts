// Capability words: a closed, hierarchical vocabulary. A word grants itself and every word below it; a capability
// text is words joined by `+`. Grammar after Mighty's `std.computer` (see docs/origins.md).
import { closestName } from "../base/closest.js";

/** Every word, parents before children, with what it grants. */
export const CAPABILITY_WORDS = {
  "computer.screen": "screenshot, zoom, cursor position, display size, window list, accessibility tree",
  "computer.input": "pointer and keyboard",
  "computer.input.pointer": "move, click, drag, scroll, button down and up",
  "computer.input.keyboard": "type, key, hold key",
  "computer.clipboard": "read and write the clipboard",
  "computer.clipboard.read": "read the clipboard, paste, middle click",
  "computer.clipboard.write": "write the clipboard",
  "computer.windows": "set a window's frame, invoke a menu, activate a window",
  "computer.spawn": "start child agents, whose caps must lie within the parent's",
} as const;

/** A word of the closed vocabulary. It grants itself and every word below it. */
export type CapabilityWord = keyof typeof CAPABILITY_WORDS;

export const CAPABILITY_WORD_LIST = Object.keys(CAPABILITY_WORDS) as readonly CapabilityWord[];

/** The words that have no word below them: what a grant comes down to. */
export const LEAF_WORDS: readonly CapabilityWord[] = CAPABILITY_WORD_LIST.filter(
  (word) => !CAPABILITY_WORD_LIST.some((other) => other.startsWith(`${word}.`)),
);

/** Whether a value is a word of the vocabulary. */
export function isCapabilityWord(value: string): value is CapabilityWord {
  return Object.hasOwn(CAPABILITY_WORDS, value);
}

/** Whether `granted` is `needed` or stands above it. */
export function wordCovers(granted: CapabilityWord, needed: CapabilityWord): boolean {
  return granted === needed || needed.startsWith(`${granted}.`);
}

/** Whether the words together grant the needed word: one covers it, or all the leaves below it are granted. */
export function wordsCover(granted: readonly CapabilityWord[], needed: CapabilityWord): boolean {
  if (granted.some((word) => wordCovers(word, needed))) return true;
  const leaves = LEAF_WORDS.filter((leaf) => leaf !== needed && wordCovers(needed, leaf));
  return leaves.length > 0 && leaves.every((leaf) => granted.some((word) => wordCovers(word, leaf)));
}

/** Whether every word of `inner` is granted by `outer`: the order of the lattice. */
export function isWithin(inner: readonly CapabilityWord[], outer: readonly CapabilityWord[]): boolean {
  return inner.every((word) => wordsCover(outer, word));
}

/** Sorted, without repeats and without words that another one covers. */
export function canonicalWords(words: readonly CapabilityWord[]): CapabilityWord[] {
  const unique = [...new Set(words)].sort();
  return unique.filter((word) => !unique.some((other) => other !== word && wordCovers(other, word)));
}

/** The canonical text: canonical words with ` + ` between them. */
export function formatCapability(words: readonly CapabilityWord[]): string {
  return canonicalWords(words).join(" + ");
}

export type CapabilityProblem =
  | { readonly kind: "blank" }
  | { readonly kind: "syntax"; readonly part: string }
  | { readonly kind: "unknown"; readonly part: string; readonly suggestion: CapabilityWord | undefined };

/** A word that adds nothing: said before, or covered by another word of the text. */
export interface RedundantWord {
  readonly word: CapabilityWord;
  readonly reason: "repeated" | "covered";
  readonly by: CapabilityWord;
}

export type ParsedCapability =
  | {
      readonly ok: true;
      readonly words: readonly CapabilityWord[];
      readonly canonical: string;
      readonly redundant: readonly RedundantWord[];
    }
  | { readonly ok: false; readonly problem: CapabilityProblem };

const WORD_SYNTAX = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

function suggestWord(part: string): CapabilityWord | undefined {
  const tail = part.toLowerCase().replace(/^computer\./, "");
  const byTail = CAPABILITY_WORD_LIST.find((word) => word.endsWith(`.${tail}`));
  const close = closestName(part, CAPABILITY_WORD_LIST);
  return byTail ?? (close !== undefined && isCapabilityWord(close) ? close : undefined);
}

function redundantWords(words: readonly CapabilityWord[]): RedundantWord[] {
  const found: RedundantWord[] = [];
  // The different words are few, however long a hostile text is.
  const different = [...new Set(words)];
  const seen = new Set<CapabilityWord>();
  for (const word of words) {
    const by = seen.has(word) ? word : different.find((other) => other !== word && wordCovers(other, word));
    if (by) found.push({ word, reason: by === word ? "repeated" : "covered", by });
    seen.add(word);
  }
  return found;
}

/** Reads a capability text. Never throws; the first problem from the left is the one returned. */
export function parseCapability(text: string): ParsedCapability {
  if (text.trim() === "") return { ok: false, problem: { kind: "blank" } };
  const words: CapabilityWord[] = [];
  for (const raw of text.split("+")) {
    const part = raw.trim();
    if (!WORD_SYNTAX.test(part)) return { ok: false, problem: { kind: "syntax", part } };
    if (!isCapabilityWord(part)) {
      return { ok: false, problem: { kind: "unknown", part, suggestion: suggestWord(part) } };
    }
    words.push(part);
  }
  return { ok: true, words, canonical: formatCapability(words), redundant: redundantWords(words) };
}
