// Operators over primitives, as the language defines them; undefined where folding would throw or needs an object.
import { ts } from "ts-morph";
import type { Primitive } from "./value.js";

type Fold = (a: Primitive, b: Primitive) => Primitive;
type Arithmetic = (a: number, b: number) => number;

const MAX_TEXT = 100_000;

function toNumber(value: Primitive): number | undefined {
  return typeof value === "bigint" ? undefined : Number(value);
}

function arithmetic(fold: Arithmetic): (a: Primitive, b: Primitive) => { value: Primitive } | undefined {
  return (a, b) => {
    const x = toNumber(a);
    const y = toNumber(b);
    return x === undefined || y === undefined ? undefined : { value: fold(x, y) };
  };
}

function always(fold: Fold): (a: Primitive, b: Primitive) => { value: Primitive } {
  return (a, b) => ({ value: fold(a, b) });
}

function compare(fold: (a: never, b: never) => boolean) {
  return (a: Primitive, b: Primitive) => ({ value: fold(a as never, b as never) });
}

function add(a: Primitive, b: Primitive): { value: Primitive } | undefined {
  if (typeof a === "string" || typeof b === "string") {
    const text = `${a}${b}`;
    return text.length > MAX_TEXT ? undefined : { value: text };
  }
  return arithmetic((x, y) => x + y)(a, b);
}

const FOLDS: ReadonlyMap<
  ts.SyntaxKind,
  (a: Primitive, b: Primitive) => { readonly value: Primitive } | undefined
> = new Map([
  [ts.SyntaxKind.PlusToken, add],
  [ts.SyntaxKind.MinusToken, arithmetic((a, b) => a - b)],
  [ts.SyntaxKind.AsteriskToken, arithmetic((a, b) => a * b)],
  [ts.SyntaxKind.SlashToken, arithmetic((a, b) => a / b)],
  [ts.SyntaxKind.PercentToken, arithmetic((a, b) => a % b)],
  [ts.SyntaxKind.AsteriskAsteriskToken, arithmetic((a, b) => a ** b)],
  [ts.SyntaxKind.LessThanLessThanToken, arithmetic((a, b) => a << b)],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, arithmetic((a, b) => a >> b)],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken, arithmetic((a, b) => a >>> b)],
  [ts.SyntaxKind.AmpersandToken, arithmetic((a, b) => a & b)],
  [ts.SyntaxKind.BarToken, arithmetic((a, b) => a | b)],
  [ts.SyntaxKind.CaretToken, arithmetic((a, b) => a ^ b)],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, always((a, b) => a === b)],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, always((a, b) => a !== b)],
  // biome-ignore lint/suspicious/noDoubleEquals: it folds the program's own `==`
  [ts.SyntaxKind.EqualsEqualsToken, always((a, b) => a == b)],
  // biome-ignore lint/suspicious/noDoubleEquals: it folds the program's own `!=`
  [ts.SyntaxKind.ExclamationEqualsToken, always((a, b) => a != b)],
  [ts.SyntaxKind.LessThanToken, compare((a, b) => a < b)],
  [ts.SyntaxKind.GreaterThanToken, compare((a, b) => a > b)],
  [ts.SyntaxKind.LessThanEqualsToken, compare((a, b) => a <= b)],
  [ts.SyntaxKind.GreaterThanEqualsToken, compare((a, b) => a >= b)],
]);

/** Whether the operator folds both sides, whatever they are. */
export function isFoldedOperator(operator: ts.SyntaxKind): boolean {
  return FOLDS.has(operator);
}

/** The folded value, or undefined when these operands cannot be folded. */
export function foldBinary(
  operator: ts.SyntaxKind,
  a: Primitive,
  b: Primitive,
): { readonly value: Primitive } | undefined {
  return FOLDS.get(operator)?.(a, b);
}

/** The folded value of `+x`, `-x`, `~x` or `!x`. */
export function foldUnary(operator: ts.SyntaxKind, a: Primitive): { readonly value: Primitive } | undefined {
  if (operator === ts.SyntaxKind.ExclamationToken) return { value: !a };
  if (typeof a === "bigint") {
    if (operator === ts.SyntaxKind.MinusToken) return { value: -a };
    return operator === ts.SyntaxKind.TildeToken ? { value: ~a } : undefined;
  }
  switch (operator) {
    case ts.SyntaxKind.PlusToken:
      return { value: Number(a) };
    case ts.SyntaxKind.MinusToken:
      return { value: -Number(a) };
    case ts.SyntaxKind.TildeToken:
      return { value: ~Number(a) };
    default:
      return undefined;
  }
}

/** Functions of `Math` whose result depends on nothing but the arguments. */
const PURE_MATH: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Math).filter(
    (name) => name !== "random" && typeof (Math as unknown as Record<string, unknown>)[name] === "function",
  ),
);

/** The result of a call of `Math.name`, or undefined when it is not folded. */
export function foldMath(name: string, args: readonly Primitive[]): number | undefined {
  if (!PURE_MATH.has(name) || args.some((arg) => typeof arg === "bigint")) return undefined;
  const table = Math as unknown as Record<string, (...args: readonly Primitive[]) => unknown>;
  const result = table[name]?.(...args);
  return typeof result === "number" ? result : undefined;
}

/** A constant of `Math`, such as `Math.PI`. */
export function mathConstant(name: string): number | undefined {
  const value = Object.hasOwn(Math, name) ? (Math as unknown as Record<string, unknown>)[name] : undefined;
  return typeof value === "number" ? value : undefined;
}
