// The build codes: one table, codes for life. A retired code stays, marked, and is never given again.
// Messages name what was wrong, then what to do; placeholders are typed, so a missing one does not compile.
import type { Severity } from "../contract/report.js";

interface BuildCode {
  readonly slug: string;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
}

export const BUILD_CODES = {
  CU6017: {
    slug: "missing-cap",
    severity: "error",
    title: "no capability declared",
    message: '`cap` {reason} (got {got}); say what the agent may do, for example cap: "computer.screen"',
  },
  CU6018: {
    slug: "malformed-cap",
    severity: "error",
    title: "malformed capability, or a word outside the vocabulary",
    message: "`cap` {reason} (got {got}){hint}",
  },
  CU6019: {
    slug: "malformed-dimension",
    severity: "error",
    title: "width or height is not a positive integer within limits",
    message: "`{option}` {reason} (got {got})",
  },
  CU6020: {
    slug: "not-an-agent",
    severity: "error",
    title: "the decorated thing is not an agent",
    message: "@computerUse decorates a concrete class with a name, not {kind}; {advice}",
  },
  CU6021: {
    slug: "not-static",
    severity: "error",
    title: "an option is not statically known",
    message:
      "`{option}` is not known at build time: {reason}; use literals, const bindings or functions that are a single return",
  },
  CU6022: {
    slug: "unknown-option",
    severity: "error",
    title: "unknown option",
    message: "{got} {reason} of @computerUse{hint}",
  },
  CU6023: {
    slug: "invalid-limit",
    severity: "error",
    title: "a limit is invalid",
    message: "`{option}` {reason} (got {got})",
  },
  CU6024: {
    slug: "duplicate-agent",
    severity: "error",
    title: "two declarations of one agent",
    message: "{what}; the other is at {other}; {advice}",
  },
  CU6030: {
    slug: "missing-word",
    severity: "error",
    title: "an API function is reached without the word it needs",
    message: "{subject} reaches computer.{function}, which needs {needed}; {advice}",
  },
  CU6031: {
    slug: "cannot-prove",
    severity: "error",
    title: "cannot prove",
    message: "cannot prove which agent answers for computer.{function}: {reason}; {advice}",
  },
  CU6032: {
    slug: "handle-escapes",
    severity: "error",
    title: "the API handle escapes",
    message: "the handle {handle} leaves its type here: {reason}; {advice}",
  },
  CU6033: {
    slug: "dynamic-code",
    severity: "error",
    title: "dynamic code in reachable code",
    message: "{subject} reaches {construct}, whose code cannot be read at build time; {advice}",
  },
  CU6034: {
    slug: "no-summary",
    severity: "error",
    title: "a package that takes or exports the handle ships no capability summary",
    message: "package {package} {how} the handle and ships no capuchin.summary.json; {advice}",
  },
  CU6035: {
    slug: "outside-agent",
    severity: "error",
    title: "the run API is called outside any agent",
    message:
      "computer.{function} is called when the module is loaded, outside any agent; start a run with launch(AgentClass, …)",
  },
  CU6036: {
    slug: "child-beyond-parent",
    severity: "error",
    title: "a child agent declares more than its parent",
    message:
      "{child} declares {extra}, which {parent} does not; narrow the child's cap or widen the parent's",
  },
  CU6039: {
    slug: "unused-word",
    severity: "warning",
    title: "declared word never used, repeated, or covered by another",
    message: "{word} {reason}; remove it from `cap`",
  },
  CU6040: {
    slug: "suppression-without-reason",
    severity: "error",
    title: "suppression without a reason",
    message: "a suppression needs a reason: // capuchin-ignore-next-line {code}: why",
  },
  CU6041: {
    slug: "unused-suppression",
    severity: "warning",
    title: "suppression that matches nothing",
    message: "nothing on the next line is {code}; remove the suppression",
  },
  CU6042: {
    slug: "unknown-suppression",
    severity: "error",
    title: "suppression of an unknown code",
    message: "{got} is no code that can be suppressed; name one code of `capuchin explain`",
  },
  CU6050: {
    slug: "parse-error",
    severity: "error",
    title: "file cannot be parsed",
    message:
      "cannot be parsed (grammar of TypeScript 6.0): {reason}; nothing about this file counts as proved",
  },
  CU6051: {
    slug: "project",
    severity: "error",
    title: "project configuration",
    message: "{reason}; {advice}",
  },
  CU6052: {
    slug: "stale-spec",
    severity: "error",
    title: "spec is stale",
    message: "{file} differs from what the sources say ({reason}); run `capuchin build`",
  },
} as const satisfies Record<string, BuildCode>;

export type BuildCodeName = keyof typeof BUILD_CODES;

export const BUILD_CODE_LIST = Object.keys(BUILD_CODES) as readonly BuildCodeName[];

/** Whether a text names a build code; own keys only. */
export function isBuildCode(name: string): name is BuildCodeName {
  return Object.hasOwn(BUILD_CODES, name);
}

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The placeholders that a code's message takes. */
export type BuildParams<Code extends BuildCodeName> = Readonly<
  Record<Placeholders<(typeof BUILD_CODES)[Code]["message"]>, string>
>;

/** The text of a diagnostic. */
export function buildMessage<Code extends BuildCodeName>(code: Code, params: BuildParams<Code>): string {
  const values: Readonly<Record<string, string>> = params;
  return BUILD_CODES[code].message.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
