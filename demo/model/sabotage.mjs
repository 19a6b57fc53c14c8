// Wraps a model script so that it sees something else than what was posted: the proof that the script works by the
// picture. Used by tests; the run must fail with each of them.
import { decode, encode } from "fast-png";
import { decodePicture, messagesOf, postedPngs } from "./picture.mjs";

/** @typedef {(request: unknown, context?: unknown) => unknown} Script */

/** Sees the picture of the turn before. @param {Script} script @returns {Script} */
export function withPreviousFrame(script) {
  return (request, context) => {
    const messages = messagesOf(request);
    const lastReply = messages.findLastIndex((message) => message.role === "assistant");
    const older = lastReply < 0 ? [] : postedPngs({ messages: messages.slice(0, lastReply) });
    const previous = older.at(-1);
    return script(previous === undefined ? request : withNewest(request, 1, () => previous), context);
  };
}

/** Sees a black picture of the right size. @param {Script} script @returns {Script} */
export function withBlackFrame(script) {
  const blacken = (/** @type {Buffer} */ png) => {
    const { width, height } = decode(png);
    return encodeRgb(width, height, () => 0);
  };
  return (request, context) => script(withNewest(request, 3, blacken), context);
}

/** Sees the picture at five quarters of its size. @param {Script} script @returns {Script} */
export function withScaledFrame(script) {
  const grow = (/** @type {Buffer} */ png) => {
    const { width, height, channels, data } = decodePicture(png);
    const [w, h] = [Math.floor(width * 1.25), Math.floor(height * 1.25)];
    return encodeRgb(w, h, (x, y, channel) => {
      const source = Math.floor(y / 1.25) * width + Math.floor(x / 1.25);
      return data[source * channels + channel] ?? 0;
    });
  };
  return (request, context) => script(withNewest(request, 3, grow), context);
}

/** @param {number} width @param {number} height @param {(x: number, y: number, channel: number) => number} valueAt */
function encodeRgb(width, height, valueAt) {
  const data = new Uint8Array(width * height * 3);
  for (let index = 0; index < data.length; index += 1) {
    const pixel = Math.floor(index / 3);
    data[index] = valueAt(pixel % width, Math.floor(pixel / width), index % 3);
  }
  return Buffer.from(encode({ width, height, channels: 3, depth: 8, data }));
}

/** A copy of the request in which the newest pictures, as many as the script looks at, went through `change`.
 * @param {unknown} request @param {number} count @param {(png: Buffer) => Buffer} change @returns {unknown} */
function withNewest(request, count, change) {
  let left = postedPngs(request).length;
  return JSON.parse(JSON.stringify(request), (_, value) => {
    if (value?.type !== "image" || value.source?.media_type !== "image/png") return value;
    left -= 1;
    if (left >= count) return value;
    const data = change(Buffer.from(value.source.data, "base64")).toString("base64");
    return { ...value, source: { ...value.source, data } };
  });
}
