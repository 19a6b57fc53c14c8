// PNG files by hand, malformed ones included.
import { crc32 } from "node:zlib";

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([number(data.length), named, number(crc32(named))]);
}

/** Grey pixels of a depth. */
export function header(width: number, height: number, depth = 8): Buffer {
  return chunk("IHDR", Buffer.concat([number(width), number(height), Buffer.from([depth, 0, 0, 0, 0])]));
}

export const END = chunk("IEND", Buffer.alloc(0));
