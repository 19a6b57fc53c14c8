// A finding inside the checker: a code, its text and the nodes it stands at. Made only through `createFinding`, so
// that a code without its placeholders does not compile; turned into the report's diagnostics at the end.
import type { ts } from "ts-morph";
import type { SitedSymbol } from "../contract/agent-spec.js";
import type { Fix } from "../contract/report.js";
import {
  BUILD_CODES,
  type BuildCodeName,
  type BuildParams,
  buildMessage,
} from "../diagnostics/build-codes.js";

/** A span of a file, in UTF-16 code units; what a finding points at. */
export interface Span {
  readonly file: ts.SourceFile;
  readonly start: number;
  readonly end: number;
}

export interface FindingDetails {
  /** The agent it is about. */
  readonly agent?: string;
  readonly path?: readonly SitedSymbol[];
  readonly firstHops?: readonly SitedSymbol[];
  readonly because?: readonly SitedSymbol[];
  readonly fix?: Fix;
  readonly suppressed?: { readonly reason: string };
}

export interface Finding extends FindingDetails {
  readonly code: BuildCodeName;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** Absent when it is about the project as a whole. */
  readonly span?: Span;
}

/** The span of a node, without the comments before it. */
export function spanOf(node: ts.Node): Span {
  const file = node.getSourceFile();
  return { file, start: node.getStart(file), end: node.getEnd() };
}

/** Makes a finding of a code of the table. */
export function createFinding<Code extends BuildCodeName>(
  code: Code,
  params: BuildParams<Code>,
  at: ts.Node | Span | undefined,
  details: FindingDetails = {},
): Finding {
  const span = at === undefined ? undefined : "kind" in at ? spanOf(at) : at;
  return {
    ...details,
    code,
    severity: BUILD_CODES[code].severity,
    message: buildMessage(code, params),
    ...(span ? { span } : {}),
  };
}
