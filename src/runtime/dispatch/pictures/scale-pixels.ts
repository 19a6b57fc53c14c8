// Scaling in plain TypeScript, for where `sharp` is not installed: each new pixel is the average of the area of the
// old picture that it covers, exactly weighted, so that a thin line becomes fainter and never vanishes.
import type { Size } from "../../../contract/geometry.js";

/** Pixels of three bytes each, row by row. */
export interface RgbPixels extends Size {
  readonly data: Uint8Array;
}

interface Cover {
  readonly first: number;
  readonly weights: readonly number[];
}

/** For each of `to` places, the old places it covers and the share of each. */
function covers(from: number, to: number): Cover[] {
  return Array.from({ length: to }, (_, place) => {
    const start = (place * from) / to;
    const end = ((place + 1) * from) / to;
    const first = Math.floor(start);
    const last = Math.min(from, Math.ceil(end)) - 1;
    const weights = Array.from({ length: Math.max(1, last - first + 1) }, (_ignored, index) => {
      const at = first + index;
      return (Math.min(end, at + 1) - Math.max(start, at)) / (end - start);
    });
    return { first, weights };
  });
}

/** The picture at another size; its shape may change. */
export function scalePixels(source: RgbPixels, to: Size): RgbPixels {
  const narrow = scaleRows(source, to.width);
  return scaleColumns(narrow, source.height, to);
}

function scaleRows({ width, height, data }: RgbPixels, toWidth: number): Float32Array {
  const plan = covers(width, toWidth);
  const scaled = new Float32Array(3 * toWidth * height);
  let at = 0;
  for (let row = 0; row < height; row++) {
    const begin = 3 * row * width;
    for (const { first, weights } of plan) {
      let from = begin + 3 * first;
      for (const weight of weights) {
        scaled[at] = (scaled[at] ?? 0) + weight * (data[from] ?? 0);
        scaled[at + 1] = (scaled[at + 1] ?? 0) + weight * (data[from + 1] ?? 0);
        scaled[at + 2] = (scaled[at + 2] ?? 0) + weight * (data[from + 2] ?? 0);
        from += 3;
      }
      at += 3;
    }
  }
  return scaled;
}

function scaleColumns(narrow: Float32Array, height: number, to: Size): RgbPixels {
  const stride = 3 * to.width;
  const sums = new Float32Array(stride);
  const data = new Uint8Array(stride * to.height);
  covers(height, to.height).forEach(({ first, weights }, row) => {
    sums.fill(0);
    weights.forEach((weight, index) => {
      const from = stride * (first + index);
      for (let at = 0; at < stride; at++) sums[at] = (sums[at] ?? 0) + weight * (narrow[from + at] ?? 0);
    });
    for (let at = 0; at < stride; at++) data[stride * row + at] = Math.round(sums[at] ?? 0);
  });
  return { width: to.width, height: to.height, data };
}
