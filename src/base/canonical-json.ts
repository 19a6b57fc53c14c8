// Canonical JSON: one text for one value. Keys sorted by UTF-16 code unit at every depth, no spaces, own
// enumerable keys only, and nothing that JSON cannot carry exactly (undefined members are dropped, as JSON does).

/** A value that JSON can carry without loss. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

function sortValue(value: unknown, path: string): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`canonical JSON cannot hold ${value} at ${path}`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item, index) => sortValue(item, `${path}[${index}]`));
  if (typeof value === "object") {
    const source = value as Record<string, unknown>;
    // A null prototype, so that a key named __proto__ is an ordinary member and not a setter.
    const sorted: Record<string, unknown> = Object.create(null);
    for (const key of Object.keys(source).sort()) {
      if (source[key] !== undefined) sorted[key] = sortValue(source[key], `${path}.${key}`);
    }
    return sorted;
  }
  throw new TypeError(`canonical JSON cannot hold a ${typeof value} at ${path}`);
}

/**
 * The canonical text of a value: sorted keys, no spaces.
 * @throws TypeError for NaN, Infinity, bigint, function and symbol; it names the path.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortValue(value, "$"));
}

/** The canonical value laid out for people: sorted keys, two spaces, a closing newline. */
export function canonicalJsonPretty(value: unknown): string {
  return `${JSON.stringify(sortValue(value, "$"), null, 2)}\n`;
}
