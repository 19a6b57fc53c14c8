// A command line that asks for something impossible: exit 2, with what was wrong and what to do instead.

export class UsageError extends Error {
  override readonly name = "UsageError";
}
