// When pictures are let go, and how many. In batches: each batch changes what was sent before and so costs a part of
// the cache, and each picture that stays costs a little with every request. With p pictures kept and n let go at a
// time, the first costs 1.15 × p / n of a picture each turn and the second 0.1 × (p + n / 2), so that the sum is least
// at n = √(23 × p). Three kept, which is the published advice, makes it eight. The minimum is flat, and each batch also
// costs thinking, so it is ten.
import { describeValue } from "../../../base/escape.js";
import { CapuchinError } from "../../../diagnostics/errors.js";
import { requireKnownNames } from "./known-names.js";

/** How many pictures a request holds, and how many go at once. */
export interface PruneLimits {
  /** Above this many pictures the old ones go. With more than 20 each is made smaller: the API asks for it. */
  readonly maxImages: number;
  /** How many of the newest stay then. */
  readonly keepImages: number;
  /** Base64 characters of all pictures together, well below the API's 32 MB of a request. */
  readonly maxImageCharacters: number;
}

export const PRUNE_LIMITS: PruneLimits = {
  maxImages: 12,
  keepImages: 3,
  maxImageCharacters: 20 * 1024 * 1024,
};

/** Above twenty the API takes only smaller pictures, and they are made so. */
const IMAGES_MAX = 100;
const CHARACTERS_MAX = 28 * 1024 * 1024;

function requireWithin(name: string, value: unknown, least: number, most: number): void {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return;
  throw new CapuchinError(
    "E_SCHEMA",
    `pruneLimits.${name} must be a whole number from ${least} to ${most}, got ${describeValue(value)}`,
  );
}

/**
 * What was asked for, and the defaults for the rest. @throws CapuchinError E_SCHEMA for limits that the API would
 * refuse or that could not be kept, and for names of none.
 */
export function requirePruneLimits(asked: Partial<PruneLimits> = {}): PruneLimits {
  requireKnownNames("pruneLimits", asked, Object.keys(PRUNE_LIMITS));
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const limits: PruneLimits = { ...PRUNE_LIMITS, ...given };
  requireWithin("maxImages", limits.maxImages, 1, IMAGES_MAX);
  requireWithin("keepImages", limits.keepImages, 1, limits.maxImages);
  requireWithin("maxImageCharacters", limits.maxImageCharacters, 1, CHARACTERS_MAX);
  return limits;
}

/**
 * How many of the oldest pictures go now. `sizes`: their base64 characters, oldest first. The newest always stays,
 * whatever its size. By size alone as many stay as fill half of the allowance, so that this too happens in batches.
 */
export function countToDrop(sizes: readonly number[], limits: PruneLimits): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const isTooLarge = total > limits.maxImageCharacters;
  if (sizes.length <= limits.maxImages && !isTooLarge) return 0;
  let keep = 0;
  let characters = 0;
  for (const size of sizes.toReversed()) {
    characters += size;
    const fits = !isTooLarge || characters <= limits.maxImageCharacters / 2;
    if (keep > 0 && (keep >= limits.keepImages || !fits)) break;
    keep += 1;
  }
  return sizes.length - keep;
}
