// What text may be typed: printable characters only. Controls, every Unicode line break but \n, bidi, zero-width
// and other invisible characters, tags, variation selectors and lone surrogates are never typed. \n and \t stand
// for keys and are judged by the deny-list. Nothing is normalised: what was approved is what is typed.
import { LIMITS } from "./limits.js";

// Controls, format characters, lone surrogates, line and paragraph separators, noncharacters, and whatever is
// invisible where it is not supported: fillers, tags, variation selectors, and code points reserved for more of them.
const FORBIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u;

/** The first character that may never be typed, `\n` and `\t` set aside; undefined when there is none. */
export function findForbiddenCharacter(
  text: string,
): { readonly codePoint: number; readonly at: number } | undefined {
  let at = 0;
  for (const character of text) {
    if (character !== "\n" && character !== "\t" && FORBIDDEN.test(character)) {
      return { codePoint: character.codePointAt(0) ?? 0, at };
    }
    at += 1;
  }
  return undefined;
}

/** The number of code points, counted no further than one past the limit. */
export function countCodePoints(text: string, limit: number = LIMITS.textMaxCodePoints): number {
  // A code point is at most two code units, so a text this long is over the limit without counting.
  if (text.length > 2 * limit) return limit + 1;
  let count = 0;
  for (const _ of text) if (++count > limit) break;
  return count;
}
