// To which declarations a place belongs: the function, member, variable or module whose body it stands in, and
// whatever is assigned there. A place has several owners; whoever mentions one of them leads to the place.
import { ts } from "ts-morph";
import { callOf } from "../link/mention.js";

export interface Owners {
  readonly declarations: readonly ts.Node[];
  /** The module whose loading runs the place, directly or as a callback that it hands out. */
  readonly loads: ts.SourceFile | undefined;
  /** Whether the place runs in the course of a module's top level itself, not in a callback of it. */
  readonly immediate: boolean;
  /** Whether it stands in a statement of the top level, and not in the initialiser of a declaration there. */
  readonly statement: boolean;
}

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

const ADDING_METHODS: ReadonlySet<string> = new Set(["push", "unshift", "splice", "fill", "set", "add"]);
const CONTAINERS: ReadonlySet<string> = new Set(["Array", "Map", "Set", "WeakMap", "WeakSet"]);

/** The names that a pattern declares. */
export function leavesOf(name: ts.BindingName, declaration: ts.Node): readonly ts.Node[] {
  if (ts.isIdentifier(name)) return [declaration];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? leavesOf(element.name, element) : [],
  );
}

function isStatic(node: ts.Node): boolean {
  return (ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Static) !== 0;
}

function isClosure(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** Finds owners. Agents are no part of a module's loading. */
export class OwnerFinder {
  readonly #checker: ts.TypeChecker;
  readonly #isAgent: (node: ts.Node) => boolean;
  readonly #answers = new Map<ts.Node, Owners>();

  constructor(checker: ts.TypeChecker, isAgent: (node: ts.Node) => boolean) {
    this.#checker = checker;
    this.#isAgent = isAgent;
  }

  ownersOf(place: ts.Node): Owners {
    const known = this.#answers.get(place);
    if (known) return known;
    const found = this.#climb(place);
    this.#answers.set(place, found);
    return found;
  }

  #climb(place: ts.Node): Owners {
    const declarations: ts.Node[] = [];
    // A binding element is a mention of a member and the declaration of what it binds.
    if (ts.isBindingElement(place)) declarations.push(...leavesOf(place.name, place));
    let child = place;
    let deferred = false; // inside a function that is not called on the spot
    let stored = false; // such a function is assigned: it runs when what it is assigned to is mentioned
    let called = callOf(place) !== undefined; // handed to a call, or called, since the last such function
    const done = (loads?: ts.SourceFile, statement = false): Owners => ({
      declarations,
      loads,
      immediate: loads !== undefined && !deferred,
      statement,
    });
    for (let node = place.parent; ; child = node, node = node.parent) {
      if (ts.isSourceFile(node)) {
        if (stored) return done();
        declarations.push(node);
        return done(node, true);
      }
      if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node)) {
        called = true;
        if (ts.isCallExpression(node)) declarations.push(...this.#container(node, child));
      } else if (isClosure(node)) {
        if (!callOf(node)) {
          deferred = true;
          called = false;
        }
      } else if (isAssignment(node) && node.right === child) {
        declarations.push(...this.#assigned(node.left));
        if (deferred && !called) stored = true;
      } else if (ts.isVariableDeclaration(node)) {
        if (node.initializer === child) declarations.push(...leavesOf(node.name, node));
        if (isModuleLevel(node) && ts.isVariableStatement(node.parent.parent)) {
          if (!called) return done();
          const file = node.getSourceFile();
          declarations.push(file);
          return done(file);
        }
      } else if (ts.isBindingElement(node) && node.initializer === child) {
        declarations.push(...leavesOf(node.name, node));
      } else if (ts.isExportAssignment(node)) {
        const file = node.getSourceFile();
        declarations.push(node, ...(called ? [file] : []));
        return done(called ? file : undefined);
      } else if (ts.isPropertyAssignment(node)) {
        if (node.initializer === child) declarations.push(node);
      } else if (ts.isFunctionDeclaration(node)) {
        declarations.push(node);
        deferred = true;
        if (isModuleLevel(node)) return done();
        called = false;
      } else if (
        ts.isClassLike(node.parent) &&
        ts.isClassElement(node) &&
        !isEvaluatedWithClass(node, child)
      ) {
        declarations.push(node);
        if (!ts.isPropertyDeclaration(node)) return done();
        if (deferred) return done();
        declarations.push(node.parent);
        if (!isStatic(node) || this.#isAgent(node.parent) || !called) return done();
      } else if (ts.isObjectLiteralElement(node) && (ts.isMethodDeclaration(node) || ts.isAccessor(node))) {
        declarations.push(node); // of an object literal
        deferred = true;
        called = false;
      } else if (ts.isClassLike(node)) {
        declarations.push(node);
        if (this.#isAgent(node)) return done();
      }
    }
  }

  /** What a call puts its arguments into: an array, a map or a set that is added to. */
  #container(call: ts.CallExpression, child: ts.Node): readonly ts.Node[] {
    const { expression } = call;
    if (expression === child || !ts.isPropertyAccessExpression(expression)) return [];
    if (!ADDING_METHODS.has(expression.name.text)) return [];
    const type = this.#checker.getTypeAtLocation(expression.expression);
    return CONTAINERS.has(type.symbol?.name ?? "") ? this.#assigned(expression.expression) : [];
  }

  /** The declarations of what stands left of an assignment. */
  #assigned(target: ts.Expression): readonly ts.Node[] {
    let node: ts.Node = target;
    while (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) {
      node = node.expression;
    }
    if (ts.isObjectLiteralExpression(node)) {
      return node.properties.flatMap((property) => {
        if (ts.isPropertyAssignment(property)) return this.#assigned(property.initializer);
        if (!ts.isShorthandPropertyAssignment(property)) return [];
        return this.#checker.getShorthandAssignmentValueSymbol(property)?.declarations ?? [];
      });
    }
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((each) => this.#assigned(each));
    if (ts.isBinaryExpression(node)) return this.#assigned(node.left);
    // An element of an object that is assigned to belongs to the object.
    const named = ts.isElementAccessExpression(node)
      ? (this.#checker.getSymbolAtLocation(node.argumentExpression) ?? undefined)
      : this.#checker.getSymbolAtLocation(node);
    if (named?.declarations) return named.declarations;
    return ts.isElementAccessExpression(node) ? this.#assigned(node.expression) : [];
  }
}

/** Whether a part of a class runs where the class is evaluated: decorators, heritage, keys, static blocks. */
function isEvaluatedWithClass(member: ts.Node, child: ts.Node): boolean {
  if (ts.isClassStaticBlockDeclaration(member)) return true;
  return ts.isDecorator(child) || ts.isComputedPropertyName(child);
}

/** Whether no function stands around a node: it is evaluated when its module is loaded. */
function isModuleLevel(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) return false;
  }
  return true;
}
