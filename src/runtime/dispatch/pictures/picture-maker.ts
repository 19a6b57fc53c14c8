// From a captured frame to the picture that the model gets. A frame is judged before anything decodes it; it is scaled
// here, so that the server has nothing to scale; it is a PNG while that fits the budget, else a smaller file. Each
// picture is on record before it is sent.
import { digestBytes } from "../../../base/digest.js";
import type { Size } from "../../../contract/geometry.js";
import { visualTokens, zoomSize } from "../../../contract/picture-size.js";
import { CapuchinError } from "../../../diagnostics/errors.js";
import type { Frame } from "../../control/action-port.js";
import type { Journal } from "../../control/journal-port.js";
import type { Picture } from "./picture.js";
import { type PictureCodec, pictureCodec } from "./picture-codec.js";
import { type PictureHeader, readPictureHeader } from "./picture-file.js";

/**
 * Bytes of one picture. The API refuses one of more than 5 MB (5,242,880), which may be counted in base64; this is
 * the largest file whose base64 fits.
 */
export const PICTURE_BYTES_MAX = (5 * 1024 * 1024 * 3) / 4;

export interface PictureMakerOptions {
  /** The size of whole pictures. */
  readonly size: Size;
  readonly journal: Journal;
  readonly maxBytes?: number;
  readonly codec?: PictureCodec;
}

type File = Pick<Picture, "bytes" | "mediaType">;

function bad(reason: string, cause?: unknown): CapuchinError {
  return new CapuchinError("E_BACKEND", `the captured frame ${reason}`, { cause });
}

/** Judges a frame. @throws CapuchinError E_BACKEND for one that is not whole, not of the size it should be, or unseen. */
async function requireFrame(frame: Frame, codec: PictureCodec): Promise<PictureHeader> {
  const header = readPictureHeader(frame.png);
  if (!header.ok) throw bad(header.reason);
  const { width, height } = header.size;
  if (width !== frame.size.width || height !== frame.size.height) {
    throw bad(`has ${width} × ${height} pixels instead of ${frame.size.width} × ${frame.size.height}`);
  }
  if (header.alpha && (await decoding(codec.isInvisible(frame.png)))) throw bad("is transparent everywhere");
  return header;
}

async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CapuchinError) throw error;
    throw bad("cannot be decoded", error);
  }
}

/** A frame at another size, in the first encoding that fits. */
async function scaledWithin(frame: Frame, to: Size, codec: PictureCodec, maxBytes: number): Promise<File> {
  const pixels = await decoding(codec.scale(frame.png, frame.size, to));
  for (const encoding of codec.encodings) {
    const bytes = await codec.encode(pixels, encoding);
    if (bytes.byteLength > maxBytes) continue;
    const made = readPictureHeader(bytes);
    if (!made.ok) throw bad(`became a file that ${made.reason}`);
    return { bytes, mediaType: made.mediaType };
  }
  throw new CapuchinError(
    "E_LIMIT",
    `a picture of ${to.width} × ${to.height} pixels does not fit into ${maxBytes} bytes: declare a smaller viewport`,
  );
}

/** The frame as a file of that size, for the agent's own code: the frame itself where it has the size already. */
export async function frameAt(frame: Frame, size: Size): Promise<Uint8Array> {
  const codec = await pictureCodec();
  await requireFrame(frame, codec);
  if (frame.size.width === size.width && frame.size.height === size.height) return frame.png;
  return codec.encode(await decoding(codec.scale(frame.png, frame.size, size)), { kind: "png" });
}

export class PictureMaker {
  readonly #options: PictureMakerOptions;
  readonly #recorded = new Set<string>();
  /** The newest whole picture: a screen that did not change is not scaled again. */
  #latest: Picture | undefined;

  constructor(options: PictureMakerOptions) {
    this.#options = options;
  }

  /** The size of whole pictures. */
  get size(): Size {
    return this.#options.size;
  }

  /**
   * The picture of a whole frame.
   * @throws CapuchinError E_BACKEND for a frame that is no picture of the screen; what the journal throws.
   */
  async whole(frame: Frame): Promise<Picture> {
    if (this.#latest?.frame === frame.digest) return this.#latest;
    const picture = await this.#make(frame, this.#options.size);
    this.#latest = picture;
    return picture;
  }

  /** The picture of a region, as large as a whole one may be. @throws as `whole`. */
  zoomed(frame: Frame): Promise<Picture> {
    return this.#make(frame, (found) => zoomSize(found, this.#options.size));
  }

  async #make(frame: Frame, wanted: Size | ((frame: Size) => Size)): Promise<Picture> {
    const { maxBytes = PICTURE_BYTES_MAX } = this.#options;
    const codec = this.#options.codec ?? (await pictureCodec());
    const header = await requireFrame(frame, codec);
    const size = typeof wanted === "function" ? wanted(frame.size) : wanted;
    const isAsSent =
      frame.size.width === size.width &&
      frame.size.height === size.height &&
      frame.png.byteLength <= maxBytes;
    const file = isAsSent
      ? { bytes: frame.png, mediaType: header.mediaType }
      : await scaledWithin(frame, size, codec, maxBytes);
    const picture: Picture = { ...file, size: { ...size }, frame: frame.digest };
    await this.#record(picture, isAsSent ? frame.digest : digestBytes(file.bytes));
    return picture;
  }

  async #record(picture: Picture, digest: string): Promise<void> {
    const { bytes, mediaType, size, frame } = picture;
    const key = `${frame} ${digest}`;
    if (this.#recorded.has(key)) return;
    this.#recorded.add(key);
    await this.#options.journal.append("picture", {
      frame,
      digest,
      size,
      mediaType,
      bytes: bytes.byteLength,
      tokens: visualTokens(size),
    });
  }
}
