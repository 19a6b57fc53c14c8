import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contains, type Size, scalePoint, wholeOf } from "../../src/contract/geometry.js";
import type { PictureTier } from "../../src/contract/models.js";
import {
  MAX_SIDE,
  PICTURE_LIMITS,
  pictureSize,
  visualTokens,
  zoomSize,
} from "../../src/contract/picture-size.js";

const TIERS: readonly PictureTier[] = ["standard", "high"];

/** Sizes that the API's published search gives (see docs/pictures.md); "same" where it leaves the source alone. */
const PUBLISHED: readonly (readonly [source: string, standard: string, high: string])[] = [
  ["1024x768", "same", "same"],
  ["1280x720", "same", "same"],
  ["1280x800", "same", "same"],
  ["1366x768", "same", "same"],
  ["1456x819", "same", "same"],
  ["1440x900", "1389x868", "same"],
  ["1512x982", "1372x891", "same"],
  ["1920x1080", "1456x819", "same"],
  ["2560x1440", "1456x819", "same"],
  ["2560x1600", "1389x868", "2420x1512"],
  ["3456x2234", "1372x887", "2383x1540"],
  ["3840x2160", "1456x819", "2576x1449"],
  ["5120x1440", "1568x441", "2576x724"],
  ["1080x1920", "819x1456", "same"],
  ["4000x4000", "1092x1092", "1932x1932"],
];

function sizeOf(text: string): Size {
  const [width = 0, height = 0] = text.split("x").map(Number);
  return { width, height };
}

describe("the size of a picture", () => {
  it.each(PUBLISHED)("of %s is %s, in high resolution %s", (source, standard, high) => {
    const viewport = sizeOf(source);
    expect(pictureSize(viewport, "standard")).toEqual(standard === "same" ? viewport : sizeOf(standard));
    expect(pictureSize(viewport, "high")).toEqual(high === "same" ? viewport : sizeOf(high));
  });

  it("costs by squares of 28 pixels; 2560 × 1440 costs exactly what the larger tier allows", () => {
    expect(visualTokens({ width: 1024, height: 768 })).toBe(37 * 28);
    expect(visualTokens({ width: 2560, height: 1440 })).toBe(4784);
    expect(visualTokens({ width: 1, height: 1 })).toBe(1);
    expect(visualTokens({ width: 29, height: 28 })).toBe(2);
  });

  it("keeps both sides within 2000 pixels where many pictures are sent", () => {
    expect(pictureSize({ width: 2560, height: 1440 }, "high", MAX_SIDE.many)).toEqual({
      width: 2000,
      height: 1125,
    });
    expect(pictureSize({ width: 1080, height: 1920 }, "high", MAX_SIDE.many)).toEqual({
      width: 1080,
      height: 1920,
    });
  });
});

const side = fc.integer({ min: 1, max: 16_384 });
const size = fc.record({ width: side, height: side });
const tier = fc.constantFrom(...TIERS);

