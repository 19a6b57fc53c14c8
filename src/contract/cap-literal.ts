// The literal type of a capability text: a wrong word is a compile error whose text lists the vocabulary.
import type { CAPABILITY_WORDS } from "./capability.js";

type Blank = " " | "\n" | "\t" | "\r";
type TrimStart<T extends string> = T extends `${Blank}${infer Rest}` ? TrimStart<Rest> : T;
type TrimEnd<T extends string> = T extends `${infer Rest}${Blank}` ? TrimEnd<Rest> : T;
type Trim<T extends string> = TrimStart<TrimEnd<T>>;

/** True for `string` and for template patterns, which only the checker and the run can judge. */
type IsPattern<T extends string> = T extends `${infer Head}${infer Rest}`
  ? string extends Head
    ? true
    : IsPattern<Rest>
  : T extends ""
    ? false
    : true;

/**
 * `Text` itself when every word is in the vocabulary or the text is not a literal; otherwise the texts that would
 * have been right at the first wrong word. Written without a named union, so that an error shows the words.
 */
export type CapLiteral<Text extends string, Done extends string = ""> =
  IsPattern<Text> extends true
    ? Text
    : Text extends `${infer Head}+${infer Rest}`
      ? Trim<Head> extends keyof typeof CAPABILITY_WORDS
        ? CapLiteral<Rest, `${Done}${Trim<Head>} + `> extends infer Tail
          ? Tail extends Rest
            ? Text
            : Tail
          : never
        : `${Done}${keyof typeof CAPABILITY_WORDS}`
      : Trim<Text> extends keyof typeof CAPABILITY_WORDS
        ? Text
        : `${Done}${keyof typeof CAPABILITY_WORDS}`;
