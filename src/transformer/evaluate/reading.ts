// Small pure questions of the evaluator: what a name of the language stands for, what a function returns, and where
// the parts of a value are blamed.
import { ts } from "ts-morph";
import { type ObjectMember, primitive, unknownValue, type Value } from "./value.js";

export function requireNode<T extends ts.Node>(node: T | undefined): T {
  if (!node) throw new Error("internal: the node was there before");
  return node;
}

export function readBigInt(text: string): bigint {
  return BigInt(text.replace(/n$/, "").replaceAll("_", ""));
}

/** A JSON module as a namespace: the object is its default export too. */
export function jsonNamespace(value: Value, target: ts.Symbol, node: ts.Node): Value {
  const isJson = target.declarations?.some(
    (each) => ts.isSourceFile(each) && each.fileName.endsWith(".json"),
  );
  if (!isJson || value.kind !== "object") return value;
  const members = new Map(value.members).set("default", { value, keySite: node, valueSite: node });
  return { ...value, members };
}

export function isOptionalAccess(node: ts.Node): boolean {
  return (node.flags & ts.NodeFlags.OptionalChain) !== 0;
}

export function globalValue(name: string, node: ts.Node): Value {
  if (name === "NaN") return primitive(Number.NaN);
  if (name === "Infinity") return primitive(Number.POSITIVE_INFINITY);
  if (name === "Math") return { kind: "math", member: undefined };
  return unknownValue("builtin", node);
}

/** The expression that a function returns, when that is all it does. */
export function singleReturn(node: ts.FunctionLikeDeclaration): ts.Expression | undefined {
  const { body } = node;
  if (!body) return undefined;
  if (!ts.isBlock(body)) return body;
  const [only, ...more] = body.statements;
  return only && more.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined;
}

/** What a mention brings in is blamed at the mention. */
export function remapSites(value: Value, site: ts.Node): Value {
  if (value.kind === "decorator")
    return {
      ...value,
      argSites: value.args.map(() => site),
      args: value.args.map((arg) => remapSites(arg, site)),
    };
  if (value.kind !== "object") return value;
  const members = new Map(
    [...value.members].map(([key, member]): [string, ObjectMember] => [
      key,
      { value: member.value, keySite: site, valueSite: site },
    ]),
  );
  return { kind: "object", members, lost: value.lost.map((part) => ({ site, value: part.value })) };
}
