// What static evaluation can say of an expression. "Not known" is a value: a reason, the node at which evaluation
// stopped, and the unknown it rests on. Nothing here reports or throws; whoever needed the value decides.
import type { ts } from "ts-morph";

export type Primitive = string | number | bigint | boolean | null | undefined;

export interface ObjectMember {
  readonly value: Value;
  /** The node to blame for the key and for the value: in the literal, or the mention that brought them in. */
  readonly keySite: ts.Node;
  readonly valueSite: ts.Node;
}

export interface PrimitiveValue {
  readonly kind: "primitive";
  readonly value: Primitive;
}
export interface ArrayValue {
  readonly kind: "array";
  readonly items: readonly Value[];
}
/** A part of an object that is not known: any member written before it may have been replaced. */
export interface LostPart {
  readonly site: ts.Node;
  readonly value: UnknownValue;
}
export interface ObjectValue {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, ObjectMember>;
  readonly lost: readonly LostPart[];
}
export interface FunctionValue {
  readonly kind: "function";
  readonly node: ts.FunctionLikeDeclaration;
  readonly scope: Scope;
}
/** A class, an enum, a namespace or a module: what has members that are known by declaration. */
export interface ReferenceValue {
  readonly kind: "reference";
  readonly declaration: ts.Node;
  readonly symbol: ts.Symbol;
}
/** `Math` or one of its functions. */
export interface MathValue {
  readonly kind: "math";
  readonly member: string | undefined;
}
/** `computerUse` itself. */
export interface FactoryValue {
  readonly kind: "factory";
}
/** What a call of `computerUse` gives. */
export interface DecoratorValue {
  readonly kind: "decorator";
  readonly call: ts.CallExpression;
  readonly args: readonly Value[];
  /** The argument nodes, or the mention that brought the decorator in. */
  readonly argSites: readonly ts.Node[];
}

export const UNKNOWN_REASONS = {
  mutable: "is mutable",
  written: "is written to",
  external: "is declared without a value",
  syntax: "is not a constant expression",
  statements: "is a function of more than a single return",
  async: "is an async or generator function",
  recursive: "calls itself",
  depth: "nests too deep",
  budget: "takes too many steps",
  builtin: "is a call that is not folded (only Math.* is)",
  accessor: "is an accessor, which runs code",
  parameter: "is a parameter",
  cycle: "depends on itself",
  member: "has no such constant member",
  callee: "is no function that can be read",
  operands: "has operands that the operator cannot fold",
  unresolved: "cannot be found",
  dependent: "depends on a value that is not known",
} as const;

export type UnknownReason = keyof typeof UNKNOWN_REASONS;

export interface UnknownValue {
  readonly kind: "unknown";
  readonly reason: UnknownReason;
  readonly node: ts.Node;
  readonly cause: UnknownValue | undefined;
}

export type Value =
  | PrimitiveValue
  | ArrayValue
  | ObjectValue
  | FunctionValue
  | ReferenceValue
  | MathValue
  | FactoryValue
  | DecoratorValue
  | UnknownValue;

/** Parameters of the functions that are being read, by symbol. */
export type Scope = ReadonlyMap<ts.Symbol, Value>;

export const EMPTY_SCOPE: Scope = new Map();

export function primitive(value: Primitive): PrimitiveValue {
  return { kind: "primitive", value };
}

export function unknownValue(reason: UnknownReason, node: ts.Node, cause?: UnknownValue): UnknownValue {
  return { kind: "unknown", reason, node, cause };
}

/** The chain from an unknown to where evaluation stopped, outermost first. */
export function chainOf(value: UnknownValue): readonly UnknownValue[] {
  const chain: UnknownValue[] = [];
  for (let at: UnknownValue | undefined = value; at; at = at.cause) chain.push(at);
  return chain;
}

/** The first unknown inside a value, at any depth. */
export function findUnknown(value: Value): UnknownValue | undefined {
  switch (value.kind) {
    case "unknown":
      return value;
    case "array":
      return value.items.map(findUnknown).find((found) => found !== undefined);
    case "object":
      return (
        value.lost[0]?.value ??
        [...value.members.values()]
          .map((member) => findUnknown(member.value))
          .find((found) => found !== undefined)
      );
    default:
      return undefined;
  }
}

/** The live value that a known value stands for; what is no plain data comes out as a function, which no rule takes. */
export function toPlain(value: Value): unknown {
  switch (value.kind) {
    case "primitive":
      return value.value;
    case "array":
      return value.items.map(toPlain);
    case "object": {
      const plain: Record<string, unknown> = Object.create(null);
      for (const [key, member] of value.members) plain[key] = toPlain(member.value);
      return plain;
    }
    default:
      return () => undefined;
  }
}
