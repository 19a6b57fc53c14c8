// The conversation of one loop. Append-only: a message once added is never changed or removed. Only pictures of
// old turns are let go, in batches, so that neither a request nor memory grows without bound; a placeholder stays
// in their place. With a picture go the thinking blocks that were written after seeing it, whole: they are bound to
// what the model was shown and may be sent back unaltered or not at all.
import type { Size } from "../../contract/geometry.js";
import type { MediaType } from "../../contract/journal-records.js";
import type { ImageBlock, Message, ReplyBlock, TextBlock, ToolResultBlock } from "./message.js";
import type { Picture } from "./pictures/picture.js";

export interface PruneLimits {
  /** Above this many pictures the old ones go. The API takes smaller pictures from 21 on. */
  readonly maxImages: number;
  /** How many of the newest stay. */
  readonly keepImages: number;
  /** Base64 characters of all pictures together, well below the API's 32 MB of a request. */
  readonly maxImageCharacters: number;
}

export const PRUNE_LIMITS: PruneLimits = {
  maxImages: 20,
  keepImages: 8,
  maxImageCharacters: 20 * 1024 * 1024,
};

export const OMITTED_TEXT = "[An older screenshot was here; it is no longer sent.]";

/** A picture of the conversation; `data`, its bytes in base64, goes once it is pruned. */
export interface StoredImage {
  readonly kind: "image";
  /** Of the frame that it shows. */
  readonly frame: string;
  readonly mediaType: MediaType;
  readonly size: Size;
  data: string | undefined;
}

type StoredUserBlock =
  | TextBlock
  | StoredImage
  | {
      readonly kind: "result";
      readonly head: Omit<ToolResultBlock, "content">;
      readonly content: readonly (TextBlock | StoredImage)[];
    };

/** A result as the turn makes it, before it is part of the conversation. */
export interface NewResult {
  readonly callId: string;
  readonly toolset: string | undefined;
  readonly content: readonly (TextBlock | StoredImage)[];
  readonly isError: boolean;
}

type StoredMessage =
  | { readonly role: "user"; readonly content: readonly StoredUserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly ReplyBlock[] };

/** A picture for the conversation. */
export function storedImage({ bytes, mediaType, size, frame }: Picture): StoredImage {
  return { kind: "image", frame, mediaType, size, data: Buffer.from(bytes).toString("base64") };
}

function showImage(image: StoredImage): ImageBlock | TextBlock {
  if (image.data === undefined) return { type: "text", text: OMITTED_TEXT };
  return {
    type: "image",
    source: { type: "base64", media_type: image.mediaType, data: image.data },
    transformations: { oversized_image: "error" },
  };
}

function showInner(block: TextBlock | StoredImage): TextBlock | ImageBlock {
  return "kind" in block ? showImage(block) : block;
}

const THINKING = new Set(["thinking", "redacted_thinking"]);

/** A call whose input is no object could not be sent back: the API takes only objects there. */
function sendable(block: ReplyBlock): ReplyBlock {
  if (block.type !== "tool_use") return block;
  const input = block["input"];
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? block : { ...block, input: {} };
}

export class History {
  readonly #limits: PruneLimits;
  readonly #messages: StoredMessage[] = [];
  readonly #usedIds = new Set<string>();
  /** Pictures still sent, oldest first. */
  readonly #images: StoredImage[] = [];
  /** Messages before this index have lost their thinking blocks. */
  #thinkingFrom = 0;

  constructor(limits: PruneLimits = PRUNE_LIMITS) {
    this.#limits = limits;
  }

  /** Ids of all tool calls so far. */
  get usedIds(): ReadonlySet<string> {
    return this.#usedIds;
  }

  /** Adds plain blocks of ours: the goal, a nudge, a picture. */
  addUser(blocks: readonly (TextBlock | StoredImage)[]): void {
    this.#push({ role: "user", content: blocks });
  }

  /** Adds the answers to the calls of the last reply, results first, then `after`. */
  addResults(results: readonly NewResult[], after: readonly (TextBlock | StoredImage)[] = []): void {
    const blocks = results.map((result) => ({
      kind: "result" as const,
      head: {
        type: "tool_result" as const,
        tool_use_id: result.callId,
        ...(result.toolset === undefined ? {} : { toolset_name: result.toolset }),
        ...(result.isError ? { is_error: true as const } : {}),
      },
      content: result.content,
    }));
    this.#push({ role: "user", content: [...blocks, ...after] });
  }

  /** Adds a reply as it came, but for what is empty: the API takes no empty text and no empty assistant message. */
  addReply(content: readonly ReplyBlock[]): void {
    const kept = content.filter((block) => block.type !== "text" || block["text"] !== "");
    if (kept.length === 0) return;
    for (const block of kept) {
      if (block.type === "tool_use" && typeof block["id"] === "string") this.#usedIds.add(block["id"]);
    }
    this.#messages.push({ role: "assistant", content: kept.map(sendable) });
  }

  /** Lets go of old pictures if there are too many. Returns how many went. */
  prune(): number {
    const characters = this.#images.reduce((sum, image) => sum + (image.data?.length ?? 0), 0);
    const tooMany = this.#images.length > this.#limits.maxImages;
    if (!tooMany && characters <= this.#limits.maxImageCharacters) return 0;
    // By size alone few pictures may be left to drop; the newest always stays.
    const keep = tooMany
      ? this.#limits.keepImages
      : Math.max(1, Math.min(this.#limits.keepImages, Math.floor(this.#images.length / 2)));
    const dropped = this.#images.splice(0, Math.max(0, this.#images.length - keep));
    for (const image of dropped) image.data = undefined;
    if (dropped.length > 0) this.#thinkingFrom = this.#messages.length;
    return dropped.length;
  }

  /** What a request sends now. */
  view(): Message[] {
    return this.#messages.flatMap((message, index): Message[] => {
      if (message.role === "user") {
        return [{ role: "user", content: message.content.map((block) => this.#show(block)) }];
      }
      if (index >= this.#thinkingFrom) return [message];
      const content = message.content.filter((block) => !THINKING.has(block.type));
      return content.length === 0 ? [] : [{ role: "assistant", content }];
    });
  }

  #show(block: StoredUserBlock): TextBlock | ImageBlock | ToolResultBlock {
    if (!("kind" in block)) return block;
    if (block.kind === "image") return showImage(block);
    return { ...block.head, content: block.content.map(showInner) };
  }

  #push(message: StoredMessage & { role: "user" }): void {
    this.#messages.push(message);
    for (const block of message.content) {
      if (!("kind" in block)) continue;
      if (block.kind === "image") this.#images.push(block);
      else for (const inner of block.content) if ("kind" in inner) this.#images.push(inner);
    }
  }
}
