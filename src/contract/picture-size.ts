// How large a picture a model takes, by the rule that the API publishes: a size within both limits of the model's
// tier is never scaled by the server, so that the model's numbers mean the pixels that were sent. Pure integers.
import type { Size } from "./geometry.js";
import type { PictureTier } from "./models.js";

export interface PictureLimits {
  /** Pixels of the longer side. */
  readonly longEdge: number;
  /** Visual tokens of the whole picture. */
  readonly tokens: number;
}

/** The published limits of each tier (docs/pictures.md). */
export const PICTURE_LIMITS: Readonly<Record<PictureTier, PictureLimits>> = {
  standard: { longEdge: 1568, tokens: 1568 },
  high: { longEdge: 2576, tokens: 4784 },
};

/** A visual token stands for a square of that many pixels a side. */
const TOKEN_SIDE = 28;

/** The longest side that a request with up to 20 pictures may have, and one with more. */
export const MAX_SIDE = { few: 8000, many: 2000 } as const;
export const FEW_PICTURES = 20;

/** What a picture costs, by the published formula. */
export function visualTokens({ width, height }: Size): number {
  return Math.ceil(width / TOKEN_SIDE) * Math.ceil(height / TOKEN_SIDE);
}

/** `value × numerator / denominator` to the nearest integer, a half to the even one, at least 1. */
function scaleRound(value: number, numerator: number, denominator: number): number {
  const product = value * numerator;
  const below = Math.floor(product / denominator);
  const rest = 2 * (product - below * denominator);
  const up = rest > denominator || (rest === denominator && below % 2 === 1);
  return Math.max(1, up ? below + 1 : below);
}

/** The size of the source's shape with that longer side. */
function withLongEdge({ width, height }: Size, longEdge: number): Size {
  return width >= height
    ? { width: longEdge, height: scaleRound(longEdge, height, width) }
    : { width: scaleRound(longEdge, width, height), height: longEdge };
}

/** The largest size of the source's shape with a longer side of at most `longMax` and that many tokens. */
function largest(source: Size, longMax: number, tokens: number): Size {
  let low = 1;
  let high = longMax;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (visualTokens(withLongEdge(source, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return withLongEdge(source, low);
}

/**
 * The size of the pictures for a viewport: the largest of its shape within both limits of the tier and within
 * `maxSide`, never larger than the viewport itself.
 */
export function pictureSize(viewport: Size, tier: PictureTier, maxSide: number = MAX_SIDE.few): Size {
  const { longEdge, tokens } = PICTURE_LIMITS[tier];
  const longMax = Math.min(Math.max(viewport.width, viewport.height), longEdge, maxSide);
  return largest(viewport, longMax, tokens);
}

/**
 * The size of a close look at a region: the largest of the region's shape that is no longer than the run's pictures
 * and costs no more than one of them. A small region is scaled up.
 */
export function zoomSize(region: Size, picture: Size): Size {
  return largest(region, Math.max(picture.width, picture.height), visualTokens(picture));
}
