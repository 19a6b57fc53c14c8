// What the goal asks for: one line a field, `Name: value`, in the order of the form's fields from top to bottom.
import { blocksOf, messagesOf } from "./picture.mjs";

/** @typedef {{ name: string, value: string }} Entry */

const LINE = /^([A-Z]\w*): (.+)$/;

/** The entries of the goal text in the request's first user message.
 * @param {unknown} request @returns {Entry[]} */
export function entriesOfGoal(request) {
  const first = messagesOf(request).find((message) => message.role === "user");
  const texts = blocksOf(first?.content).flatMap((block) =>
    block.type === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
  return parseEntries(texts.join("\n"));
}

/** @param {string} text @returns {Entry[]} */
export function parseEntries(text) {
  return text.split("\n").flatMap((line) => {
    const match = LINE.exec(line);
    return match?.[1] !== undefined && match[2] !== undefined ? [{ name: match[1], value: match[2] }] : [];
  });
}
