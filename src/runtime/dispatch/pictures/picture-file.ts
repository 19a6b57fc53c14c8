// What a picture's file says of itself, read from its first bytes without decoding it: its kind by its magic numbers,
// its size, whether it is whole. Nothing is decoded, and nothing sent, that this has not passed.
import { Buffer } from "node:buffer";
import type { Size } from "../../../contract/geometry.js";
import type { MediaType } from "../../../contract/journal-records.js";

/** Pixels of one picture that are decoded at most: 300 MB of memory as RGB. */
export const PIXELS_MAX = 100_000_000;

export interface PictureHeader {
  readonly mediaType: MediaType;
  readonly size: Size;
  /** Whether pixels may be transparent. */
  readonly alpha: boolean;
}

export type HeaderReading =
  | ({ readonly ok: true } & PictureHeader)
  | { readonly ok: false; readonly reason: string };

/** Reads the header of a PNG, JPEG or WebP file. */
export function readPictureHeader(file: Uint8Array): HeaderReading {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length === 0) return refuse("is empty");
  const header = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  if (header === undefined) return refuse("is no PNG, JPEG or WebP file");
  if (!header.ok) return header;
  const { width, height } = header.size;
  if (width === 0 || height === 0) return refuse(`has ${width} × ${height} pixels`);
  if (width * height > PIXELS_MAX) {
    return refuse(`has ${width} × ${height} pixels, more than the ${PIXELS_MAX} that are taken`);
  }
  return header;
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

const CUT_SHORT = refuse("is cut short");

function found(mediaType: MediaType, width: number, height: number, alpha: boolean): HeaderReading {
  return { ok: true, mediaType, size: { width, height }, alpha };
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);

function readPng(bytes: Buffer): HeaderReading | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  if (bytes.length < 45 || bytes.toString("latin1", 12, 16) !== "IHDR") return CUT_SHORT;
  if (!bytes.subarray(bytes.length - PNG_END.length).equals(PNG_END)) return CUT_SHORT;
  const colourType = bytes[25] ?? 0;
  const alpha = colourType === 4 || colourType === 6 || hasTransparentColour(bytes);
  return found("image/png", bytes.readUInt32BE(16), bytes.readUInt32BE(20), alpha);
}

/** Whether a chunk before the pixels makes a colour or a palette's entry transparent. */
function hasTransparentColour(bytes: Buffer): boolean {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const chunk = bytes.toString("latin1", at + 4, at + 8);
    if (chunk === "tRNS") return true;
    if (chunk === "IDAT") return false;
  }
  return false;
}

/** Markers that begin a frame and hold its size; the others of their block are tables. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readJpeg(bytes: Buffer): HeaderReading | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return undefined;
  if (bytes[bytes.length - 2] !== 0xff || bytes[bytes.length - 1] !== 0xd9) return CUT_SHORT;
  let at = 2;
  while (at + 9 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) break;
    // A marker may be preceded by any number of fill bytes.
    if (marker === 0xff) at += 1;
    else if (isFrameMarker(marker)) {
      return found("image/jpeg", bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5), false);
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return CUT_SHORT;
}

function readWebp(bytes: Buffer): HeaderReading | undefined {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") {
    return undefined;
  }
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return CUT_SHORT;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X": {
      const alpha = ((bytes[20] ?? 0) & 0x10) !== 0;
      return found("image/webp", 1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3), alpha);
    }
    case "VP8L": {
      const packed = bytes.readUInt32LE(21);
      const alpha = ((packed >>> 28) & 1) === 1;
      return found("image/webp", 1 + (packed & 0x3fff), 1 + ((packed >>> 14) & 0x3fff), alpha);
    }
    case "VP8 ":
      return found("image/webp", bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff, false);
    default:
      return refuse("is a WebP file of an unknown kind");
  }
}
