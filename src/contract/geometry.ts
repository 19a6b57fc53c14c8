// Viewport, image and display coordinates. All integers, origin top left, rectangles half-open: a rectangle holds
// x ≤ px < x + width. Scaling is by floor, so that the last pixel of one space can never land outside the other.
import { z } from "zod";
import { LIMITS } from "./limits.js";

export const pointSchema = z.strictObject({ x: z.int(), y: z.int() });
/** A point in whole pixels, origin top left. */
export type Point = Readonly<z.infer<typeof pointSchema>>;

const side = z.int().min(LIMITS.sideMin).max(LIMITS.sideMax);
export const sizeSchema = z.strictObject({ width: side, height: side });
/** A size in whole pixels. */
export type Size = Readonly<z.infer<typeof sizeSchema>>;

export const rectSchema = z.strictObject({
  x: z.int().min(0).max(LIMITS.sideMax),
  y: z.int().min(0).max(LIMITS.sideMax),
  width: side,
  height: side,
});
/** A half-open rectangle in whole pixels: the right and the lower edge are outside. */
export type Rect = Readonly<z.infer<typeof rectSchema>>;

/** Whether the half-open rectangle holds the point. */
export function contains(rect: Rect, point: Point): boolean {
  return (
    point.x >= rect.x && point.x < rect.x + rect.width && point.y >= rect.y && point.y < rect.y + rect.height
  );
}

/** Whether `outer` holds every pixel of `inner`. */
export function containsRect(outer: Rect, inner: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** The rectangle of a whole space. */
export function wholeOf(size: Size): Rect {
  return { x: 0, y: 0, width: size.width, height: size.height };
}

function scaleAxis(value: number, from: number, to: number): number {
  return from === to ? value : Math.floor((value * to) / from);
}

/** Maps a point from one space into another by floor. A point inside stays inside; callers check before and after. */
export function scalePoint(point: Point, from: Size, to: Size): Point {
  return { x: scaleAxis(point.x, from.width, to.width), y: scaleAxis(point.y, from.height, to.height) };
}

/** Maps a rectangle by its two corners; every pixel that maps from inside the source lies inside the result. */
export function scaleRect(rect: Rect, from: Size, to: Size): Rect {
  const start = scalePoint(rect, from, to);
  const last = scalePoint({ x: rect.x + rect.width - 1, y: rect.y + rect.height - 1 }, from, to);
  return { x: start.x, y: start.y, width: last.x - start.x + 1, height: last.y - start.y + 1 };
}

/**
 * The point of `to` that `scalePoint` maps onto this one of `from`; where there is none, the one that it lies in. So
 * the place of a click read back is the place that was asked for.
 */
export function unscalePoint(point: Point, from: Size, to: Size): Point {
  return {
    x: unscaleAxis(point.x, from.width, to.width),
    y: unscaleAxis(point.y, from.height, to.height),
  };
}

function unscaleAxis(value: number, from: number, to: number): number {
  const first = Math.ceil((value * to) / from);
  return first < to && scaleAxis(first, to, from) === value ? first : scaleAxis(value, from, to);
}

/**
 * Maps a rectangle by its edges, so that the whole of one space is the whole of the other. It never becomes empty, and
 * one that lies inside stays inside.
 */
export function scaleRegion(rect: Rect, from: Size, to: Size): Rect {
  const start = scalePoint(rect, from, to);
  const end = scalePoint({ x: rect.x + rect.width, y: rect.y + rect.height }, from, to);
  return {
    x: start.x,
    y: start.y,
    width: Math.max(1, end.x - start.x),
    height: Math.max(1, end.y - start.y),
  };
}

export function formatPoint(point: Point): string {
  return `(${point.x}, ${point.y})`;
}

/** As `x 100–499, y 100–399`: the pixels a half-open rectangle holds, both ends inclusive. */
export function formatRect(rect: Rect): string {
  return `x ${rect.x}–${rect.x + rect.width - 1}, y ${rect.y}–${rect.y + rect.height - 1}`;
}
