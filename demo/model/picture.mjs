// The newest picture that a Messages request holds, as pixels. Nothing but the request is read: what was not posted
// to the model's server is not known here.
import { decode } from "fast-png";

/**
 * @typedef {{ width: number, height: number, channels: number, data: Uint8Array }} Picture
 * @typedef {{ type: string, [field: string]: unknown }} Block
 */

/** Every picture of the request in the order in which they were posted, as PNG bytes.
 * @param {unknown} request @returns {Buffer[]} */
export function postedPngs(request) {
  return messagesOf(request).flatMap((message) =>
    blocksOf(message.content).flatMap((block) =>
      block.type === "tool_result" ? blocksOf(block["content"]).flatMap(pngOf) : pngOf(block),
    ),
  );
}

/** @param {Buffer} png @returns {Picture} */
export function decodePicture(png) {
  const { width, height, channels, depth, data, palette } = decode(png);
  if (depth !== 8 || palette !== undefined || channels < 3) {
    throw new Error(`expected an 8-bit colour picture, got ${channels} channels of ${depth} bits`);
  }
  return { width, height, channels, data: Uint8Array.from(data) };
}

/** The messages of a request body. @param {unknown} request @returns {{ role: string, content: unknown }[]} */
export function messagesOf(request) {
  const messages = isObject(request) ? request["messages"] : undefined;
  if (!Array.isArray(messages)) throw new Error("the request holds no messages");
  return messages;
}

/** The content blocks of a message; a plain text is one block. @param {unknown} content @returns {Block[]} */
export function blocksOf(content) {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter((block) => isObject(block) && "type" in block) : [];
}

/** @param {Block} block @returns {Buffer[]} */
function pngOf(block) {
  const source = block["source"];
  if (block.type !== "image" || !isObject(source) || source["media_type"] !== "image/png") return [];
  return typeof source["data"] === "string" ? [Buffer.from(source["data"], "base64")] : [];
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === "object" && value !== null;
}
