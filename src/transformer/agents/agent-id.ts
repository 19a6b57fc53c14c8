// The id of an agent: its class name, or `file#outer.Name` where the class stands inside something else.
import { ts } from "ts-morph";

function nameOf(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  const { name } = node as ts.Node & { name?: ts.Node };
  if (!name) return undefined;
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name)) return name.text;
  return undefined;
}

function isNamedOuter(node: ts.Node): boolean {
  return (
    ts.isFunctionLike(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isClassLike(node)
  );
}

/** Whether the class is what a top-level statement declares, assigns or exports. */
function isTopLevel(node: ts.ClassLikeDeclaration): boolean {
  if (ts.isClassDeclaration(node)) return ts.isSourceFile(node.parent);
  let child: ts.Node = node;
  let parent: ts.Node = node.parent;
  let applied = false;
  for (;;) {
    if (
      ts.isParenthesizedExpression(parent) ||
      ts.isAsExpression(parent) ||
      ts.isSatisfiesExpression(parent)
    ) {
      child = parent;
      parent = parent.parent;
      continue;
    }
    // One call only: that of the decorator itself.
    if (ts.isCallExpression(parent) && parent.arguments[0] === child && !applied) {
      applied = true;
      child = parent;
      parent = parent.parent;
      continue;
    }
    break;
  }
  if (ts.isVariableDeclaration(parent)) return ts.isSourceFile(parent.parent.parent.parent);
  if (ts.isExportAssignment(parent)) return ts.isSourceFile(parent.parent);
  return ts.isExpressionStatement(parent) && ts.isSourceFile(parent.parent);
}

/** The id, given the option `name` and the file's name in reports. */
export function agentId(node: ts.ClassLikeDeclaration, option: string | undefined, file: string): string {
  const own = option ?? node.name?.text ?? "";
  if (option !== undefined || isTopLevel(node)) return own;
  const outer: string[] = [];
  for (let at: ts.Node = node.parent; !ts.isSourceFile(at); at = at.parent) {
    const name = isNamedOuter(at) ? nameOf(at) : undefined;
    if (name !== undefined) outer.unshift(name);
  }
  return `${file}#${[...outer, own].join(".")}`;
}
