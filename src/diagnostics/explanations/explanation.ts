// The shape of an explanation page: why the code exists, an example that raises it, the same after the fix.

/** The files of a small project, by path; a text alone is its `agent.ts`. */
export type ExampleFiles = string | Readonly<Record<string, string>>;

export interface Explanation {
  /** Why it is refused, in one or two sentences. */
  readonly cause: string;
  /** Raises the code. */
  readonly wrong: ExampleFiles;
  /** The same after the fix; the code is gone. */
  readonly right: ExampleFiles;
  /** What to do. */
  readonly fix: string;
  /** Where the rule is laid down. */
  readonly source: string;
}
