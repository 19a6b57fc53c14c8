import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readPng } from "../../src/viewer/model/png.js";
import { picture } from "./made-trace.js";
import { chunk, END, header, SIGNATURE } from "./png-parts.js";

const pixels = (bytes: number) => chunk("IDAT", deflateSync(Buffer.alloc(bytes)));
const png = (...chunks: readonly Uint8Array[]) => Buffer.concat([SIGNATURE, ...chunks]);
/** 4 × 3 pixels of eight-bit grey: three rows of a filter byte and four samples. */
const WHOLE = png(header(4, 3), pixels(15), END);

describe("pictures that a browser may be given", () => {
  it("takes a whole PNG of another encoder, and one made by hand", async () => {
    const of = { width: 31, height: 17 };
    expect(await readPng(picture(of))).toEqual({ ok: true, png: of });
    expect(await readPng(WHOLE)).toEqual({ ok: true, png: { width: 4, height: 3 } });
  });

  const texts = Array.from({ length: 10_000 }, () => chunk("zTXt", Buffer.from("k\0\0")));
  const refused: readonly (readonly [string, Uint8Array, RegExp])[] = [
    [
      "12000 × 12000 pixels of one bit",
      png(header(12_000, 12_000, 1), pixels(10), END),
      /12000 × 12000 pixels/,
    ],
    ["a side of 2^31 − 1", png(header(2 ** 31 - 1, 1), pixels(10), END), /2147483647 × 1 pixels/],
    ["10 000 text chunks", png(header(4, 3), ...texts, pixels(15), END), /more than 4096 chunks/],
    [
      "a long text chunk",
      png(header(4, 3), chunk("tEXt", Buffer.alloc(70_000)), pixels(15), END),
      /beside the picture/,
    ],
    ["a file cut within its pixels", WHOLE.subarray(0, WHOLE.length - 20), /cut short/],
    ["pixels that end early", png(header(4, 3), pixels(14), END), /pixels are cut short/],
    [
      "a stream cut short",
      png(header(4, 3), chunk("IDAT", deflateSync(Buffer.alloc(15)).subarray(0, 6)), END),
      /cannot be unpacked|cut short/,
    ],
    [
      "pixels that unpack to more than promised",
      png(header(4, 3), pixels(50_000_000), END),
      /more pixels than its header/,
    ],
    [
      "a chunk that is longer than the file",
      png(Buffer.from([0x7f, 255, 255, 255]), Buffer.from("IHDR"), Buffer.alloc(30)),
      /cut short/,
    ],
    ["bytes after the end", Buffer.concat([WHOLE, Buffer.from("<script>")]), /8 bytes follow its end/],
    ["no end", png(header(4, 3), pixels(15)), /cut short/],
    ["no header", png(pixels(15), END), /header is not where/],
    ["two headers", png(header(4, 3), header(4, 3), pixels(15), END), /header is not where/],
    ["a wrong checksum", WHOLE.map((byte, at) => (at === 45 ? byte ^ 1 : byte)), /checksum/],
    ["no pixels", png(header(0, 3), pixels(15), END), /no pixels/],
    ["another kind of file", Buffer.from("<svg onload=alert(1)>"), /no PNG/],
    ["nothing", Buffer.alloc(0), /no PNG/],
    ["an animation", png(header(4, 3), chunk("acTL", Buffer.alloc(8)), pixels(15), END), /animated/],
  ];
  it.each(refused)("V-006: %s is refused", async (_what, bytes, reason) => {
    const reading = await readPng(bytes);
    expect(reading.ok ? "taken" : reading.reason).toMatch(reason);
  });
});
