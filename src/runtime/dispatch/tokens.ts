// What a request costs in input tokens, counted before it is sent. Pictures and tools by the published formulas; text
// by the published rule of thumb of 3.5 characters a token, on bytes, so that scripts with more bytes a character are
// not counted too low. What the server counts is what is charged where its numbers can be true.
import type { Size } from "../../contract/geometry.js";
import { visualTokens } from "../../contract/picture-size.js";
import type { Message, ToolEntry } from "./message.js";

const BYTES_PER_TOKEN = 3.5;

/** With all members; without zoom `ZOOM_TOKENS` less. */
const TOOLSET_TOKENS = 4500;
/** The definition, and the system text that the API adds for it. */
const SINGLE_TOOL_TOKENS = 735 + 499;
const ZOOM_TOKENS = 410;

export interface RequestTokens {
  readonly text: number;
  readonly images: number;
  readonly tool: number;
}

export function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** What declaring the tool costs. Of the toolset's members only zoom's share is published. */
export function toolTokens(tool: ToolEntry): number {
  if (tool.type === "computer_toolset_20260801") {
    return TOOLSET_TOKENS - (tool.configs?.zoom?.enabled === false ? ZOOM_TOKENS : 0);
  }
  return SINGLE_TOOL_TOKENS + (tool.enable_zoom === true ? ZOOM_TOKENS : 0);
}

function wordsOf(block: Message["content"][number]): string {
  if (block.type === "image") return "";
  if (block.type === "text") return String(block["text"]);
  if (block.type === "thinking") return String(block["thinking"]);
  if (block.type === "tool_use") return JSON.stringify(block["input"]);
  if (block.type === "tool_result" && Array.isArray(block["content"])) {
    return (block["content"] as readonly { readonly type: string; readonly text?: unknown }[])
      .map((inner) => (inner.type === "text" ? String(inner.text) : ""))
      .join("");
  }
  return JSON.stringify(block);
}

/** The tokens of a request: its system text, its messages, the pictures in them and the tool. */
export function requestTokens(
  request: { readonly system: string; readonly tool: ToolEntry; readonly messages: readonly Message[] },
  pictures: readonly Size[],
): RequestTokens {
  const words = request.messages.flatMap((message) => message.content.map(wordsOf));
  return {
    text: [request.system, ...words].reduce((sum, text) => sum + textTokens(text), 0),
    images: pictures.reduce((sum, size) => sum + visualTokens(size), 0),
    tool: toolTokens(request.tool),
  };
}
