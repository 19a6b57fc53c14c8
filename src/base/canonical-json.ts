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

/** The layout of one text: what goes before each item, before a closing bracket, and after a colon. */
interface Layout {
  readonly indent: string;
  readonly colon: string;
}

const COMPACT: Layout = { indent: "", colon: ":" };
const PRETTY: Layout = { indent: "  ", colon: ": " };

function bracket(
  open: string,
  items: readonly string[],
  close: string,
  level: number,
  layout: Layout,
): string {
  if (items.length === 0) return `${open}${close}`;
  if (layout.indent === "") return `${open}${items.join(",")}${close}`;
  const outer = `\n${layout.indent.repeat(level)}`;
  const inner = `${outer}${layout.indent}`;
  return `${open}${inner}${items.join(`,${inner}`)}${outer}${close}`;
}

// Written out here, since an object built in sorted order would still list integer-like keys first.
function write(value: unknown, path: string, level: number, layout: Layout): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`canonical JSON cannot hold ${value} at ${path}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    const items = Array.from(value, (item, index) => write(item, `${path}[${index}]`, level + 1, layout));
    return bracket("[", items, "]", level, layout);
  }
  if (typeof value === "object") {
    const source = value as Record<string, unknown>;
    const members: string[] = [];
    for (const key of Object.keys(source).sort()) {
      const member = source[key];
      if (member === undefined) continue;
      members.push(
        `${JSON.stringify(key)}${layout.colon}${write(member, `${path}.${key}`, level + 1, layout)}`,
      );
    }
    return bracket("{", members, "}", level, layout);
  }
  throw new TypeError(`canonical JSON cannot hold a ${typeof value} at ${path}`);
}

/**
 * The canonical text of a value: sorted keys, no spaces.
 * @throws TypeError for NaN, Infinity, bigint, function and symbol; it names the path.
 */
export function canonicalJson(value: unknown): string {
  return write(value, "$", 0, COMPACT);
}

/** The canonical value laid out for people: sorted keys, two spaces, a closing newline. */
export function canonicalJsonPretty(value: unknown): string {
  return `${write(value, "$", 0, PRETTY)}\n`;
}
