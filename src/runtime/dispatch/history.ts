// The conversation of one loop. Append-only: a message once added is never changed or removed. What a request sends
// is a view of it, and between two prunings each view is the one before with more at its end. A pruning leaves out
// old pictures, in a batch; where the context is full, old answers as well; behind a summary of the server's, all
// that stood before it. Calls and results stay matched, and a reply loses nothing but whole thinking blocks.
import type { Size } from "../../contract/geometry.js";
import { cachePoints, stablePoint } from "./history/cache-points.js";
import { isCompacted } from "./history/compaction.js";
import { countToDrop, PRUNE_LIMITS, type PruneLimits } from "./history/prune-policy.js";
import {
  hasWords,
  imagesOf,
  type NewResult,
  type StoredImage,
  type StoredMessage,
  showUserBlock,
  storedResult,
} from "./history/stored-message.js";
import { isThinking, type ThinkingRule } from "./history/thinking.js";
import type { Message, ReplyBlock, TextBlock } from "./message.js";
import { sentBack } from "./sent-back.js";

export { PRUNE_LIMITS, type PruneLimits } from "./history/prune-policy.js";
export {
  type NewResult,
  OMITTED_RESULT_TEXT,
  OMITTED_TEXT,
  type StoredImage,
  storedImage,
} from "./history/stored-message.js";

/** What a pruning left out, and why. */
export interface Pruned {
  readonly why: "pictures" | "refused" | "context" | "compaction";
  readonly images: number;
  /** Answers whose words are left out. */
  readonly results: number;
  /** Messages that are no longer sent at all. */
  readonly messages: number;
}

interface SentImage {
  readonly image: StoredImage;
  /** Its message's position in the conversation. */
  readonly at: number;
}

interface SentMessage {
  /** Position in the conversation. */
  readonly at: number;
  readonly message: Message;
}

function placeOf(sent: readonly SentMessage[], at: number): number | undefined {
  const place = sent.findIndex((one) => one.at === at);
  return place === -1 ? undefined : place;
}

function usersOf(sent: readonly SentMessage[]): readonly number[] {
  return sent.flatMap(({ message }, index) => (message.role === "user" ? [index] : []));
}

export class History {
  readonly #limits: PruneLimits;
  readonly #thinking: ThinkingRule;
  readonly #messages: StoredMessage[] = [];
  readonly #usedIds = new Set<string>();
  /** Pictures still sent, oldest first. */
  #images: SentImage[] = [];
  /** The message with the latest summary: what stands before it is not sent, but for the words of the first one. */
  #begin = 0;
  /** Messages before this one are sent without their thinking blocks. */
  #thinkingFrom = 0;
  /** Messages before this one are sent with short words for each answer. */
  #resultsFrom = 0;
  /** The stable cache point before the pruning, until the next message. */
  #reuse: number | undefined;
  #compacted: Pruned | undefined;

  constructor(limits: PruneLimits = PRUNE_LIMITS, thinking: ThinkingRule = "goes-with-pictures") {
    this.#limits = limits;
    this.#thinking = thinking;
  }

  /** Ids of all tool calls so far. */
  get usedIds(): ReadonlySet<string> {
    return this.#usedIds;
  }

  /** Sizes of the pictures that are sent. */
  get pictures(): readonly Size[] {
    return this.#images.map(({ image }) => image.size);
  }

  /** Digest of the frame that the newest picture shows, as long as it is sent. */
  get newestFrame(): string | undefined {
    return this.#images.at(-1)?.image.frame;
  }

  /** Adds plain blocks of ours: the goal, a nudge, a picture. */
  addUser(blocks: readonly (TextBlock | StoredImage)[]): void {
    this.#push({ role: "user", content: blocks });
  }

  /** Adds the answers to the calls of the last reply, results first, then `after`. */
  addResults(results: readonly NewResult[], after: readonly (TextBlock | StoredImage)[] = []): void {
    this.#push({ role: "user", content: [...results.map(storedResult), ...after] });
  }

  /** Adds a reply as it came, but for what is empty: the API takes no blank text and no empty assistant message. */
  addReply(content: readonly ReplyBlock[]): void {
    const kept = sentBack(content);
    if (kept.length === 0) return;
    for (const block of kept) {
      if (block.type === "tool_use" && typeof block["id"] === "string") this.#usedIds.add(block["id"]);
    }
    this.#push({ role: "assistant", content: kept });
    if (isCompacted(kept)) this.#beginAtLast();
  }

