// A reply as the API takes it back: the API's own blocks untouched, but for what it would refuse.
import type { ReplyBlock } from "./message.js";

/** A call whose input is no object could not be sent back: the API takes only objects there. */
function sendable(block: ReplyBlock): ReplyBlock {
  if (block.type !== "tool_use") return block;
  const input = block["input"];
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? block : { ...block, input: {} };
}

/** The blocks of a reply without blank text, which the API does not take. There may be none left. */
export function sentBack(content: readonly ReplyBlock[]): ReplyBlock[] {
  return content
    .filter((block) => block.type !== "text" || String(block["text"]).trim() !== "")
    .map(sendable);
}