describe("for any viewport", () => {
  it("a picture is within both limits, no larger than its source, and of its shape", () => {
    fc.assert(
      fc.property(size, tier, (source, name) => {
        const picture = pictureSize(source, name);
        const { longEdge, tokens } = PICTURE_LIMITS[name];
        const [long, short] = [
          Math.max(picture.width, picture.height),
          Math.min(picture.width, picture.height),
        ];
        expect(long).toBeLessThanOrEqual(longEdge);
        expect(visualTokens(picture)).toBeLessThanOrEqual(tokens);
        expect(picture.width).toBeLessThanOrEqual(source.width);
        expect(picture.height).toBeLessThanOrEqual(source.height);
        const exact = (long * Math.min(source.width, source.height)) / Math.max(source.width, source.height);
        expect(short).toBeGreaterThanOrEqual(1);
        if (short > 1) expect(Math.abs(short - exact)).toBeLessThanOrEqual(0.5);
      }),
    );
  });

  it("one more pixel of the longer side would break a limit", () => {
    fc.assert(
      fc.property(size, tier, (source, name) => {
        const picture = pictureSize(source, name);
        const long = Math.max(picture.width, picture.height);
        const sourceLong = Math.max(source.width, source.height);
        if (long === sourceLong || long === PICTURE_LIMITS[name].longEdge) return;
        const next = ((long + 1) * Math.min(source.width, source.height)) / sourceLong;
        const smallest = Math.max(1, Math.ceil(next - 0.5));
        expect(Math.ceil((long + 1) / 28) * Math.ceil(smallest / 28)).toBeGreaterThan(
          PICTURE_LIMITS[name].tokens,
        );
      }),
    );
  });

  it("the larger tier never gives less, and a turned viewport gives the turned picture", () => {
    fc.assert(
      fc.property(size, (source) => {
        const [standard, high] = [pictureSize(source, "standard"), pictureSize(source, "high")];
        expect(high.width).toBeGreaterThanOrEqual(standard.width);
        expect(high.height).toBeGreaterThanOrEqual(standard.height);
        const turned = pictureSize({ width: source.height, height: source.width }, "standard");
        expect(turned).toEqual({ width: standard.height, height: standard.width });
      }),
    );
  });

  it("a larger source of the same shape never gives a smaller picture", () => {
    const small = fc.record({
      width: fc.integer({ min: 1, max: 4000 }),
      height: fc.integer({ min: 1, max: 4000 }),
    });
    fc.assert(
      fc.property(small, tier, fc.integer({ min: 2, max: 4 }), (source, name, times) => {
        const larger = { width: source.width * times, height: source.height * times };
        const [a, b] = [pictureSize(source, name), pictureSize(larger, name)];
        expect(Math.max(b.width, b.height)).toBeGreaterThanOrEqual(Math.max(a.width, a.height));
      }),
    );
  });

  it("a pixel of the picture falls into the viewport, one beside the picture beside the viewport", () => {
    fc.assert(
      fc.property(size, tier, fc.integer(), fc.integer(), (viewport, name, x, y) => {
        const picture = pictureSize(viewport, name);
        const inside = { x: mod(x, picture.width), y: mod(y, picture.height) };
        expect(contains(wholeOf(viewport), scalePoint(inside, picture, viewport))).toBe(true);
        const at = contains(wholeOf(picture), { x, y });
        expect(contains(wholeOf(viewport), scalePoint({ x, y }, picture, viewport))).toBe(at);
      }),
    );
  });

  it("so do the pixels directly at the picture's edges", () => {
    fc.assert(
      fc.property(size, tier, (viewport, name) => {
        const picture = pictureSize(viewport, name);
        const last = scalePoint({ x: picture.width - 1, y: picture.height - 1 }, picture, viewport);
        expect(contains(wholeOf(viewport), last)).toBe(true);
        const beside = scalePoint({ x: picture.width, y: picture.height }, picture, viewport);
        expect(beside).toEqual({ x: viewport.width, y: viewport.height });
        const before = scalePoint({ x: -1, y: -1 }, picture, viewport);
        expect(before.x).toBeLessThan(0);
        expect(before.y).toBeLessThan(0);
      }),
    );
  });
});

describe("the size of a close look", () => {
  it("fills the budget of a picture, whichever way the region lies", () => {
    const picture = { width: 1456, height: 819 };
    expect(zoomSize({ width: 1456, height: 819 }, picture)).toEqual(picture);
    expect(zoomSize({ width: 160, height: 90 }, picture)).toEqual(picture);
    expect(zoomSize({ width: 400, height: 100 }, picture)).toEqual({ width: 1456, height: 364 });
    expect(zoomSize({ width: 819, height: 1456 }, picture)).toEqual({ width: 819, height: 1456 });
    expect(zoomSize({ width: 5, height: 5 }, picture).width).toBe(
      zoomSize({ width: 500, height: 500 }, picture).width,
    );
  });

  it("never costs more than a picture", () => {
    fc.assert(
      fc.property(size, size, tier, (region, viewport, name) => {
        const picture = pictureSize(viewport, name);
        const zoomed = zoomSize(region, picture);
        expect(visualTokens(zoomed)).toBeLessThanOrEqual(visualTokens(picture));
        expect(Math.max(zoomed.width, zoomed.height)).toBeLessThanOrEqual(
          Math.max(picture.width, picture.height),
        );
      }),
    );
  });
});

function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
