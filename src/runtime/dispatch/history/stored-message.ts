// A conversation as it is kept, and one message of it as it is sent. What is kept does not change: only the bytes of a
// picture that is no longer sent are let go, and short fixed words stand in for what is left out.
import type { Size } from "../../../contract/geometry.js";
import type { MediaType } from "../../../contract/journal-records.js";
import type { ImageBlock, ReplyBlock, TextBlock, ToolResultBlock, UserBlock } from "../message.js";
import type { Picture } from "../pictures/picture.js";

export const OMITTED_TEXT = "[An older screenshot was here; it is no longer sent.]";
export const OMITTED_RESULT_TEXT = "[An older answer was here; it is no longer sent.]";

/** A picture of the conversation; `data`, its bytes in base64, goes once it is no longer sent. */
export interface StoredImage {
  readonly kind: "image";
  /** Of the frame that it shows. */
  readonly frame: string;
  readonly mediaType: MediaType;
  readonly size: Size;
  data: string | undefined;
}

/** A result as the turn makes it, before it is part of the conversation. */
export interface NewResult {
  readonly callId: string;
  readonly toolset: string | undefined;
  readonly content: readonly (TextBlock | StoredImage)[];
  readonly isError: boolean;
}

interface StoredResult {
  readonly kind: "result";
  readonly head: Omit<ToolResultBlock, "content">;
  readonly content: readonly (TextBlock | StoredImage)[];
}

export type StoredUserBlock = TextBlock | StoredImage | StoredResult;

export type StoredMessage =
  | { readonly role: "user"; readonly content: readonly StoredUserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly ReplyBlock[] };

/** A picture for the conversation. */
export function storedImage({ bytes, mediaType, size, frame }: Picture): StoredImage {
  return { kind: "image", frame, mediaType, size, data: Buffer.from(bytes).toString("base64") };
}

export function storedResult({ callId, toolset, content, isError }: NewResult): StoredResult {
  return {
    kind: "result",
    head: {
      type: "tool_result",
      tool_use_id: callId,
      ...(toolset === undefined ? {} : { toolset_name: toolset }),
      ...(isError ? { is_error: true as const } : {}),
    },
    content,
  };
}

/** The pictures of a user message, in order. */
export function imagesOf(content: readonly StoredUserBlock[]): StoredImage[] {
  return content.flatMap((block) => {
    if (!("kind" in block)) return [];
    return block.kind === "image" ? [block] : block.content.filter((inner) => "kind" in inner);
  });
}

/** What of a call's answer can be left out later: its words. */
export function hasWords(block: StoredUserBlock): boolean {
  return "kind" in block && block.kind === "result" && block.content.some((inner) => !("kind" in inner));
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

/** A block as it is sent. `short`: of an answer only a picture that is still sent, or that there was one. */
export function showUserBlock(block: StoredUserBlock, short: boolean): UserBlock {
  if (!("kind" in block)) return block;
  if (block.kind === "image") return showImage(block);
  if (!short) return { ...block.head, content: block.content.map(showInner) };
  const pictures = block.content.filter((inner) => "kind" in inner && inner.data !== undefined);
  const content: (TextBlock | ImageBlock)[] = pictures.map(showInner);
  return {
    ...block.head,
    content: content.length > 0 ? content : [{ type: "text", text: OMITTED_RESULT_TEXT }],
  };
}
