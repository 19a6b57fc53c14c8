// Copies a value once, so that what was checked is what is used: each property is read a single time, getters
// included, and the copy is plain data with null-prototype objects. Bounded, so that a huge value costs little.

export interface SnapshotLimits {
  readonly depth: number;
  readonly items: number;
  readonly keys: number;
}

export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

const ACTION_LIMITS: SnapshotLimits = { depth: 6, items: 64, keys: 64 };

function copy(value: unknown, path: string, left: number, limits: SnapshotLimits): unknown {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
  if (typeof value === "function") throw new SnapshotError(`${path} is a function`);
  if (left === 0) throw new SnapshotError(`${path} is nested more than ${limits.depth} levels deep`);
  if (Array.isArray(value)) {
    const { length } = value;
    if (!(length <= limits.items)) {
      throw new SnapshotError(`${path} has ${length} items, more than ${limits.items}`);
    }
    const items: unknown[] = [];
    for (let index = 0; index < length; index++) {
      items.push(copy(value[index], `${path}[${index}]`, left - 1, limits));
    }
    return items;
  }
  const keys = Object.keys(value);
  if (keys.length > limits.keys) throw new SnapshotError(`${path} has more than ${limits.keys} members`);
  const members: Record<string, unknown> = Object.create(null);
  for (const key of keys) {
    members[key] = copy((value as Record<string, unknown>)[key], `${path}.${key}`, left - 1, limits);
  }
  return members;
}

/**
 * A plain copy of own enumerable data.
 * @throws SnapshotError when the value is too deep, too long or holds a function; whatever a getter throws.
 */
export function snapshot(value: unknown, limits: SnapshotLimits = ACTION_LIMITS): unknown {
  return copy(value, "$", limits.depth, limits);
}
