// The conversation's shapes as the Messages API takes them, as far as the loop writes them. What the model wrote is
// kept as plain JSON and sent back as it came.
import type { JsonValue } from "../../base/canonical-json.js";
import type { ActionName } from "../../contract/actions.js";
import type { MediaType } from "../../contract/journal-records.js";

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ImageBlock {
  readonly type: "image";
  readonly source: {
    readonly type: "base64";
    readonly media_type: MediaType;
    readonly data: string;
  };
  /** A picture scaled by the server would make every coordinate wrong, so it refuses instead. */
  readonly transformations: { readonly oversized_image: "error" };
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  /** Repeats the call's own; absent for a call that had none. */
  readonly toolset_name?: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly is_error?: true;
}

export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;

/** A block of a reply, untouched. */
export type ReplyBlock = { readonly type: string } & { readonly [key: string]: JsonValue };

export type Message =
  | { readonly role: "user"; readonly content: readonly UserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly ReplyBlock[] };

/** The hosted computer tool as declared to the API. */
export type ToolEntry =
  | {
      readonly type: "computer_toolset_20260801";
      readonly configs?: { readonly [Member in ActionName]?: { readonly enabled: false } };
    }
  | {
      readonly type: "computer_20241022" | "computer_20250124" | "computer_20251124";
      readonly name: "computer";
      readonly display_width_px: number;
      readonly display_height_px: number;
      readonly enable_zoom?: true;
    };
