// Tainted values: what came from a screen or a model. The value lives in a module-private map, so that no printing,
// serialising or property access gives it away; it comes out only through a check, or by an endorsement that names
// its reason and is journalled.
import { inspect } from "node:util";
import { CapuchinError } from "../../diagnostics/errors.js";

/** Told of each endorsement, with the reason and the value's text form. */
export type EndorsementListener = (reason: string, value: string) => void;

interface Content {
  readonly value: unknown;
  readonly endorsed: EndorsementListener | undefined;
}

const contents = new WeakMap<object, Content>();

function contentOf(tainted: object): Content {
  const content = contents.get(tainted);
  if (!content) throw new CapuchinError("E_SCHEMA", "this is no genuine Tainted value");
  return content;
}

/** A schema as zod and its likes have them. */
export interface SchemaLike<Out> {
  safeParse(value: unknown): { readonly success: true; readonly data: Out } | { readonly success: false };
}

/** Untrusted data. Prints as `[tainted]`. */
export class Tainted<T> {
  declare private readonly held: T;

  /** @internal Values are tainted where they enter: see `taint`. */
  constructor(value: T, endorsed?: EndorsementListener) {
    contents.set(this, { value, endorsed });
    Object.freeze(this);
  }

  /**
   * The text, when all of it matches.
   * @throws CapuchinError E_SCHEMA when it does not, when it is no text, or for a pattern with the flag g or y.
   */
  matching(pattern: RegExp): string {
    const { value } = contentOf(this);
    if (/[gy]/.test(pattern.flags))
      throw new CapuchinError(
        "E_SCHEMA",
        "matching takes a pattern without the flags g and y: they keep state between calls",
      );
    // Not ^ and $, which the flag m would turn into line edges.
    const whole = new RegExp(`(?<![\\s\\S])(?:${pattern.source})(?![\\s\\S])`, pattern.flags);
    if (typeof value !== "string" || !whole.test(value))
      throw new CapuchinError("E_SCHEMA", `the tainted value does not match ${pattern}`);
    return value;
  }

  /**
   * The one of these values that it equals.
   * @throws CapuchinError E_SCHEMA when it equals none.
   */
  oneOf<const Allowed extends T>(allowed: readonly Allowed[]): Allowed {
    const { value } = contentOf(this);
    const found = (allowed as readonly unknown[]).indexOf(value);
    if (found < 0) throw new CapuchinError("E_SCHEMA", "the tainted value is none of those allowed");
    return allowed[found] as Allowed;
  }

  /**
   * What a schema makes of it.
   * @throws CapuchinError E_SCHEMA when the schema refuses it; the schema's own words are not repeated.
   */
  parse<Out>(schema: SchemaLike<Out>): Out {
    const parsed = schema.safeParse(contentOf(this).value);
    if (!parsed.success) throw new CapuchinError("E_SCHEMA", "the tainted value does not fit the schema");
    return parsed.data;
  }

  /**
   * The value as it is, on your word. The reason is journalled, and `capuchin check` lists the call.
   * @throws CapuchinError E_SCHEMA without a reason.
   */
  trust(reason: string): T {
    if (typeof reason !== "string" || reason.trim() === "")
      throw new CapuchinError("E_SCHEMA", "trust needs a reason in words");
    const { value, endorsed } = contentOf(this);
    endorsed?.(reason, typeof value === "string" ? value : String(value));
    return value as T;
  }

  toString(): string {
    return "[tainted]";
  }

  toJSON(): string {
    return "[tainted]";
  }

  [Symbol.toPrimitive](): string {
    return "[tainted]";
  }

  [inspect.custom](): string {
    return "[tainted]";
  }
}

/** Marks a value as untrusted. */
export function taint<T>(value: T, endorsed?: EndorsementListener): Tainted<T> {
  return new Tainted(value, endorsed);
}
