// Whether a constant object or array is written to anywhere in the program: by assignment, delete, a mutating
// method, `Object.assign` and its like, or through another constant that names the same object.
import { ts } from "ts-morph";
import { resolveAlias } from "../link/api.js";
import type { MentionNode } from "../summarise/file-index.js";
import { isDestructuringTarget } from "../summarise/file-index.js";
import type { ProgramIndex } from "../summarise/program-index.js";

const MUTATING_METHODS: ReadonlySet<string> = new Set([
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
  "copyWithin",
]);

const MUTATING_STATICS: ReadonlySet<string> = new Set([
  "Object.assign",
  "Object.defineProperty",
  "Object.defineProperties",
  "Object.setPrototypeOf",
  "Reflect.set",
  "Reflect.defineProperty",
  "Reflect.deleteProperty",
  "Reflect.setPrototypeOf",
]);

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** Finds writes, each symbol asked once. */
export class WriteFinder {
  readonly #checker: ts.TypeChecker;
  readonly #index: ProgramIndex;
  readonly #answers = new Map<ts.Symbol, ts.Node | undefined>();

  constructor(checker: ts.TypeChecker, index: ProgramIndex) {
    this.#checker = checker;
    this.#index = index;
  }

  /** The first place that writes into what the symbol names, or undefined. */
  findWrite(symbol: ts.Symbol): ts.Node | undefined {
    if (this.#answers.has(symbol)) return this.#answers.get(symbol);
    this.#answers.set(symbol, undefined);
    for (const name of this.#namesOf(symbol)) {
      for (const node of this.#index.mentionsOf(name)) {
        const write = this.#mentions(node, symbol) ? this.#writeAt(node) : undefined;
        if (!write) continue;
        this.#answers.set(symbol, write);
        return write;
      }
    }
    return undefined;
  }

  /** The names under which a symbol is mentioned; a JSON module has those that its importers give it. */
  #namesOf(symbol: ts.Symbol): readonly string[] {
    const file = symbol.declarations?.[0];
    if (!file || !ts.isSourceFile(file)) return [symbol.name];
    return this.#index.files.flatMap(({ file: from }) =>
      from.statements.flatMap((statement) => {
        const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
        const bindings = clause?.namedBindings;
        const namespace = bindings && ts.isNamespaceImport(bindings) ? [bindings.name.text] : [];
        return [...(clause?.name ? [clause.name.text] : []), ...namespace];
      }),
    );
  }

  #mentions(node: MentionNode, symbol: ts.Symbol): boolean {
    const found = ts.isShorthandPropertyAssignment(node)
      ? this.#checker.getShorthandAssignmentValueSymbol(node)
      : this.#checker.getSymbolAtLocation(node);
    return found !== undefined && resolveAlias(this.#checker, found) === symbol;
  }

  #writeAt(mention: ts.Node): ts.Node | undefined {
    let node: ts.Node = mention;
    let member: string | undefined;
    for (let parent = node.parent; parent; node = parent, parent = parent.parent) {
      if (ts.isPropertyAccessExpression(parent)) {
        if (parent.expression === node) member = parent.name.text;
      } else if (ts.isElementAccessExpression(parent)) {
        if (parent.argumentExpression === node) return undefined;
        member = "";
      } else if (
        !ts.isParenthesizedExpression(parent) &&
        !ts.isNonNullExpression(parent) &&
        !ts.isAsExpression(parent) &&
        !ts.isSatisfiesExpression(parent)
      ) {
        return this.#useAt(node, parent, member);
      }
    }
    return undefined;
  }

  #useAt(node: ts.Node, parent: ts.Node, member: string | undefined): ts.Node | undefined {
    if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind)) {
      return parent;
    }
    if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) {
      const { operator } = parent;
      const writes = operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
      return writes ? parent : undefined;
    }
    if (ts.isDeleteExpression(parent)) return parent;
    if (ts.isCallExpression(parent)) {
      const callee = parent.expression;
      if (callee === node) return member !== undefined && MUTATING_METHODS.has(member) ? parent : undefined;
      const isStatic = MUTATING_STATICS.has(callee.getText().replace(/\s/g, ""));
      if (isStatic) return parent.arguments[0] === node ? parent : undefined;
      return this.#parameterWrite(parent, node);
    }
    if (
      ts.isPropertyAssignment(parent) ||
      ts.isArrayLiteralExpression(parent) ||
      ts.isSpreadElement(parent)
    ) {
      return isDestructuringTarget(parent) ? parent : undefined;
    }
    if (ts.isForInStatement(parent) || ts.isForOfStatement(parent)) {
      return parent.initializer === node ? parent : undefined;
    }
    if (ts.isVariableDeclaration(parent) && parent.initializer === node) return this.#aliasWrite(parent.name);
    return undefined;
  }

  /** A write through another name of the object, or of a part of it. */
  #aliasWrite(name: ts.BindingName): ts.Node | undefined {
    if (ts.isIdentifier(name)) {
      const alias = this.#checker.getSymbolAtLocation(name);
      return alias && this.findWrite(alias);
    }
    for (const element of name.elements) {
      const write = ts.isBindingElement(element) ? this.#aliasWrite(element.name) : undefined;
      if (write) return write;
    }
    return undefined;
  }

  /** A write that a function of the program makes to the parameter that it is given the object for. */
  #parameterWrite(call: ts.CallExpression, argument: ts.Node): ts.Node | undefined {
    const index = (call.arguments as readonly ts.Node[]).indexOf(argument);
    const declaration = index < 0 ? undefined : this.#checker.getResolvedSignature(call)?.declaration;
    const parameter = declaration && "parameters" in declaration ? declaration.parameters[index] : undefined;
    if (!parameter || !ts.isParameter(parameter) || parameter.getSourceFile().isDeclarationFile)
      return undefined;
    return this.#aliasWrite(parameter.name);
  }
}
