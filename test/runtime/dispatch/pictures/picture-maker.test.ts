// From a frame to the picture that is sent. What comes out is judged by another library than the one that made it.
import { decode, encode } from "fast-png";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Size } from "../../../../src/contract/geometry.js";
import { MemoryJournal } from "../../../../src/runtime/control/memory-journal.js";
import {
  type PictureCodec,
  plainCodec,
  sharpCodec,
} from "../../../../src/runtime/dispatch/pictures/picture-codec.js";
import { readPictureHeader } from "../../../../src/runtime/dispatch/pictures/picture-file.js";
import { PICTURE_BYTES_MAX, PictureMaker } from "../../../../src/runtime/dispatch/pictures/picture-maker.js";
import { asKind, type ColourAt, frameOf, noise, pixels, pngFrame } from "./files.js";

const CODECS: readonly (readonly [name: string, codec: PictureCodec])[] = [
  ["sharp", await sharpCodec()],
  ["plain TypeScript", plainCodec],
];

const SOURCE = { width: 192, height: 108 };
const HALF = { width: 96, height: 54 };
/** Red to the left of the middle, blue to the right. */
const HALVES: ColourAt = (x) => (x < SOURCE.width / 2 ? [200, 0, 0] : [0, 0, 200]);

function maker(size: Size, more: { codec?: PictureCodec; maxBytes?: number } = {}) {
  const journal = new MemoryJournal();
  return { journal, make: new PictureMaker({ size, journal, ...more }) };
}

function pixelOf(png: Uint8Array, x: number, y: number): number[] {
  const { width, channels, data } = decode(png);
  return [...data.subarray(channels * (y * width + x), channels * (y * width + x) + 3)];
}

