// What may not be written down, in one place: declared secrets in every text, the run's typed texts in free words,
// and the digests of texts that are withheld. Everything that a run writes, shows or reports goes through here.
import type { JsonValue } from "../../base/canonical-json.js";
import { DIGEST_PATTERN, type Digest, keyedDigest, randomKey } from "../../base/digest.js";
import { escapeText } from "../../base/escape.js";
import { Mask } from "../../base/mask.js";
import { formsOf, isPartOfFormat, requireSecrets, SECRET_LIMITS, VOCABULARY } from "./secrets.js";

export const SECRET_MARK = "[secret]";
export const TYPED_MARK = "[typed]";

/** Typed texts that are remembered, so that a run which types for hours needs no more memory for it. */
const TYPED_MAX = 2000;
const TYPED_CHARACTERS_MAX = 200_000;

/** Nothing of ours is nested deeper, and a reply that is cannot be sent back anyway. */
const DEPTH_MAX = 100;
const TOO_DEEP = "[withheld: nested too deeply]";

/** Fields of records and events that hold words of ours, of a model or of an agent, as opposed to names and ids. */
const FREE_TEXT = new Set(["reason", "message", "detail", "text", "summary", "untrustedText"]);

/** Where in a value a member is. */
interface Place {
  readonly withTyped: boolean;
  readonly key: string;
  readonly depth: number;
}

export class Redactor {
  readonly #secrets = new Mask(SECRET_MARK);
  readonly #typed = new Mask(TYPED_MARK);
  readonly #typedTexts = new Set<string>();
  #typedCharacters = 0;
  /** Of this run alone, and never written: without it nobody can find a short text by trying. */
  readonly #key = randomKey();

  /** @throws ConfigurationError E_SPEC for what cannot be a secret; the message holds none. */
  constructor(secrets?: unknown) {
    this.addSecrets(requireSecrets(secrets));
  }

  /** Masks these from now on. What is too short to be told from ordinary text is left out. */
  addSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if ([...secret].length >= SECRET_LIMITS.leastCharacters && !isPartOfFormat(secret))
        this.#secrets.add(formsOf(secret));
    }
  }

  /** From now on this text, which was or will be typed, is masked in free words. */
  noteTyped(text: string): void {
    if (this.#typedTexts.has(text) || this.#typedTexts.size >= TYPED_MAX) return;
    if (this.#typedCharacters + text.length > TYPED_CHARACTERS_MAX) return;
    this.#typedTexts.add(text);
    this.#typedCharacters += text.length;
    if (isPartOfFormat(text)) return;
    const json = JSON.stringify(text).slice(1, -1);
    this.#typed.add([text, escapeText(text), escapeText(text.replace(/["\\]/g, "\\$&")), json]);
  }

  /** A text without declared secrets. */
  text(text: string): string {
    return this.#secrets.apply(text);
  }

  /** Words without declared secrets and without what the run typed. */
  words(text: string): string {
    return this.#typed.apply(this.text(text));
  }

  /** Several pieces of words, read as one text. */
  wordsTogether(texts: readonly string[]): string[] {
    return this.#typed.applyTogether(this.#secrets.applyTogether(texts));
  }

  /** A text, also read without its line ends: with those the blocks of a reply are joined. */
  #lines(text: string, withTyped: boolean): string {
    const masked = withTyped ? this.words(text) : this.text(text);
    if (!masked.includes("\n")) return masked;
    const lines = this.#secrets.applyTogether(masked.split("\n"));
    return (withTyped ? this.#typed.applyTogether(lines) : lines).join("\n");
  }

  /** Whether a text holds a declared secret. */
  finds(text: string): boolean {
    return this.#secrets.occursIn(text);
  }

  /** Masks a text that comes in pieces. */
  stream(): { push(piece: string): string; flush(): string } {
    return this.#secrets.stream();
  }

  /** A JSON value with every text in it masked, keys included; its structure stays. */
  value<T>(value: T): T {
    return this.#value(value as JsonValue, { withTyped: false, key: "", depth: DEPTH_MAX }) as T;
  }

  /** As `value`; the fields that hold free words lose what the run typed, too. */
  record<T>(value: T): T {
    return this.#value(value as JsonValue, { withTyped: true, key: "", depth: DEPTH_MAX }) as T;
  }

  /** The digest of a withheld text under the run's own key: equal for equal texts, and of no use to who guesses. */
  keyed(digest: string): Digest {
    return keyedDigest(this.#key, digest);
  }

  #value(value: JsonValue, at: Place): JsonValue {
    if (typeof value === "string") {
      if (VOCABULARY.has(value) || DIGEST_PATTERN.test(value)) return value;
      return this.#lines(value, at.withTyped && FREE_TEXT.has(at.key));
    }
    if (typeof value !== "object" || value === null) return value;
    if (at.depth === 0) return TOO_DEEP;
    const depth = at.depth - 1;
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#value(item, { ...at, depth }));
    const masked = Object.create(null) as Record<string, JsonValue>;
    for (const [key, member] of Object.entries(value as { [key: string]: JsonValue })) {
      // Key texts in an action's input are no free words.
      const withTyped = at.withTyped && key !== "input";
      masked[freeName(this.text(key), masked)] = this.#value(member, { withTyped, key, depth });
    }
    return { ...masked };
  }
}

/** Two keys that are masked to one stay two. */
function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let free = name;
  for (let number = 2; Object.hasOwn(taken, free); number++) free = `${name}${number}`;
  return free;
}
