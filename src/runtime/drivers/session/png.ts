// PNG files, made and checked. A frame that is cut short, or of another size than asked for, is never passed on.
import { Buffer } from "node:buffer";
import { encode } from "fast-png";
import type { Size } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);

type Encoder = (rgb: Uint8Array, size: Size) => Promise<Uint8Array>;
let encoder: Promise<Encoder> | undefined;

/** `sharp` where it is installed and works, else the encoder in plain JavaScript. */
async function findEncoder(): Promise<Encoder> {
  try {
    const { default: sharp } = await import("sharp");
    return (rgb, { width, height }) =>
      sharp(rgb, { raw: { width, height, channels: 3 } })
        .png({ compressionLevel: 4 })
        .toBuffer();
  } catch {
    return async (rgb, { width, height }) => encode({ width, height, data: rgb, channels: 3, depth: 8 });
  }
}

/** The PNG of pixels of three bytes each. */
export async function encodePng(rgb: Uint8Array, size: Size): Promise<Uint8Array> {
  encoder ??= findEncoder();
  const png = await (await encoder)(rgb, size);
  requirePng(png, size);
  return png;
}

/** @throws DriverError E_BACKEND unless the bytes are a whole PNG file of that size. */
export function requirePng(png: Uint8Array, size: Size): void {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const whole =
    bytes.length > 45 &&
    bytes.subarray(0, 8).equals(SIGNATURE) &&
    bytes.subarray(bytes.length - END.length).equals(END);
  if (!whole) throw new DriverError("E_BACKEND", "the captured frame is not a whole PNG file", 0);
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  if (width !== size.width || height !== size.height) {
    throw new DriverError(
      "E_BACKEND",
      `the captured frame has ${width} × ${height} pixels instead of ${size.width} × ${size.height}`,
      0,
    );
  }
}
