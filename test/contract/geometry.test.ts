// Coordinates and scaling. Every expected number is worked out from the definition of floor and of half-open
// rectangles, with whole-number arithmetic of its own.
import { describe, expect, it } from "vitest";
import {
  contains,
  containsRect,
  formatRect,
  type Point,
  pointSchema,
  rectSchema,
  type Size,
  scalePoint,
  scaleRect,
  scaleRegion,
  sizeSchema,
  unscalePoint,
  wholeOf,
} from "../../src/contract/geometry.js";
import { parseAction } from "../../src/contract/parse-action.js";
import { ComputerCap, createGate } from "../../src/runtime/cap/computer-cap.js";

const RECT = { x: 100, y: 100, width: 400, height: 300 };

describe("half-open rectangles", () => {
  it.each<readonly [number, number, boolean]>([
    [100, 100, true],
    [499, 399, true],
    [500, 399, false],
    [499, 400, false],
    [99, 100, false],
    [100, 99, false],
    [-1, -1, false],
  ])("(%i, %i): %s", (x, y, inside) => {
    expect(contains(RECT, { x, y })).toBe(inside);
  });

  it("holds exactly as many pixels as its area, and those that say so", () => {
    let count = 0;
    for (let x = 90; x < 510; x++) for (let y = 90; y < 410; y++) if (contains(RECT, { x, y })) count++;
    expect(count).toBe(400 * 300);
  });

  it("is never satisfied by what is no number", () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(contains(RECT, { x, y: 200 })).toBe(false);
      expect(contains(RECT, { x: 200, y: x })).toBe(false);
    }
  });

  it("holds another one when it holds both its corners", () => {
    const inner = { x: 100, y: 100, width: 400, height: 300 };
    expect(containsRect(RECT, inner)).toBe(true);
    for (const change of [{ x: 99 }, { y: 99 }, { width: 401 }, { height: 301 }])
      expect(containsRect(RECT, { ...inner, ...change })).toBe(false);
  });

  it("shows both ends inclusive", () => {
    expect(formatRect(RECT)).toBe("x 100–499, y 100–399");
  });
});

describe("schemas", () => {
  const good = { x: 0, y: 0, width: 1, height: 16_384 };
  it("take whole numbers within limits, and no other field", () => {
    expect(rectSchema.safeParse(good).success).toBe(true);
    expect(sizeSchema.safeParse({ width: 1, height: 16_384 }).success).toBe(true);
    expect(pointSchema.safeParse({ x: -5, y: 5 }).success).toBe(true);
    for (const bad of [
      { ...good, width: 0 },
      { ...good, width: 16_385 },
      { ...good, x: -1 },
      { ...good, x: 0.5 },
      { ...good, x: "0" },
      { ...good, z: 1 },
      { x: 0, y: 0, width: 1 },
      [0, 0, 1, 1],
      null,
    ])
      expect(rectSchema.safeParse(bad).success, JSON.stringify(bad)).toBe(false);
    expect(pointSchema.safeParse({ x: Number.NaN, y: 1 }).success).toBe(false);
  });
});

const SCALES: readonly (readonly [name: string, from: Size, to: Size])[] = [
  ["halved", { width: 2560, height: 1600 }, { width: 1280, height: 800 }],
  ["by 1.333…", { width: 1024, height: 576 }, { width: 1366, height: 768 }],
  ["unchanged", { width: 1280, height: 800 }, { width: 1280, height: 800 }],
  ["shrunk oddly", { width: 1366, height: 768 }, { width: 1023, height: 577 }],
  ["to one pixel", { width: 640, height: 480 }, { width: 1, height: 1 }],
];

