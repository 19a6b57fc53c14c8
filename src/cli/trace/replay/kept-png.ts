// Whether a kept frame may be decoded: a PNG of the size, depth and colours that a display has, whose pixels take no
// more room than that. A frame of a trace is somebody else's file, and a small one can hold very many pixels.
import { inflateSync } from "node:zlib";
import type { Size } from "../../../contract/geometry.js";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Bytes of a pixel, by colour type: RGB and RGBA at 8 bits. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

function dataOf(png: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString("latin1", at + 4, at + 8);
    const end = at + 8 + length;
    if (end + 4 > png.length) return undefined;
    if (kind === "IDAT") parts.push(png.subarray(at + 8, end));
    if (kind === "IEND") return Buffer.concat(parts);
    at = end + 4;
  }
  return undefined;
}

/** Whether the bytes are a plain PNG of that size. */
export function isPlainPng(bytes: Uint8Array, size: Size): boolean {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (png.length < 45 || !png.subarray(0, 8).equals(SIGNATURE)) return false;
  if (png.toString("latin1", 12, 16) !== "IHDR" || png.readUInt32BE(8) !== 13) return false;
  const channels = CHANNELS[png[25] ?? -1];
  const isPlain = png[24] === 8 && channels !== undefined && png[28] === 0;
  if (!isPlain || png.readUInt32BE(16) !== size.width || png.readUInt32BE(20) !== size.height) return false;
  const data = dataOf(png);
  if (!data) return false;
  const most = (size.width * channels + 1) * size.height;
  try {
    return inflateSync(data, { maxOutputLength: most }).length === most;
  } catch {
    return false;
  }
}
