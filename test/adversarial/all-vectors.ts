// Every vector that an action can be, for the runners.
import { BOUNDS_VECTORS } from "./bounds.js";
import { KEY_VECTORS } from "./keys.js";
import { LIMIT_VECTORS } from "./limits.js";
import { TEXT_VECTORS } from "./text.js";
import type { Vector } from "./vector.js";

export const ALL_VECTORS: readonly Vector[] = [
  ...KEY_VECTORS,
  ...TEXT_VECTORS,
  ...BOUNDS_VECTORS,
  ...LIMIT_VECTORS,
];
