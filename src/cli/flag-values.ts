// Strict readers of flag values, for commander. Each takes exactly what it names; a value that starts with "-" is
// taken for a forgotten one, a repeated flag for a mistake. Nothing is rounded, clipped or read in part.
import { type Command, InvalidArgumentError } from "commander";
import { closestName } from "../base/closest.js";
import { quoteText } from "../base/escape.js";
import type { Point } from "../contract/geometry.js";

export type FlagReader<T> = (value: string, previous: T | undefined) => T;

/** A reader that refuses a second value for the same flag. */
export function once<T>(read: (value: string) => T): FlagReader<T> {
  return (value, previous) => {
    if (previous !== undefined) throw new InvalidArgumentError("It is given twice.");
    return read(value);
  };
}

/** Not empty, and not starting with a dash. @throws InvalidArgumentError */
export function requireValue(value: string): string {
  if (value === "") throw new InvalidArgumentError("It is empty.");
  if (value.startsWith("-")) {
    throw new InvalidArgumentError("It starts with a dash; write ./ before a path that really does.");
  }
  if (value.includes("\0")) throw new InvalidArgumentError("It holds a NUL character.");
  return value;
}

/** A path: not empty, and not starting with a dash. */
export const pathValue = once(requireValue);

/** A positional path. */
export const positionalPath = requireValue;

/** A word such as a name: not empty, and not starting with a dash. */
export const wordValue = once(requireValue);

/** Free text; it may start with a dash. */
export const textValue = once((value: string) => {
  if (value.trim() === "") throw new InvalidArgumentError("It is empty.");
  return value;
});

function integerIn(text: string, min: number, max: number): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** A whole number in decimal digits. */
export function integerValue(min: number, max: number): FlagReader<number> {
  return once((value) => {
    const number = integerIn(value, min, max);
    if (number === undefined)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return number;
  });
}

/** `X,Y` in whole pixels, 0 or more. */
export const pointValue: FlagReader<Point> = once((value) => {
  const [x, y, ...more] = value.split(",").map((part) => integerIn(part, 0, Number.MAX_SAFE_INTEGER));
  if (x === undefined || y === undefined || more.length > 0) {
    throw new InvalidArgumentError("It must be X,Y: two whole numbers of 0 or more.");
  }
  return { x, y };
});

/**
 * Ends with a usage error where a flag is not given. Asked by the command itself, and not by commander, which would
 * complain of it before it complains of the misspelt flag that was given instead.
 */
export function requireFlag(command: Command, value: unknown, flag: string): void {
  if (value === undefined) command.error(`error: required option '${flag}' not specified`);
}

/** One of a closed list; those on `later` are known by name and refused as not built yet. */
export function choiceValue<Name extends string>(
  names: readonly Name[],
  later: readonly string[] = [],
): FlagReader<Name> {
  return once((value) => {
    const found = names.find((name) => name === value);
    if (found !== undefined) return found;
    if (later.includes(value)) throw new InvalidArgumentError(`${value} is not in this version.`);
    const close = closestName(value, names);
    throw new InvalidArgumentError(
      `It must be ${names.join(" or ")}, got ${quoteText(value)}${close ? `; did you mean ${close}?` : "."}`,
    );
  });
}
