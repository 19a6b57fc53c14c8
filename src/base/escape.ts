// One escaping function for every text that a person or a terminal reads but somebody else wrote.
// What it returns has no control, bidi, zero-width, tag, variation or other invisible character, and no lone
// surrogate; each is shown as \u{hex}.

// Cc, Cf, Cs (lone surrogates), Zl, Zp, unassigned and private use, tags and variation selectors, what is invisible
// where it is not supported, and every blank but the plain space.
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u00a0\u115f\u1160\u1680\u180e\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/gu;

function show(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The text with every invisible or reordering character made visible; printable characters of any script stay. */
export function escapeText(text: string): string {
  return text.replace(INVISIBLE, show);
}

/** As `escapeText`, in double quotes, with quotes and backslashes escaped and cut to `limit` code points. */
export function quoteText(text: string, limit = 80): string {
  // Cut before anything else is done with it, since the text may be as long as a reply.
  let end = 0;
  let points = 0;
  for (const point of text) {
    if (points < limit) end += point.length;
    points += 1;
  }
  const escaped = escapeText(text.slice(0, end).replace(/["\\]/g, "\\$&"));
  return points > limit ? `"${escaped}"… (${points} characters)` : `"${escaped}"`;
}

/** A short, safe description of any value, for error messages: never throws, never runs a getter of the value. */
export function describeValue(value: unknown, limit = 80): string {
  switch (typeof value) {
    case "string":
      return quoteText(value, limit);
    case "bigint":
      return `${value}n`;
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "symbol":
      return "a symbol";
    case "function":
      return "a function";
    default:
      if (value === null) return "null";
      if (Array.isArray(value)) return `an array of ${value.length}`;
      return "an object";
  }
}
