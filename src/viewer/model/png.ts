// Whether bytes are a picture that a browser may be given: a whole PNG of bounded size, plainly made. Everything is
// judged from the headers before a pixel is unpacked, and the unpacking stops at the size that the header promises.

export interface Png {
  readonly width: number;
  readonly height: number;
}

export type PngReading =
  | { readonly ok: true; readonly png: Png }
  | { readonly ok: false; readonly reason: string };

/** More pixels than any display that is driven: about 7680 × 4320. */
export const PIXELS_MAX = 34_000_000;
const CHUNKS_MAX = 4096;
/** Bytes of everything beside the picture itself. */
const EXTRAS_MAX = 64 * 1024;

const MAGIC = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER_LENGTH = 13;
/** Samples of a pixel by colour type, and the bit depths that it may have. */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

interface Header extends Png {
  /** Bytes of the picture once unpacked, its filter bytes included. */
  readonly unpacked: number;
}

/** A sentence that says why not. */
class Unfit extends Error {}

function readHeader(view: DataView, data: number): Header {
  const [width, height] = [view.getUint32(data), view.getUint32(data + 4)];
  if (width === 0 || height === 0) throw new Unfit("it has no pixels");
  if (width * height > PIXELS_MAX) {
    throw new Unfit(`it claims ${width} × ${height} pixels, more than ${PIXELS_MAX} in all`);
  }
  const [depth, colour, compression, filter, interlace] = [8, 9, 10, 11, 12].map((at) =>
    view.getUint8(data + at),
  );
  const known = COLOURS[colour ?? -1];
  if (!known?.depths.includes(depth ?? 0)) throw new Unfit(`it has colour type ${colour} of depth ${depth}`);
  if (compression !== 0 || filter !== 0) throw new Unfit("it is packed in an unknown way");
  if (interlace !== 0) throw new Unfit("it is interlaced, which no driver writes");
  const rowBytes = Math.ceil((width * known.samples * (depth ?? 0)) / 8) + 1;
  return { width, height, unpacked: rowBytes * height };
}

interface Chunks {
  readonly header: Header;
  readonly data: readonly Uint8Array[];
}

function readChunks(bytes: Uint8Array): Chunks {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) throw new Unfit("it is no PNG");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | undefined;
  const data: Uint8Array[] = [];
  let extras = 0;
  let chunks = 0;
  for (let at = MAGIC.length; ; ) {
    if (at + 12 > bytes.length) throw new Unfit("it is cut short");
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (!/^[A-Za-z]{4}$/.test(type)) throw new Unfit("it holds a malformed chunk");
    if (length > bytes.length - at - 12) throw new Unfit("it is cut short");
    chunks += 1;
    if (chunks > CHUNKS_MAX) throw new Unfit(`it has more than ${CHUNKS_MAX} chunks`);
    if ((header === undefined) !== (type === "IHDR")) throw new Unfit("its header is not where it must be");
    if (type === "IHDR") {
      if (length !== HEADER_LENGTH) throw new Unfit("its header has a wrong length");
      header = readHeader(view, at + 8);
    }
    if (crcOf(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length)) {
      throw new Unfit("a chunk of it does not match its checksum");
    }
    if (type === "IDAT") data.push(bytes.subarray(at + 8, at + 8 + length));
    else extras += length;
    if (extras > EXTRAS_MAX) throw new Unfit(`it carries more than ${EXTRAS_MAX} bytes beside the picture`);
    if (type === "acTL" || type === "fcTL") throw new Unfit("it is animated");
    at += length + 12;
    if (type !== "IEND") continue;
    if (at !== bytes.length) throw new Unfit(`${bytes.length - at} bytes follow its end`);
    if (!header || data.length === 0) throw new Unfit("it has no pixels");
    return { header, data };
  }
}

/** Unpacks and counts, without keeping anything; stops as soon as there is more than there must be. */
async function requireWhole({ header, data }: Chunks): Promise<void> {
  const unpacking = new DecompressionStream("deflate");
  const writer = unpacking.writable.getWriter();
  const feeding = (async () => {
    for (const part of data) await writer.write(part as Uint8Array<ArrayBuffer>);
    await writer.close();
  })().catch(() => {});
  const reader = unpacking.readable.getReader();
  let length = 0;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      length += step.value.byteLength;
      if (length > header.unpacked) throw new Unfit("it unpacks to more pixels than its header says");
    }
  } catch (error) {
    if (error instanceof Unfit) throw error;
    throw new Unfit("its pixels cannot be unpacked");
  } finally {
    await reader.cancel().catch(() => {});
    await feeding;
  }
  if (length < header.unpacked) throw new Unfit("its pixels are cut short");
}

/** Judges the bytes of a picture. Never throws for what the bytes are. */
export async function readPng(bytes: Uint8Array): Promise<PngReading> {
  try {
    const chunks = readChunks(bytes);
    await requireWhole(chunks);
    const { width, height } = chunks.header;
    return { ok: true, png: { width, height } };
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, reason: error.message };
    throw error;
  }
}
