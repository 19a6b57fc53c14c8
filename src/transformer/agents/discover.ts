// Finds what `computerUse` is applied to: decorators and plain calls, through any alias, constant, factory or
// re-export. Whether an application is ours is decided by evaluation, or else by the type of the decorator.
import { ts } from "ts-morph";
import type { Evaluation, Evaluator } from "../evaluate/evaluator.js";
import type { Value } from "../evaluate/value.js";
import { type ApiModel, resolveAlias } from "../link/api.js";
import type { ProgramIndex } from "../summarise/program-index.js";

/** One application of `computerUse`. */
export interface Application {
  /** The decorator, or the call that made it: where findings about the declaration stand. */
  readonly site: ts.Decorator | ts.Expression;
  readonly target: ts.Node;
  readonly evaluation: Evaluation;
}

function isOurs(value: Value): boolean {
  return value.kind === "decorator" || value.kind === "factory";
}

/** Names through which `computerUse` may be reached: a superset, by name alone. */
function namesOfFactory(index: ProgramIndex): ReadonlySet<string> {
  const names = new Set<string>(["computerUse"]);
  for (const name of names) {
    for (const mention of index.mentionsOf(name)) {
      if (ts.isIdentifier(mention)) names.add(mention.text);
      for (let at: ts.Node = mention; !ts.isSourceFile(at); at = at.parent) {
        if (
          (ts.isVariableDeclaration(at) ||
            ts.isFunctionDeclaration(at) ||
            ts.isPropertyAssignment(at) ||
            ts.isMethodDeclaration(at) ||
            ts.isPropertyDeclaration(at) ||
            ts.isBindingElement(at)) &&
          at.name &&
          ts.isIdentifier(at.name)
        ) {
          names.add(at.name.text);
        }
      }
    }
  }
  return names;
}

function lastName(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isParenthesizedExpression(node) || ts.isCallExpression(node)) return lastName(node.expression);
  return undefined;
}

/** The class that an argument stands for, or the node itself. */
function resolveTarget(checker: ts.TypeChecker, argument: ts.Expression): ts.Node {
  let node = argument;
  while (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    node = node.expression;
  }
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return node;
  const symbol = checker.getSymbolAtLocation(node);
  const declaration = symbol && resolveAlias(checker, symbol).valueDeclaration;
  if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer) {
    return ts.isClassExpression(declaration.initializer) ? declaration.initializer : declaration;
  }
  return declaration ?? node;
}

/** Every application of `computerUse` in the program, in the order of the files given. */
export function findApplications(
  checker: ts.TypeChecker,
  api: ApiModel,
  index: ProgramIndex,
  evaluator: Evaluator,
): Application[] {
  const found: Application[] = [];
  const consider = (expression: ts.Expression, site: Application["site"], target: () => ts.Node) => {
    const evaluation = evaluator.evaluate(expression);
    const ours =
      isOurs(evaluation.value) ||
      (evaluation.value.kind === "unknown" && api.isDecoratorType(checker.getTypeAtLocation(expression)));
    if (ours) found.push({ site, target: target(), evaluation });
  };
  const names = namesOfFactory(index);
  for (const file of index.files) {
    for (const decorator of file.decorators) {
      consider(decorator.expression, decorator, () => decorator.parent);
    }
    for (const call of file.calls) {
      const argument = call.arguments?.[0];
      if (!ts.isCallExpression(call) || !argument) continue;
      const name = lastName(call.expression);
      const likely = (name !== undefined && names.has(name)) || ts.isClassExpression(argument);
      if (!likely || !isAppliedCall(checker, api, call)) continue;
      consider(call.expression, call.expression, () => resolveTarget(checker, argument));
    }
  }
  return found;
}

/** Whether a call applies a decorator: its callee is one, and it is not `computerUse(...)` itself. */
function isAppliedCall(checker: ts.TypeChecker, api: ApiModel, call: ts.CallExpression): boolean {
  if (ts.isDecorator(call.parent)) return false;
  return api.isDecoratorType(checker.getTypeAtLocation(call.expression));
}
