// Replaces given words in texts by a mark. All occurrences count, overlapping ones too, and what several words cover
// together is one mark. Case and spelling are exact: whoever wants other forms of a word covered adds them.

/** Words are found by their first units, so a word has at least as many. */
const HEAD_UNITS = 4;

/** What other code puts where it cut a text. */
const CUT = "…";
/** Cuts of one text that are looked at, and the longest text in which they are: records and messages, not documents. */
const CUTS_MAX = 16;
const CUT_TEXT_MAX = 8192;

/** From (inclusive) and to (exclusive), in UTF-16 units. */
interface Span {
  from: number;
  to: number;
}

export class Mask {
  readonly #mark: string;
  /** By their first units; the longest first. */
  readonly #byHead = new Map<string, string[]>();
  /** Beginnings of words that are shorter than a head. */
  readonly #starts = new Set<string>();
  /** Which units begin a word. */
  readonly #first = new Uint8Array(0x10000);
  #longest = 0;

  constructor(mark: string, words: Iterable<string> = []) {
    this.#mark = mark;
    this.add(words);
  }

  get isEmpty(): boolean {
    return this.#longest === 0;
  }

  /** From now on these words are masked too. Those shorter than four units are not taken. */
  add(words: Iterable<string>): void {
    for (const word of words) {
      if (word.length < HEAD_UNITS) continue;
      const head = word.slice(0, HEAD_UNITS);
      const known = this.#byHead.get(head) ?? [];
      if (known.includes(word)) continue;
      known.push(word);
      known.sort((a, b) => b.length - a.length);
      this.#byHead.set(head, known);
      for (let units = 1; units < HEAD_UNITS; units++) this.#starts.add(word.slice(0, units));
      this.#first[word.charCodeAt(0)] = 1;
      this.#longest = Math.max(this.#longest, word.length);
    }
  }

  /** Whether a word occurs. */
  occursIn(text: string): boolean {
    return this.#spansOf(text).length > 0;
  }

  /** The text with every word masked, and with what is left of one that another hand cut short by "…". */
  apply(text: string): string {
    if (this.isEmpty) return text;
    return this.#replace(text, merged([...this.#spansOf(text), ...this.#cutSpans(text)]));
  }

  /** Several texts as if they were one: a word that goes from one into the next is masked in both. */
  applyTogether(texts: readonly string[]): string[] {
    if (this.isEmpty) return [...texts];
    const spans = this.#spansOf(texts.join(""));
    let start = 0;
    return texts.map((text) => {
      const end = start + text.length;
      const own = spans
        .filter(({ from, to }) => Math.max(from, start) < Math.min(to, end))
        .map(({ from, to }) => ({ from: Math.max(from, start) - start, to: Math.min(to, end) - start }));
      start = end;
      return this.#replace(text, own);
    });
  }

  /** Masks a text that comes in pieces. What may be the beginning of a word is held back until it is known. */
  stream(): MaskStream {
    return new MaskStream(
      (text) => this.#openEnd(text),
      (text) => this.apply(text),
    );
  }

  #spansOf(text: string): Span[] {
    const spans: Span[] = [];
    for (let at = 0; at + HEAD_UNITS <= text.length; at++) {
      if (this.#first[text.charCodeAt(at)] !== 1) continue;
      const word = this.#byHead
        .get(text.slice(at, at + HEAD_UNITS))
        ?.find((candidate) => text.startsWith(candidate, at));
      if (word === undefined) continue;
      const last = spans.at(-1);
      if (last && at <= last.to) last.to = Math.max(last.to, at + word.length);
      else spans.push({ from: at, to: at + word.length });
    }
    return spans;
  }

  /** Beginnings of words that stand before a cut, four units or more. */
  #cutSpans(text: string): Span[] {
    if (text.length > CUT_TEXT_MAX) return [];
    const spans: Span[] = [];
    let mark = text.lastIndexOf(CUT);
    for (let cuts = 0; mark !== -1 && cuts < CUTS_MAX; cuts++) {
      // A quoted text is cut before its closing quote.
      const to = text[mark - 1] === '"' ? mark - 1 : mark;
      const from = this.#beginning(text.slice(0, to), HEAD_UNITS);
      if (from !== undefined) spans.push({ from, to });
      mark = mark === 0 ? -1 : text.lastIndexOf(CUT, mark - 1);
    }
    return spans;
  }

  /** Where the longest end of a text starts that begins a word, of `least` units or more. */
  #beginning(text: string, least: number): number | undefined {
    for (let from = Math.max(0, text.length - this.#longest + 1); from + least <= text.length; from++) {
      if (this.#first[text.charCodeAt(from)] !== 1) continue;
      const end = text.slice(from);
      const begins =
        end.length < HEAD_UNITS
          ? this.#starts.has(end)
          : this.#byHead.get(end.slice(0, HEAD_UNITS))?.some((word) => word.startsWith(end));
      if (begins) return from;
    }
    return undefined;
  }

  /** How much of a text can be masked now: all before what may still become a word. */
  #openEnd(text: string): number {
    let end = this.#beginning(text, 1) ?? text.length;
    for (const { from, to } of this.#spansOf(text).reverse()) if (to > end) end = Math.min(end, from);
    return end;
  }

  #replace(text: string, spans: readonly Span[]): string {
    if (spans.length === 0) return text;
    let out = "";
    let done = 0;
    for (const { from, to } of spans) {
      out += text.slice(done, from) + this.#mark;
      done = to;
    }
    return out + text.slice(done);
  }
}

function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else all.push({ ...span });
  }
  return all;
}

export class MaskStream {
  readonly #openEnd: (text: string) => number;
  readonly #apply: (text: string) => string;
  #held = "";

  constructor(openEnd: (text: string) => number, apply: (text: string) => string) {
    this.#openEnd = openEnd;
    this.#apply = apply;
  }

  /** Takes a piece; returns what of the text so far can be shown. */
  push(piece: string): string {
    const text = this.#held + piece;
    const end = this.#openEnd(text);
    this.#held = text.slice(end);
    return this.#apply(text.slice(0, end));
  }

  /** What was held back, once nothing follows. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return this.#apply(rest);
  }
}
