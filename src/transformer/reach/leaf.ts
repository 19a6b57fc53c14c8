// Where reach ends: mentions of API functions and dynamic code. Found by name first, judged by declaration.
import { ts } from "ts-morph";
import { API_FUNCTION_LIST, type ApiFunctionName } from "../../contract/api-functions.js";
import type { CapabilityWord } from "../../contract/capability.js";
import type { ApiModel } from "../link/api.js";
import { accessOf, callOf, type Mentions, skipOuter, symbolOf } from "../link/mention.js";
import { isDestructuringTarget } from "../summarise/file-index.js";
import type { ProgramIndex } from "../summarise/program-index.js";

export interface ApiLeaf {
  readonly kind: "api";
  readonly function: ApiFunctionName;
  /** The expression that is the mention: `computer.click`, a key of a pattern, the callee of an alias. */
  readonly place: ts.Node;
  readonly call: ts.CallExpression | undefined;
}

export interface DynamicLeaf {
  readonly kind: "dynamic";
  /** What it is, in the words of a message. */
  readonly construct: string;
  readonly place: ts.Node;
}

/** An export of a package whose summary says what it needs. */
export interface PackageLeaf {
  readonly kind: "package";
  readonly export: string;
  readonly package: string;
  readonly needs: readonly CapabilityWord[];
  readonly place: ts.Node;
}

/** A use of something whose type cannot be found: what it leads to is not known. */
export interface UnresolvedLeaf {
  readonly kind: "unresolved";
  readonly reason: string;
  readonly place: ts.Node;
}

export type Leaf = ApiLeaf | DynamicLeaf | PackageLeaf | UnresolvedLeaf;

function plainCall(node: ts.Node): ts.CallExpression | undefined {
  const call = callOf(node);
  return call && ts.isCallExpression(call) ? call : undefined;
}

function createLeaf(name: ApiFunctionName, mention: ts.Node): ApiLeaf {
  const place = accessOf(mention);
  return { kind: "api", function: name, place, call: plainCall(place) };
}

/** The mentions of the API's functions by their own declarations. */
function directLeaves(api: ApiModel, mentions: Mentions): ApiLeaf[] {
  return API_FUNCTION_LIST.flatMap((name) => {
    const last = name.slice(name.lastIndexOf(".") + 1);
    const places = new Set<ts.Node>();
    for (const [declaration, nodes] of mentions.byDeclaration(last)) {
      if (api.functionOfDeclaration(declaration) === name) for (const node of nodes) places.add(node);
    }
    return [...places].map((node) => createLeaf(name, node));
  });
}

/** The API function that a value of this type is, by its call signature. */
export function functionOfType(
  api: ApiModel,
  checker: ts.TypeChecker,
  type: ts.Type,
): ApiFunctionName | undefined {
  const plain = checker.getNonNullableType(type);
  const parts = plain.isUnionOrIntersection() ? plain.types : [plain];
  for (const part of parts) {
    for (const signature of part.getCallSignatures()) {
      const name = api.functionOfSignature(signature);
      if (name) return name;
    }
  }
  return undefined;
}

function isWritten(mention: ts.Node): boolean {
  const outer = skipOuter(accessOf(mention));
  const { parent } = outer;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isPropertyAssignment(parent)) {
    return isDestructuringTarget(parent);
  }
  if (ts.isArrayLiteralExpression(parent)) return isDestructuringTarget(outer);
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === outer &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

function isAppliedThrough(mention: ts.Node): boolean {
  const outer = skipOuter(accessOf(mention));
  const { parent } = outer;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== outer) return false;
  return ["call", "apply", "bind"].includes(parent.name.text) && callOf(parent) !== undefined;
}

/** Calls of parameters and members that are declared with the type of an API function: their origin is out of sight. */
function declaredLeaves(api: ApiModel, mentions: Mentions, index: ProgramIndex): ApiLeaf[] {
  const { checker } = mentions;
  const leaves: ApiLeaf[] = [];
  for (const declaration of index.files.flatMap((file) => file.annotated)) {
    const hasValue =
      !ts.isParameter(declaration) && !ts.isPropertySignature(declaration) && declaration.initializer;
    const symbol = symbolOf(declaration);
    if (hasValue || !symbol) continue;
    if (!ts.isIdentifier(declaration.name) && !ts.isStringLiteralLike(declaration.name)) continue;
    const name = functionOfType(api, checker, checker.getTypeOfSymbol(symbol));
    if (!name) continue;
    const nodes = mentions.byDeclaration(declaration.name.text).get(declaration) ?? [];
    if (nodes.some(isWritten)) continue;
    for (const node of nodes) {
      const isUse = ts.isBindingElement(node) || plainCall(accessOf(node)) || isAppliedThrough(node);
      if (isUse) leaves.push(createLeaf(name, node));
    }
  }
  return leaves;
}

/** Every mention of an API function, in the order of files and places. */
export function findApiLeaves(api: ApiModel, mentions: Mentions, index: ProgramIndex): ApiLeaf[] {
  const leaves = [...directLeaves(api, mentions), ...declaredLeaves(api, mentions, index)];
  const unique = new Map(
    leaves.map((leaf) => [
      `${leaf.place.getSourceFile().fileName}\0${leaf.place.getStart()}\0${leaf.function}`,
      leaf,
    ]),
  );
  return [...unique.values()].sort((a, b) => comparePlaces(a.place, b.place));
}

/** Orders nodes by file and position. */
export function comparePlaces(a: ts.Node, b: ts.Node): number {
  const [left, right] = [a.getSourceFile().fileName, b.getSourceFile().fileName];
  if (left !== right) return left < right ? -1 : 1;
  return a.getStart() - b.getStart() || a.getEnd() - b.getEnd();
}
