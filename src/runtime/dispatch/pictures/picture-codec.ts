// Decoding, scaling and encoding behind one port: with `sharp` where it is installed and works, else in plain
// TypeScript, which reads and writes PNG only. Files come here only after their header was read.
import { Buffer } from "node:buffer";
import type { Size } from "../../../contract/geometry.js";
import { CapuchinError } from "../../../diagnostics/errors.js";
import { type RgbPixels, scalePixels } from "./scale-pixels.js";

/** How a picture is written. `levels` is how many shades of each colour are left; fewer make a smaller PNG. */
export type Encoding =
  | { readonly kind: "png"; readonly levels?: number }
  | { readonly kind: "jpeg"; readonly quality: number };

export interface PictureCodec {
  /** The file's pixels at the wanted size; what is transparent becomes black. @throws when it cannot be decoded. */
  scale(file: Uint8Array, from: Size, to: Size): Promise<RgbPixels>;
  /** Whether no pixel of the file can be seen. */
  isInvisible(file: Uint8Array): Promise<boolean>;
  encode(pixels: RgbPixels, encoding: Encoding): Promise<Uint8Array>;
  /** What to try in turn while a file is too large: ever smaller ones. */
  readonly encodings: readonly Encoding[];
}

const PNG: Encoding = { kind: "png" };

let installed: Promise<PictureCodec> | undefined;

/** The codec of this installation. */
export function pictureCodec(): Promise<PictureCodec> {
  installed ??= sharpCodec().catch(() => plainCodec);
  return installed;
}

/** @throws where `sharp` is not installed or does not run on this machine. */
export async function sharpCodec(): Promise<PictureCodec> {
  const { default: sharp } = await import("sharp");
  // A file that is broken anywhere is refused, whole. Headers were judged before; sharp's own limit is a lower one.
  const open = (file: Uint8Array) => sharp(file, { failOn: "warning", limitInputPixels: false });
  return {
    encodings: [PNG, ...[85, 70, 55, 40, 25, 10].map((quality) => ({ kind: "jpeg", quality }) as const)],
    async scale(file, _from, { width, height }) {
      const { data, info } = await open(file)
        .flatten({ background: "#000000" })
        .resize(width, height, { fit: "fill", kernel: "lanczos3" })
        .toColourspace("srgb")
        .raw()
        .toBuffer({ resolveWithObject: true });
      if (info.channels === 3) return { width, height, data };
      return { width, height, data: asRgb(data, info.channels) };
    },
    async isInvisible(file) {
      const alpha = await open(file).ensureAlpha().extractChannel("alpha").raw().toBuffer();
      return alpha.every((value) => value === 0);
    },
    async encode({ width, height, data }, encoding) {
      const raw = sharp(data, { raw: { width, height, channels: 3 } });
      if (encoding.kind === "png") return raw.png({ compressionLevel: 6 }).toBuffer();
      // Full colour resolution: small coloured writing would smear otherwise.
      return raw.jpeg({ quality: encoding.quality, chromaSubsampling: "4:4:4" }).toBuffer();
    },
  };
}

/** PNG in plain TypeScript. */
export const plainCodec: PictureCodec = {
  encodings: [PNG, ...[32, 16, 8, 4, 2].map((levels) => ({ kind: "png", levels }) as const)],
  async scale(file, from, to) {
    const { rgb } = await decodePng(file);
    return scalePixels({ ...from, data: rgb }, to);
  },
  async isInvisible(file) {
    return (await decodePng(file)).invisible;
  },
  async encode({ width, height, data }, encoding) {
    if (encoding.kind !== "png") throw new CapuchinError("E_UNSUPPORTED", "JPEG needs the package sharp");
    const { encode } = await import("fast-png");
    const { levels } = encoding;
    return encode({
      width,
      height,
      channels: 3,
      depth: 8,
      data: levels === undefined ? data : coarser(data, levels),
    });
  },
};

/** The nearest of so many evenly spaced shades, black and white among them. */
function coarser(data: Uint8Array, levels: number): Uint8Array {
  const step = 255 / (levels - 1);
  const table = Uint8Array.from({ length: 256 }, (_, value) => Math.round(Math.round(value / step) * step));
  return data.map((value) => table[value] ?? 0);
}

async function decodePng(
  file: Uint8Array,
): Promise<{ readonly rgb: Uint8Array; readonly invisible: boolean }> {
  const { decode } = await import("fast-png");
  if (Buffer.from(file.subarray(1, 4)).toString("latin1") !== "PNG") {
    throw new CapuchinError("E_UNSUPPORTED", "a picture that is no PNG needs the package sharp");
  }
  const { data, channels, depth, palette, transparency } = decode(file, { checkCrc: true });
  const isPlain = (depth === 8 || depth === 16) && palette === undefined && transparency === undefined;
  if (!isPlain) {
    throw new CapuchinError("E_UNSUPPORTED", "a PNG with a palette or few bits needs the package sharp");
  }
  // The larger of two bytes is enough to see.
  const bytes = depth === 8 ? data : Uint8Array.from(data, (value) => value >> 8);
  const hasAlpha = channels === 2 || channels === 4;
  let invisible = hasAlpha;
  for (let at = channels - 1; invisible && at < bytes.length; at += channels) {
    if (bytes[at] !== 0) invisible = false;
  }
  return { rgb: asRgb(bytes, channels), invisible };
}

/** Grey becomes three equal colours; what is transparent is laid on black. */
function asRgb(data: ArrayLike<number>, channels: number): Uint8Array {
  const pixels = data.length / channels;
  const rgb = new Uint8Array(3 * pixels);
  const hasAlpha = channels === 2 || channels === 4;
  const isGrey = channels < 3;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const from = channels * pixel;
    const alpha = hasAlpha ? (data[from + channels - 1] ?? 0) / 255 : 1;
    for (let colour = 0; colour < 3; colour++) {
      rgb[3 * pixel + colour] = Math.round(alpha * (data[from + (isGrey ? 0 : colour)] ?? 0));
    }
  }
  return rgb;
}
