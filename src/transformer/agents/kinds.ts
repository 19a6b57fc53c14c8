// What a decorated thing really is, in the words of a message.
import { ts } from "ts-morph";

const KINDS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.MethodDeclaration, "a method"],
  [ts.SyntaxKind.PropertyDeclaration, "a property"],
  [ts.SyntaxKind.GetAccessor, "an accessor"],
  [ts.SyntaxKind.SetAccessor, "an accessor"],
  [ts.SyntaxKind.Parameter, "a parameter"],
  [ts.SyntaxKind.Constructor, "a constructor"],
  [ts.SyntaxKind.FunctionDeclaration, "a function"],
  [ts.SyntaxKind.FunctionExpression, "a function"],
  [ts.SyntaxKind.ArrowFunction, "a function"],
  [ts.SyntaxKind.EnumDeclaration, "an enum"],
  [ts.SyntaxKind.InterfaceDeclaration, "an interface"],
  [ts.SyntaxKind.TypeAliasDeclaration, "a type alias"],
  [ts.SyntaxKind.VariableStatement, "a variable"],
  [ts.SyntaxKind.VariableDeclaration, "a variable"],
  [ts.SyntaxKind.ModuleDeclaration, "a namespace"],
  [ts.SyntaxKind.ObjectLiteralExpression, "an object"],
  [ts.SyntaxKind.ClassStaticBlockDeclaration, "a static block"],
]);

/** The kind of a node, with its article. */
export function describeKind(node: ts.Node): string {
  return KINDS.get(node.kind) ?? "an expression";
}

/** Why a class is no agent, or undefined when it can be one. */
export function describeUnfitClass(node: ts.ClassLikeDeclaration, hasName: boolean): string | undefined {
  const isAbstract = node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.AbstractKeyword);
  if (isAbstract) return "an abstract class";
  return node.name || hasName ? undefined : "an anonymous class";
}
