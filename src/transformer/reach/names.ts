// The names under which a declaration can be mentioned, and the name that a path shows for it.
import { ts } from "ts-morph";
import { symbolOf } from "../link/mention.js";

function textOf(name: ts.Node | undefined): string | undefined {
  if (!name) return undefined;
  const isText =
    ts.isIdentifier(name) ||
    ts.isPrivateIdentifier(name) ||
    ts.isStringLiteralLike(name) ||
    ts.isNumericLiteral(name);
  return isText ? name.text : undefined;
}

function declaredName(node: ts.Node): ts.Node | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name;
  if (ts.isElementAccessExpression(node)) return node.argumentExpression;
  if (ts.isBinaryExpression(node)) return declaredName(node.left);
  return (node as ts.Node & { readonly name?: ts.Node }).name;
}

/** The names by which other code can mention a declaration; its own, and `default` where it is the default export. */
export function namesOf(node: ts.Node, checker: ts.TypeChecker): readonly string[] {
  if (ts.isSourceFile(node) || ts.isConstructorDeclaration(node)) return [];
  if (ts.isExportAssignment(node)) return [node.isExportEquals ? "export=" : "default"];
  const name = declaredName(node);
  const names: string[] = [];
  const own = textOf(name);
  if (own !== undefined) names.push(own);
  else if (name && ts.isComputedPropertyName(name)) {
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol) names.push(ts.unescapeLeadingUnderscores(symbol.escapedName));
  }
  const flags = ts.canHaveModifiers(node) ? ts.getCombinedModifierFlags(node as ts.Declaration) : 0;
  if (flags & ts.ModifierFlags.Default) names.push("default");
  return names;
}

/** A declaration as a path shows it: `Class.member`, a function's name, `new Class`, a module. */
export function displayName(node: ts.Node): string {
  if (ts.isSourceFile(node)) return `module ${node.fileName.slice(node.fileName.lastIndexOf("/") + 1)}`;
  if (ts.isClassLike(node)) return `class ${node.name?.text ?? "(anonymous)"}`;
  if (ts.isExportAssignment(node)) return "default export";
  const name = declaredName(node);
  const own = ts.isConstructorDeclaration(node)
    ? "constructor"
    : (textOf(name) ?? name?.getText() ?? "(anonymous)");
  const { parent } = node;
  if (parent && ts.isClassLike(parent)) return `${parent.name?.text ?? "(anonymous)"}.${own}`;
  return own;
}

/** The node that a path points at for a declaration: its name where it has one. */
export function nameNode(node: ts.Node): ts.Node {
  return declaredName(node) ?? node;
}

/** Whether code runs a member without naming it: conversions, iteration, disposal, awaiting. */
export function isImplicitMember(node: ts.Node): boolean {
  const name = declaredName(node);
  if (name && ts.isComputedPropertyName(name)) return true;
  const text = textOf(name);
  return text === "toString" || text === "valueOf" || text === "toJSON" || text === "then";
}

/** The members of a class under each name, computed ones by their symbol. */
export function memberNames(member: ts.Node, checker: ts.TypeChecker): readonly string[] {
  const own = namesOf(member, checker).filter((name) => name !== "default");
  if (own.length > 0) return own;
  const symbol = symbolOf(member);
  return symbol ? [symbol.name] : [];
}
