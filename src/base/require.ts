// Turns "cannot be undefined here" into a checked statement with its reason, in place of a non-null assertion.

/** The value, or an Error with the reason when it is null or undefined: a bug of ours, never of the input. */
export function requireValue<T>(value: T | null | undefined, reason: string): T {
  if (value === null || value === undefined) throw new Error(`internal: ${reason}`);
  return value;
}