describe("scaling", () => {
  it("B-045 lands the last pixel on the last pixel, never beside the display", () => {
    const from = { width: 2560, height: 1600 };
    expect(scalePoint({ x: 2559, y: 1599 }, from, { width: 1280, height: 800 })).toEqual({ x: 1279, y: 799 });
  });

  it.each(SCALES)(
    "B-047 %s: floors, keeps order, and keeps inside, for every pixel of both axes",
    (_name, from, to) => {
      for (const axis of ["x", "y"] as const) {
        const side = axis === "x" ? "width" : "height";
        let last = -1;
        for (let at = 0; at < from[side]; at++) {
          const point: Point = axis === "x" ? { x: at, y: 0 } : { x: 0, y: at };
          const got = scalePoint(point, from, to)[axis];
          // The floor of at × to / from, in integers: the greatest whole number whose product does not exceed it.
          const exact = Number((BigInt(at) * BigInt(to[side])) / BigInt(from[side]));
          if (got !== exact || got < last || got < 0 || got >= to[side])
            throw new Error(`${axis} ${at} → ${got}, not ${exact}`);
          last = got;
        }
      }
      expect(contains(wholeOf(to), scalePoint({ x: from.width - 1, y: from.height - 1 }, from, to))).toBe(
        true,
      );
    },
  );

  it.each(SCALES)(
    "%s: every pixel of a rectangle maps into the rectangle's image, and its corners are met",
    (_name, from, to) => {
      for (const rect of [
        { x: 0, y: 0, width: from.width, height: from.height },
        { x: 7, y: 3, width: 101, height: 67 },
        { x: from.width - 1, y: from.height - 1, width: 1, height: 1 },
        { x: 100, y: 100, width: 400, height: 300 },
      ]) {
        const image = scaleRect(rect, from, to);
        expect(containsRect(wholeOf(to), image)).toBe(true);
        const corners = [
          { x: rect.x, y: rect.y },
          { x: rect.x + rect.width - 1, y: rect.y + rect.height - 1 },
        ].map((corner) => scalePoint(corner, from, to));
        expect(corners[0]).toEqual({ x: image.x, y: image.y });
        expect(corners[1]).toEqual({ x: image.x + image.width - 1, y: image.y + image.height - 1 });
        for (let x = rect.x; x < rect.x + rect.width; x++) {
          if (!contains(image, scalePoint({ x, y: rect.y }, from, to)))
            throw new Error(`x ${x} leaves the image`);
        }
        for (let y = rect.y; y < rect.y + rect.height; y++) {
          if (!contains(image, scalePoint({ x: rect.x, y }, from, to)))
            throw new Error(`y ${y} leaves the image`);
        }
      }
    },
  );

  it.each(SCALES)(
    "%s: what was read back is what was asked for, wherever that can be known",
    (_name, from, to) => {
      for (let at = 0; at < Math.max(from.width, from.height); at++) {
        const point = { x: Math.min(at, from.width - 1), y: Math.min(at, from.height - 1) };
        const landed = scalePoint(point, from, to);
        const back = unscalePoint(landed, to, from);
        if (!contains(wholeOf(from), back)) throw new Error(`${at} is read back outside`);
        // Where one space is the smaller, several points land on one; each of them reads back as one that does.
        expect(scalePoint(back, from, to)).toEqual(landed);
        if (to.width >= from.width) expect(back).toEqual(point);
      }
    },
  );

  it.each(SCALES)(
    "%s: a region maps by its edges: the whole is the whole, and none is empty",
    (_name, from, to) => {
      expect(scaleRegion(wholeOf(from), from, to)).toEqual(wholeOf(to));
      for (const rect of [
        { x: 7, y: 3, width: 101, height: 67 },
        { x: from.width - 1, y: from.height - 1, width: 1, height: 1 },
        { x: 0, y: 0, width: 1, height: from.height },
      ]) {
        const region = scaleRegion(rect, from, to);
        expect(containsRect(wholeOf(to), region)).toBe(true);
        expect(region.width).toBeGreaterThanOrEqual(1);
        expect(region.height).toBeGreaterThanOrEqual(1);
        expect({ x: region.x, y: region.y }).toEqual(scalePoint(rect, from, to));
      }
    },
  );

  it.each(SCALES)(
    "%s: the gate lets through exactly the viewport's bounds, wherever they land",
    (_name, viewport, display) => {
      const bounds = { x: 100, y: 100, width: 400, height: 300 };
      const cap = ComputerCap.builder()
        .allow("computer.input.pointer")
        .withViewport(viewport.width, viewport.height)
        .withBounds(bounds)
        .build();
      const gate = createGate(cap, display);
      const edges = [0, 99, 100, 101, 250, 498, 499, 500, viewport.width - 1];
      for (const x of edges) {
        for (const y of [0, 99, 100, 399, 400, viewport.height - 1]) {
          const parsed = parseAction("mouse_move", { coordinate: [x, y] });
          if (!parsed.ok) throw new Error(parsed.reason);
          const verdict = gate.check(parsed.action, { pointer: undefined });
          expect(verdict.ok, `(${x}, ${y})`).toBe(x >= 100 && x < 500 && y >= 100 && y < 400);
          if (verdict.ok && verdict.plan.kind === "move") {
            expect(verdict.plan.at).toEqual({
              x: Math.floor((x * display.width) / viewport.width),
              y: Math.floor((y * display.height) / viewport.height),
            });
          }
        }
      }
    },
  );
});
