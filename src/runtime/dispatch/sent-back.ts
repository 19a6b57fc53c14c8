// A reply as the API takes it back: the API's own blocks untouched, but for what it would refuse.
import { isThinking } from "./history/thinking.js";
import type { ReplyBlock } from "./message.js";

/** Names that the API takes in a conversation, whether or not a tool is called so. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,128}$/;

/** Stands for any other; the answer to the call says what it was. */
const NO_TOOL_NAME = "unknown_tool";

/** A call whose name is no name, or whose input is no object, could not be sent back. */
function sendable(block: ReplyBlock): ReplyBlock {
  if (block.type !== "tool_use") return block;
  const { name, input } = block;
  const isName = typeof name === "string" && TOOL_NAME.test(name);
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  if (isName && isObject) return block;
  return { ...block, ...(isName ? {} : { name: NO_TOOL_NAME }), ...(isObject ? {} : { input: {} }) };
}

function isBlank(block: ReplyBlock): boolean {
  return block.type === "text" && String(block["text"]).trim() === "";
}

/**
 * The blocks of a reply without blank text and without thinking at the end, neither of which the API takes. There may
 * be none left.
 */
export function sentBack(content: readonly ReplyBlock[]): ReplyBlock[] {
  const kept = content.filter((block) => !isBlank(block));
  const end = kept.findLastIndex((block) => !isThinking(block)) + 1;
  return kept.slice(0, end).map(sendable);
}

/** A reply that the model is to go on with, as the API takes it last: its text may not end in blanks either. */
export function toContinue(content: readonly ReplyBlock[]): ReplyBlock[] {
  const kept = sentBack(content);
  const last = kept.at(-1);
  if (last?.type !== "text") return kept;
  return [...kept.slice(0, -1), { ...last, text: String(last["text"]).trimEnd() }];
}
