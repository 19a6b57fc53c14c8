// What a mention resolves to, and what stands before the dot. Each node is asked once.
import { ts } from "ts-morph";
import { isDestructuringTarget, type MentionNode } from "../summarise/file-index.js";
import type { ProgramIndex } from "../summarise/program-index.js";
import { resolveAlias } from "./api.js";

interface PatternChecker {
  getTypeOfAssignmentPattern(pattern: ts.Node): ts.Type | undefined;
}

/** The symbol that the binder gave to a declaration. */
export function symbolOf(declaration: ts.Node): ts.Symbol | undefined {
  return (declaration as ts.Node & { readonly symbol?: ts.Symbol }).symbol;
}

/** The whole expression whose last part a mention is: `computer.click` for its `click`. */
export function accessOf(node: ts.Node): ts.Node {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return parent;
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) return parent;
  if (ts.isElementAccessExpression(node)) return node;
  return node;
}

/** What brackets, `!`, `as` and `satisfies` are written around. */
export function skipOuter(node: ts.Node): ts.Node {
  let at = node;
  while (
    ts.isParenthesizedExpression(at.parent) ||
    ts.isNonNullExpression(at.parent) ||
    ts.isAsExpression(at.parent) ||
    ts.isTypeAssertionExpression(at.parent) ||
    ts.isSatisfiesExpression(at.parent)
  ) {
    at = at.parent;
  }
  return at;
}

/** The call whose callee a node is, also within brackets, or undefined. */
export function callOf(node: ts.Node): ts.CallExpression | ts.NewExpression | undefined {
  const outer = skipOuter(node);
  const { parent } = outer;
  const isCallee = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === outer;
  return isCallee ? parent : undefined;
}

/** Resolves mentions of one program. */
export class Mentions {
  readonly checker: ts.TypeChecker;
  readonly #index: ProgramIndex;
  readonly #symbols = new Map<ts.Node, readonly ts.Symbol[]>();
  readonly #byName = new Map<string, ReadonlyMap<ts.Node, readonly ts.Node[]>>();
  readonly #computed = new Map<string, ts.Node[]>();

  constructor(checker: ts.TypeChecker, index: ProgramIndex) {
    this.checker = checker;
    this.#index = index;
    for (const file of index.files) for (const node of file.computed) this.#addComputed(node);
  }

  /** A key whose type is one name, or a union of names, mentions each. */
  #addComputed(node: ts.ElementAccessExpression | ts.BindingElement): void {
    const key = ts.isElementAccessExpression(node)
      ? node.argumentExpression
      : node.propertyName && ts.isComputedPropertyName(node.propertyName)
        ? node.propertyName.expression
        : undefined;
    for (const name of key ? this.keyNames(key) : []) {
      const known = this.#computed.get(name);
      if (known) known.push(node);
      else this.#computed.set(name, [node]);
    }
  }

  /** The names that a key can be, when its type says so; empty when it does not. */
  keyNames(key: ts.Expression): readonly string[] {
    const type = this.checker.getTypeAtLocation(key);
    const parts = type.isUnion() ? type.types : [type];
    const names = parts.map((part) => {
      if (part.isStringLiteral()) return part.value;
      if (part.flags & ts.TypeFlags.UniqueESSymbol) {
        return ts.unescapeLeadingUnderscores((part as ts.UniqueESSymbolType).escapedName);
      }
      return part.isNumberLiteral() ? String(part.value) : undefined;
    });
    return names.includes(undefined) ? [] : names.filter((name) => name !== undefined);
  }

  /** Every node that may mention something of a name, those with a computed key included. */
  candidates(name: string): readonly ts.Node[] {
    const computed = this.#computed.get(name);
    const named = this.#index.mentionsOf(name);
    return computed ? [...named, ...computed] : named;
  }

  /** The mentions of each declaration of a name. */
  byDeclaration(name: string): ReadonlyMap<ts.Node, readonly ts.Node[]> {
    const known = this.#byName.get(name);
    if (known) return known;
    const table = new Map<ts.Node, ts.Node[]>();
    for (const node of this.candidates(name)) {
      const declarations = new Set(this.symbolsAt(node).flatMap((symbol) => symbol.declarations ?? []));
      for (const declaration of declarations) {
        const list = table.get(declaration);
        if (list) list.push(node);
        else table.set(declaration, [node]);
      }
    }
    this.#byName.set(name, table);
    return table;
  }

  /** The symbols that a mention stands for, aliases followed. */
  symbolsAt(node: ts.Node): readonly ts.Symbol[] {
    const known = this.#symbols.get(node);
    if (known) return known;
    const found = this.#find(node as MentionNode | ts.ElementAccessExpression).map((symbol) =>
      resolveAlias(this.checker, symbol),
    );
    this.#symbols.set(node, found);
    return found;
  }

  #find(node: MentionNode | ts.ElementAccessExpression): readonly ts.Symbol[] {
    if (ts.isBindingElement(node)) return this.#bindingSymbols(node);
    if (ts.isElementAccessExpression(node)) {
      const type = this.checker.getTypeAtLocation(node.expression);
      return this.keyNames(node.argumentExpression).flatMap((name) => this.#property(type, name));
    }
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
      if (isDestructuringTarget(node.parent)) {
        const type = this.#patternType(node.parent);
        const name =
          ts.isIdentifier(node.name) || ts.isStringLiteralLike(node.name) ? node.name.text : undefined;
        return type && name !== undefined ? this.#property(type, name) : [];
      }
      const value = ts.isShorthandPropertyAssignment(node)
        ? this.checker.getShorthandAssignmentValueSymbol(node)
        : undefined;
      return value ? [value] : [];
    }
    const { parent } = node;
    if (ts.isStringLiteralLike(node) && ts.isElementAccessExpression(parent)) {
      return this.#property(this.checker.getTypeAtLocation(parent.expression), node.text);
    }
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol ? [symbol] : [];
  }

  #bindingSymbols(node: ts.BindingElement): readonly ts.Symbol[] {
    const type = this.checker.getTypeAtLocation(node.parent);
    const key = node.propertyName ?? node.name;
    if (ts.isIdentifier(key) || ts.isStringLiteralLike(key)) return this.#property(type, key.text);
    if (!ts.isComputedPropertyName(key)) return [];
    return this.keyNames(key.expression).flatMap((name) => this.#property(type, name));
  }

  #patternType(pattern: ts.Node): ts.Type | undefined {
    return (this.checker as unknown as PatternChecker).getTypeOfAssignmentPattern(pattern);
  }

  #property(type: ts.Type, name: string): readonly ts.Symbol[] {
    const apparent = this.checker.getApparentType(this.checker.getNonNullableType(type));
    const found = this.checker.getPropertyOfType(apparent, name);
    return found ? [found] : [];
  }

  /** The type of what a member is taken from, or undefined when the mention is no member access. */
  receiverType(node: ts.Node): ts.Type | undefined {
    if (ts.isBindingElement(node)) return this.checker.getTypeAtLocation(node.parent);
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
      return isDestructuringTarget(node.parent) ? this.#patternType(node.parent) : undefined;
    }
    const access = accessOf(node);
    const isAccess = ts.isPropertyAccessExpression(access) || ts.isElementAccessExpression(access);
    return isAccess ? this.checker.getTypeAtLocation(access.expression) : undefined;
  }
}

/** The expression before the dot, or undefined. */
export function receiverExpression(node: ts.Node): ts.Expression | undefined {
  const access = accessOf(node);
  const isAccess = ts.isPropertyAccessExpression(access) || ts.isElementAccessExpression(access);
  return isAccess ? access.expression : undefined;
}
