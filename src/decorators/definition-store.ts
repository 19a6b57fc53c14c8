// The authority on what a class declared: a module-private map from class to declaration. Only the decorator writes
// it, once a class. A class's own entry counts, never an ancestor's: a subclass declares for itself.
import type { Declaration } from "../contract/declaration.js";
import { ConfigurationError } from "../diagnostics/errors.js";

const declarations = new WeakMap<object, Declaration>();

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** Keeps the declaration, frozen in depth. @throws ConfigurationError E_SPEC when the class was declared before. */
export function declare(target: object, declaration: Declaration): void {
  if (declarations.has(target)) {
    throw new ConfigurationError(
      "E_SPEC",
      "two @computerUse on one class: which one holds must not depend on order (CU6024)",
    );
  }
  declarations.set(target, freeze(declaration));
}

/** The class's own declaration; undefined for anything that is no declared class. */
export function findDeclaration(target: unknown): Declaration | undefined {
  return typeof target === "function" ? declarations.get(target) : undefined;
}
