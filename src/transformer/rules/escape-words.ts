// The words and small questions of the escape rule: which names matter, and what can be told from syntax or from the
// flags of a type alone.
import { ts } from "ts-morph";
import { skipOuter } from "../link/mention.js";

export const APPLIERS: ReadonlySet<string> = new Set(["bind", "call", "apply"]);
/** Members that every object has and that lead from the handle to an untyped object. */
export const OBJECT_MEMBERS: readonly string[] = [
  "constructor",
  "__proto__",
  "valueOf",
  "__lookupGetter__",
  "__lookupSetter__",
  "__defineGetter__",
  "__defineSetter__",
];
/** Functions that hand out the members of an object, with types that TypeScript may still follow. */
export const REFLECTORS: ReadonlySet<string> = new Set([
  "Object.values",
  "Object.entries",
  "Object.getOwnPropertyDescriptors",
]);
export const ADVICE = "keep its type: declare what takes it as `typeof computer`, or call the function here";

export function isJavaScript(node: ts.Node): boolean {
  return (node.flags & ts.NodeFlags.JavaScriptFile) !== 0;
}

export function isUntyped(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
}

/** Where the type of a variable without a declared one is followed: not across functions. */
export function isScope(node: ts.Node): boolean {
  return ts.isFunctionLike(node) || ts.isSourceFile(node) || ts.isClassStaticBlockDeclaration(node);
}

/** Whether an expression is made of literals alone, which hold nothing. */
export function isInnocent(expression: ts.Expression): boolean {
  if (ts.isObjectLiteralExpression(expression)) {
    return expression.properties.every(
      (each) => ts.isPropertyAssignment(each) && isInnocent(each.initializer),
    );
  }
  if (ts.isArrayLiteralExpression(expression)) return expression.elements.every(isInnocent);
  return (
    ts.isStringLiteralLike(expression) ||
    ts.isTemplateExpression(expression) ||
    ts.isNumericLiteral(expression) ||
    ts.isRegularExpressionLiteral(expression) ||
    (expression.kind >= ts.SyntaxKind.FirstKeyword &&
      expression.kind <= ts.SyntaxKind.LastKeyword &&
      expression.kind !== ts.SyntaxKind.ThisKeyword)
  );
}

/** Whether a value may be called with the handle by whoever it is given to. */
export function isTaker(type: ts.Type, expression: ts.Expression): boolean {
  if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) {
    return expression.parameters.some((each) => each.type !== undefined || each.dotDotDotToken !== undefined);
  }
  const isOwn = type.symbol?.declarations?.some((each) => !each.getSourceFile().isDeclarationFile) ?? false;
  return isOwn && (type.flags & ts.TypeFlags.Object) !== 0 && expression.kind !== ts.SyntaxKind.ThisKeyword;
}

/** The dotted text of a callee that is made of names alone; empty for any other. */
export function calleeText(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (!ts.isPropertyAccessExpression(expression) || !ts.isIdentifier(expression.expression)) return "";
  return `${expression.expression.text}.${expression.name.text}`;
}

/** Whether the value of an expression goes nowhere. */
export function isDropped(expression: ts.Expression): boolean {
  const { parent } = skipOuter(expression);
  return ts.isVoidExpression(parent) || ts.isExpressionStatement(parent);
}
