// Who answers for a call of the API: the static type of its first argument.
import { ts } from "ts-morph";
import type { Agent } from "../agents/agents.js";

export type Answer =
  | { readonly kind: "agent"; readonly agent: Agent }
  | { readonly kind: "none"; readonly name: string }
  | { readonly kind: "untyped"; readonly reason: string };

/** Every answer that a value of a type may give; a union gives one for each member. */
export function answersOf(
  type: ts.Type,
  checker: ts.TypeChecker,
  byClass: ReadonlyMap<ts.Node, Agent>,
): readonly Answer[] {
  const text = checker.typeToString(type);
  if (type.flags & ts.TypeFlags.Any)
    return [{ kind: "untyped", reason: "the agent argument is of type any" }];
  if (type.flags & ts.TypeFlags.Unknown) {
    return [{ kind: "untyped", reason: "the agent argument is of type unknown" }];
  }
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    const isBare = !constraint || constraint === type || (constraint.flags & ts.TypeFlags.Unknown) !== 0;
    if (isBare) return [{ kind: "untyped", reason: `the type parameter ${text} has no constraint` }];
    return answersOf(constraint, checker, byClass);
  }
  if (type.isUnion()) return type.types.flatMap((part) => answersOf(part, checker, byClass));
  if (type.isIntersection()) {
    const parts = type.types.flatMap((part) => answersOf(part, checker, byClass));
    return parts.filter((part) => part.kind === "agent").length > 0
      ? parts.filter((part) => part.kind === "agent")
      : parts.slice(0, 1);
  }
  if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Never)) return [];
  const isInstance = type.isClassOrInterface() || (type as ts.TypeReference).target !== undefined;
  const agent = isInstance
    ? type.symbol?.declarations?.map((declaration) => byClass.get(declaration)).find((found) => found)
    : undefined;
  return [agent ? { kind: "agent", agent } : { kind: "none", name: text }];
}

/** The type of an argument; of a spread, that of its first element. */
export function argumentType(
  call: ts.CallExpression,
  index: number,
  checker: ts.TypeChecker,
): ts.Type | undefined {
  const spread = call.arguments.slice(0, index + 1).findIndex((each) => ts.isSpreadElement(each));
  if (spread < 0) {
    const argument = call.arguments[index];
    return argument && checker.getTypeAtLocation(argument);
  }
  const argument = call.arguments[spread];
  if (!argument || !ts.isSpreadElement(argument)) return undefined;
  const type = checker.getTypeAtLocation(argument.expression);
  const element = checker.getPropertyOfType(type, String(index - spread));
  return element ? checker.getTypeOfSymbol(element) : undefined;
}

/** Whether an argument is written with a cast that fits every parameter and says nothing. */
export function isCastToNever(argument: ts.Expression | undefined): boolean {
  let node = argument;
  while (node && ts.isParenthesizedExpression(node)) node = node.expression;
  if (!node || !(ts.isAsExpression(node) || ts.isTypeAssertionExpression(node))) return false;
  return node.type.kind === ts.SyntaxKind.NeverKeyword;
}