describe.each(CODECS)("with %s", (_name, codec) => {
  it("a frame of the picture's size goes as it was captured, to the byte", async () => {
    const frame = pngFrame(SOURCE, HALVES);
    const { make, journal } = maker(SOURCE, { codec });
    const picture = await make.whole(frame);
    expect(picture.bytes).toBe(frame.png);
    expect(picture).toMatchObject({ mediaType: "image/png", size: SOURCE, frame: frame.digest });
    expect(journal.ofKind("picture").map(({ data }) => data)).toEqual([
      {
        frame: frame.digest,
        digest: frame.digest,
        size: SOURCE,
        mediaType: "image/png",
        bytes: frame.png.byteLength,
        tokens: 7 * 4,
      },
    ]);
  });

  it("a larger one is scaled: every part of it is where it was", async () => {
    const picture = await maker(HALF, { codec }).make.whole(pngFrame(SOURCE, HALVES));
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: "png", ...HALF });
    for (const x of [0, 20, 44]) expect(pixelOf(picture.bytes, x, 30)).toEqual([200, 0, 0]);
    for (const x of [51, 70, 95]) expect(pixelOf(picture.bytes, x, 30)).toEqual([0, 0, 200]);
  });

  it("a line of one pixel stays visible", async () => {
    const white: ColourAt = (x, y) => (x === 100 || y === 51 ? [0, 0, 0] : [255, 255, 255]);
    const { make } = maker({ width: 70, height: 39 }, { codec });
    const picture = await make.whole(pngFrame(SOURCE, white));
    const row = Array.from({ length: 70 }, (_, x) => pixelOf(picture.bytes, x, 5)[0] ?? 255);
    expect(row.indexOf(Math.min(...row))).toBe(Math.floor((100.5 * 70) / 192));
    expect(Math.min(...row)).toBeLessThan(200);
  });

  it("a shape that the display does not share is stretched to the picture's", async () => {
    const { make } = maker({ width: 96, height: 108 }, { codec });
    const picture = await make.whole(pngFrame(SOURCE, HALVES));
    expect(pixelOf(picture.bytes, 40, 100)).toEqual([200, 0, 0]);
    expect(pixelOf(picture.bytes, 55, 100)).toEqual([0, 0, 200]);
  });

  it("one that fits no PNG of the budget becomes a smaller file of the same size", async () => {
    const { make, journal } = maker(SOURCE, { codec, maxBytes: 20_000 });
    const frame = pngFrame(SOURCE, noise());
    expect(frame.png.byteLength).toBeGreaterThan(20_000);
    const picture = await make.whole(frame);
    expect(picture.bytes.byteLength).toBeLessThanOrEqual(20_000);
    const { format, width, height } = await sharp(picture.bytes).metadata();
    expect([`image/${format}`, width, height]).toEqual([picture.mediaType, SOURCE.width, SOURCE.height]);
    expect(journal.ofKind("picture")[0]?.data).toMatchObject({
      frame: frame.digest,
      bytes: picture.bytes.byteLength,
      mediaType: picture.mediaType,
    });
  });

  it("one that fits in no way is refused, and nothing is recorded", async () => {
    const { make, journal } = maker(SOURCE, { codec, maxBytes: 50 });
    await expect(make.whole(pngFrame(SOURCE, noise()))).rejects.toMatchObject({ code: "E_LIMIT" });
    expect(journal.ofKind("picture")).toEqual([]);
  });

  it.each([
    ["black", [0, 0, 0]],
    ["white", [255, 255, 255]],
  ] as const)("a screen that is %s all over is a screen", async (_colour, colour) => {
    const picture = await maker(HALF, { codec }).make.whole(pngFrame(SOURCE, () => colour));
    expect(pixelOf(picture.bytes, 50, 50)).toEqual([...colour]);
  });

  it("a frame that is transparent everywhere is none [I11], one that is seen anywhere is", async () => {
    const unseen = pngFrame(SOURCE, () => [255, 255, 255, 0], 4);
    for (const size of [SOURCE, HALF]) {
      await expect(maker(size, { codec }).make.whole(unseen)).rejects.toMatchObject({
        code: "E_BACKEND",
        message: "the captured frame is transparent everywhere",
      });
    }
    const partly = pngFrame(SOURCE, (x) => [90, 90, 90, x < 96 ? 0 : 255], 4);
    const picture = await maker(HALF, { codec }).make.whole(partly);
    expect(pixelOf(picture.bytes, 10, 10)).toEqual([0, 0, 0]);
    expect(pixelOf(picture.bytes, 90, 10)).toEqual([90, 90, 90]);
  });

  it("a damaged file with a whole header is refused [I10]", async () => {
    const frame = pngFrame(SOURCE, noise());
    const middle = Math.floor(frame.png.length / 2);
    const damaged = frame.png.map((value, at) => (at > middle && at < middle + 40 ? value ^ 0xff : value));
    await expect(maker(HALF, { codec }).make.whole(frameOf(damaged, SOURCE))).rejects.toMatchObject({
      code: "E_BACKEND",
    });
  });

  it("a close look is scaled up to what a picture may cost, in the shape of the region", async () => {
    const region = { width: 16, height: 9 };
    const { make } = maker(SOURCE, { codec });
    const picture = await make.zoomed(pngFrame(region, (x) => (x < 8 ? [200, 0, 0] : [0, 0, 200])));
    expect(picture.size).toEqual(SOURCE);
    expect(pixelOf(picture.bytes, 20, 50)).toEqual([200, 0, 0]);
    expect(pixelOf(picture.bytes, 170, 50)).toEqual([0, 0, 200]);
  });
});

