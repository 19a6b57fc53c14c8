// A command as one text, split into words without a shell: blanks separate, quotes join, a backslash takes the next
// character as it is. Nothing is expanded; what a shell would act on is refused when it stands unquoted.
import { quoteText } from "../../base/escape.js";

export type CommandReading =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const SHELL_ONLY = new Set(["|", "&", ";", "<", ">", "(", ")", "$", "`", "\n", "\r"]);

interface Scan {
  readonly words: string[];
  word: string | undefined;
  quote: "'" | '"' | undefined;
}

function endWord(scan: Scan): void {
  if (scan.word !== undefined) scan.words.push(scan.word);
  scan.word = undefined;
}

/** Splits a command line into words. */
export function splitCommand(text: string): CommandReading {
  const scan: Scan = { words: [], word: undefined, quote: undefined };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\0") return { ok: false, reason: "it holds a NUL character" };
    if (character === "\\" && scan.quote !== "'") {
      const next = text[at + 1];
      if (next === undefined) return { ok: false, reason: "it ends in a backslash" };
      // Inside double quotes a backslash is special before these only, as in a shell.
      const literal = scan.quote === '"' && !'"\\$`'.includes(next);
      scan.word = (scan.word ?? "") + (literal ? `\\${next}` : next);
      at += 1;
    } else if (scan.quote !== undefined) {
      if (character === scan.quote) scan.quote = undefined;
      else scan.word = (scan.word ?? "") + character;
    } else if (character === "'" || character === '"') {
      scan.quote = character;
      scan.word ??= "";
    } else if (character === " " || character === "\t") {
      endWord(scan);
    } else if (SHELL_ONLY.has(character)) {
      return {
        ok: false,
        reason: `${quoteText(character)} means something to a shell, and none is used; quote it, or name a script`,
      };
    } else {
      scan.word = (scan.word ?? "") + character;
    }
  }
  if (scan.quote !== undefined) return { ok: false, reason: `a ${scan.quote} is never closed` };
  endWord(scan);
  if (scan.words.length === 0 || scan.words[0] === "") return { ok: false, reason: "it names no program" };
  return { ok: true, words: scan.words };
}