  /** Lets go of old pictures if there are too many. Says what is no longer sent since the last time. */
  prune(): readonly Pruned[] {
    const notes = this.#compacted ? [this.#compacted] : [];
    this.#compacted = undefined;
    // A reply that is to go on would be altered within itself.
    if (this.#messages.at(-1)?.role === "assistant") return notes;
    const count = countToDrop(
      this.#images.map(({ image }) => image.data?.length ?? 0),
      this.#limits,
    );
    if (count === 0) return notes;
    this.#dropImages(count);
    if (this.#thinking === "goes-with-pictures") this.#thinkingFrom = this.#messages.length;
    return [...notes, { why: "pictures", images: count, results: 0, messages: 0 }];
  }

  /**
   * Leaves out pictures after the API refused a request for them: at first the older half, then all but the newest.
   * Undefined when there is none left that could go.
   */
  dropRefused(isFirst: boolean): Pruned | undefined {
    const sent = this.#images.length;
    if (sent < 2 || this.#messages.at(-1)?.role === "assistant") return undefined;
    const images = isFirst ? Math.floor(sent / 2) : sent - 1;
    this.#dropImages(images);
    if (this.#thinking === "goes-with-pictures") this.#thinkingFrom = this.#messages.length;
    return { why: "refused", images, results: 0, messages: 0 };
  }

  /**
   * Leaves out whatever can be: all pictures but the newest, the words of all answers but the latest, all thinking.
   * Undefined when there is nothing left to leave out.
   */
  shrink(): Pruned | undefined {
    const latest = this.#messages.findLastIndex(({ role }) => role === "user");
    const shortened = this.#messages.slice(Math.max(this.#begin, this.#resultsFrom), latest);
    const results = shortened.flatMap(({ role, content }) =>
      role === "user" ? content.filter(hasWords) : [],
    );
    const images = Math.max(0, this.#images.length - 1);
    // Thinking that is bound to nothing may stay in the latest reply, where some models insist on it.
    const thinkingFrom =
      this.#thinking === "stays"
        ? this.#messages.findLastIndex(({ role }) => role === "assistant")
        : this.#messages.length;
    const hasThinking = this.#messages
      .slice(this.#thinkingFrom, Math.max(this.#thinkingFrom, thinkingFrom))
      .some(({ role, content }) => role === "assistant" && content.some(isThinking));
    if (images === 0 && results.length === 0 && !hasThinking) return undefined;
    this.#dropImages(images);
    this.#resultsFrom = Math.max(this.#resultsFrom, latest);
    this.#thinkingFrom = Math.max(this.#thinkingFrom, thinkingFrom);
    // Answers before the stable point are shorter now.
    this.#reuse = undefined;
    return { why: "context", images, results: results.length, messages: 0 };
  }

  /** What a request sends now. */
  view(): Message[] {
    return this.#sent().map(({ message }) => message);
  }

  /** Positions in the view of the messages that carry a cache point. */
  cachePoints(): readonly number[] {
    const sent = this.#sent();
    return cachePoints({
      // The server does not look at the words before a summary.
      users: usersOf(sent).filter((place) => (sent[place]?.at ?? 0) >= this.#begin),
      oldestPicture: this.#oldestPicture(sent),
      reuse: this.#reuse === undefined ? undefined : placeOf(sent, this.#reuse),
    });
  }

  #oldestPicture(sent: readonly SentMessage[]): number | undefined {
    const oldest = this.#images[0];
    return oldest === undefined ? undefined : placeOf(sent, oldest.at);
  }

  #sent(): SentMessage[] {
    const sent = this.#messages
      .slice(this.#begin)
      .flatMap((stored, index) => this.#show(stored, this.#begin + index));
    return this.#begin === 0 ? sent : [...this.#goal(), ...sent];
  }

  #show(stored: StoredMessage, at: number): SentMessage[] {
    if (stored.role === "user") {
      const short = at < this.#resultsFrom;
      const content = stored.content.map((block) => showUserBlock(block, short));
      return [{ at, message: { role: "user", content } }];
    }
    if (at >= this.#thinkingFrom) return [{ at, message: stored }];
    const content = stored.content.filter((block) => !isThinking(block));
    return content.length === 0 ? [] : [{ at, message: { role: "assistant", content } }];
  }

  /** A conversation begins with the user; the server passes over what stands before a summary. */
  #goal(): SentMessage[] {
    const [first] = this.#messages;
    if (first?.role !== "user") return [];
    const content = first.content.filter((block): block is TextBlock => !("kind" in block));
    return [{ at: 0, message: { role: "user", content } }];
  }

  #beginAtLast(): void {
    const at = this.#messages.length - 1;
    const messages = at - this.#begin;
    const images = this.#images.length;
    this.#dropImages(images);
    this.#begin = at;
    this.#reuse = undefined;
    this.#compacted = {
      why: "compaction",
      images: images + (this.#compacted?.images ?? 0),
      results: 0,
      messages: messages + (this.#compacted?.messages ?? 0),
    };
  }

  #dropImages(count: number): void {
    const sent = this.#sent();
    const stable = stablePoint({
      users: usersOf(sent),
      oldestPicture: this.#oldestPicture(sent),
      reuse: undefined,
    });
    for (const { image } of this.#images.splice(0, count)) image.data = undefined;
    this.#reuse = stable === undefined ? undefined : sent[stable]?.at;
  }

  #push(message: StoredMessage): void {
    const at = this.#messages.push(message) - 1;
    this.#reuse = undefined;
    if (message.role === "assistant") return;
    for (const image of imagesOf(message.content)) this.#images.push({ image, at });
  }
}