describe("the file's own bytes say what it is", () => {
  it.each(["jpeg", "webp"] as const)(
    "a %s from a desktop that calls it a PNG is sent as what it is [I7, I8]",
    async (kind) => {
      const file = await asKind(SOURCE, HALVES, kind);
      const picture = await maker(SOURCE).make.whole(frameOf(file, SOURCE));
      expect(picture).toMatchObject({ mediaType: `image/${kind}`, bytes: file });
      const scaled = await maker(HALF).make.whole(frameOf(file, SOURCE));
      expect(scaled.mediaType).toBe("image/png");
      expect(pixelOf(scaled.bytes, 5, 5)[0]).toBeGreaterThan(180);
    },
  );

  it.each(["jpeg", "webp"] as const)(
    "without sharp a %s that must be scaled is refused with the way out",
    async (kind) => {
      const file = await asKind(SOURCE, HALVES, kind);
      const { make } = maker(HALF, { codec: plainCodec });
      await expect(make.whole(frameOf(file, SOURCE))).rejects.toMatchObject({
        code: "E_UNSUPPORTED",
        message: expect.stringContaining("needs the package sharp"),
      });
    },
  );

  it.each(["png", "jpeg", "webp"] as const)(
    "the header of a %s is read, and none of its beginnings is whole",
    async (kind) => {
      const file = kind === "png" ? pngFrame(SOURCE, HALVES).png : await asKind(SOURCE, HALVES, kind);
      expect(readPictureHeader(file)).toEqual({
        ok: true,
        mediaType: `image/${kind}`,
        size: SOURCE,
        alpha: false,
      });
      const wrong: number[] = [];
      for (let length = 0; length < file.length; length++) {
        if (readPictureHeader(file.subarray(0, length)).ok) wrong.push(length);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("alpha is found in a PNG with it, and in one with a transparent colour", async () => {
    const withAlpha = pngFrame(SOURCE, () => [1, 2, 3, 4], 4).png;
    expect(readPictureHeader(withAlpha)).toMatchObject({ alpha: true });
    const { data } = pixels(SOURCE, HALVES);
    const palette = await sharp(data, { raw: { ...SOURCE, channels: 3 } })
      .ensureAlpha(0)
      .png({ palette: true })
      .toBuffer();
    expect(readPictureHeader(palette)).toMatchObject({ ok: true, alpha: true });
  });

  it("an empty file, no picture at all, and one without pixels are refused [I18]", async () => {
    const { png } = pngFrame(SOURCE, HALVES);
    const flat = Uint8Array.from(png);
    new DataView(flat.buffer).setUint32(20, 0);
    for (const [file, reason] of [
      [new Uint8Array(), "is empty"],
      [new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>"), "is no PNG, JPEG or WebP file"],
      [flat, "has 192 × 0 pixels"],
    ] as const) {
      await expect(maker(SOURCE).make.whole(frameOf(file, SOURCE))).rejects.toMatchObject({
        code: "E_BACKEND",
        message: `the captured frame ${reason}`,
      });
    }
  });

  it("a header that names more pixels than the display has is never decoded", async () => {
    const huge = Uint8Array.from(pngFrame(SOURCE, HALVES).png);
    const view = new DataView(huge.buffer);
    view.setUint32(16, 16_000);
    view.setUint32(20, 16_000);
    await expect(maker(HALF).make.whole(frameOf(huge, SOURCE))).rejects.toMatchObject({
      message: expect.stringMatching(/has 16000 × 16000 pixels, more than/),
    });
    view.setUint32(16, 2000);
    view.setUint32(20, 2000);
    await expect(maker(HALF).make.whole(frameOf(huge, SOURCE))).rejects.toMatchObject({
      message: "the captured frame has 2000 × 2000 pixels instead of 192 × 108",
    });
  });
});

describe("what is recorded", () => {
  it("each picture once, however often it is sent", async () => {
    const { make, journal } = maker(HALF);
    const [a, b] = [pngFrame(SOURCE, HALVES), pngFrame(SOURCE, () => [7, 7, 7])];
    for (const frame of [a, b, a, a, b]) await make.whole(frame);
    expect(journal.ofKind("picture").map(({ data }) => data.frame)).toEqual([a.digest, b.digest]);
    expect(journal.ofKind("picture")[0]?.data).toMatchObject({ size: HALF, tokens: 4 * 2 });
  });

  it("the digest of the bytes that are sent", async () => {
    const { make, journal } = maker(HALF);
    const { bytes } = await make.whole(pngFrame(SOURCE, HALVES));
    const hex = Buffer.from(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes))).toString("hex");
    expect(journal.ofKind("picture")[0]?.data.digest).toBe(`sha256:${hex}`);
  });

  it("the budget of one picture is 5 MB of base64, as the API counts", () => {
    expect(Buffer.alloc(PICTURE_BYTES_MAX).toString("base64")).toHaveLength(5_242_880);
    expect(encode(pixels({ width: 2, height: 2 }, () => [0, 0, 0])).byteLength).toBeLessThan(
      PICTURE_BYTES_MAX,
    );
  });
});
