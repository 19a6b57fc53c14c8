// Frames for the tests of pictures: pixels by a rule, and files of several kinds.
import { encode } from "fast-png";
import sharp from "sharp";
import { digestBytes } from "../../../../src/base/digest.js";
import type { Size } from "../../../../src/contract/geometry.js";
import type { Frame } from "../../../../src/runtime/control/action-port.js";

export type ColourAt = (x: number, y: number) => readonly [number, number, number, number?];

export function pixels({ width, height }: Size, colourAt: ColourAt, channels: 3 | 4 = 3) {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha = 255] = colourAt(x, y);
      data.set([red, green, blue, alpha].slice(0, channels), channels * (y * width + x));
    }
  }
  return { width, height, channels, data, depth: 8 as const };
}

export function frameOf(png: Uint8Array, size: Size): Frame {
  return { png, size, digest: digestBytes(png) };
}

export function pngFrame(size: Size, colourAt: ColourAt, channels: 3 | 4 = 3): Frame {
  return frameOf(encode(pixels(size, colourAt, channels)), size);
}

/** Noise that no encoder makes small; the same every time. */
export function noise(): ColourAt {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 16) & 0xff;
  };
  return () => [next(), next(), next()];
}

export async function asKind(size: Size, colourAt: ColourAt, kind: "jpeg" | "webp"): Promise<Uint8Array> {
  const { width, height, data } = pixels(size, colourAt);
  const raw = sharp(data, { raw: { width, height, channels: 3 } });
  return kind === "jpeg" ? raw.jpeg().toBuffer() : raw.webp({ lossless: true }).toBuffer();
}
