// `@computerUse`: declares what a class may do. Works as a standard (TC39) decorator, as a legacy
// (`experimentalDecorators`) decorator and as a plain call; returns the class itself, unchanged. The declaration is
// kept in the definition store; `Symbol.metadata` and reflect-metadata hold copies for others to read, never a source.

import { SnapshotError, snapshot } from "../base/snapshot.js";
import type { CapLiteral } from "../contract/cap-literal.js";
import { type ComputerUseOptions, checkDeclaration } from "../contract/declaration.js";
import { ConfigurationError } from "../diagnostics/errors.js";
import { declare } from "./definition-store.js";

/** Any class, abstract and generic ones included. */
// biome-ignore lint/suspicious/noExplicitAny: a decorator's target takes whatever constructor there is; `never[]` rejects classes with parameters in legacy mode.
export type AnyClass = abstract new (...args: any[]) => object;

/** What `computerUse(options)` returns: a decorator for both modes that is also a function from a class to itself. */
export interface AgentDecorator {
  <Class extends AnyClass>(target: Class, context: ClassDecoratorContext<Class>): void;
  <Class extends AnyClass>(target: Class): Class;
}

// Compilers look the symbol up when a class is defined, so it must exist before that.
const metadataKey: symbol = Symbol.metadata ?? Symbol.for("Symbol.metadata");
if (Symbol.metadata === undefined) {
  Object.defineProperty(Symbol, "metadata", { value: metadataKey, configurable: false, writable: false });
}

/** Under this key the mirrors hold a frozen copy of the options. */
export const MIRROR_KEY = "capuchin:computerUse";

interface ReflectWithMetadata {
  defineMetadata?(key: unknown, value: unknown, target: object): void;
}

function mirror(target: AnyClass, context: ClassDecoratorContext | undefined, options: object): void {
  const copy = Object.freeze({ ...options });
  // Without a context there is no metadata object to write to; a class that inherits one must not get ours on it.
  if (context?.metadata) context.metadata[MIRROR_KEY] = copy;
  (Reflect as ReflectWithMetadata).defineMetadata?.(MIRROR_KEY, copy, target);
}

/** A plain copy of the options, each read once. */
function copyOf(options: unknown): Record<string, unknown> {
  try {
    return snapshot(options, { depth: 5, items: 1000, keys: 64 }) as Record<string, unknown>;
  } catch (error) {
    const reason = error instanceof SnapshotError ? error.message : "they cannot be read";
    throw new ConfigurationError("E_SPEC", `@computerUse: options: ${reason}`, { cause: error });
  }
}

/** Arrow functions, methods and async functions have no prototype, and can construct nothing. */
function isConstructible(target: unknown): boolean {
  return typeof target === "function" && typeof target.prototype === "object" && target.prototype !== null;
}

/**
 * Declares an agent. Coordinates and sizes are viewport pixels, origin top left.
 *
 * The build proves that the class's code stays within `cap`; the run enforces it action by action.
 * @throws ConfigurationError E_SPEC when an option is malformed, with the build's code in the text.
 * @throws ConfigurationError E_SPEC when the decorated thing is not a class, or is declared already.
 */
export function computerUse<const Cap extends string>(
  options: Omit<ComputerUseOptions, "cap"> & {
    readonly cap: Cap extends CapLiteral<Cap> ? Cap : CapLiteral<Cap>;
  },
): AgentDecorator {
  const copy = copyOf(options);
  const checked = checkDeclaration(copy);
  const { declaration } = checked;
  if (!declaration) {
    const text = checked.problems
      .map(
        (problem) => `${problem.code} ${problem.option ?? "options"} ${problem.reason} (got ${problem.got})`,
      )
      .join("; ");
    throw new ConfigurationError(
      "E_SPEC",
      `@computerUse: ${text}; capuchin explain ${checked.problems[0]?.code ?? ""}`,
    );
  }
  const decorate = <Class extends AnyClass>(
    target: Class,
    context?: ClassDecoratorContext<Class>,
    // A legacy parameter decorator of a constructor gets the class and, third, the parameter's index.
    index?: number,
  ): Class => {
    const onClass = index === undefined && (context === undefined || context.kind === "class");
    if (!onClass || !isConstructible(target)) {
      throw new ConfigurationError(
        "E_SPEC",
        `@computerUse decorates a class, not a ${index === undefined ? (context?.kind ?? typeof target) : "parameter"} (CU6020)`,
      );
    }
    declare(target, declaration);
    mirror(target, context, copy);
    return target;
  };
  return decorate as AgentDecorator;
}
