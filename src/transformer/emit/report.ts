// The report of a check: sorted, without repeats, the same bytes for the same sources whatever the order in which
// files were met. Only the measured time differs from run to run.
import { escapeText } from "../../base/escape.js";
import type { ReportedAgent } from "../../contract/agent-spec.js";
import { type Diagnostic, type Endorsement, REPORT_VERSION, type Report } from "../../contract/report.js";
import type { Finding } from "../finding.js";
import type { Places } from "../place.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A finding as the report states it. */
export function toDiagnostic(finding: Finding, places: Places): Diagnostic {
  const { code, severity, message, span, agent, path, firstHops, because, fix } = finding;
  const diagnostic: Mutable<Diagnostic> = { code, severity, message: escapeText(message) };
  if (span) {
    const start = places.position(span.file, span.start);
    const end = places.position(span.file, Math.max(span.start, span.end));
    diagnostic.file = places.fileName(span.file);
    diagnostic.line = start.line;
    diagnostic.column = start.column;
    diagnostic.endLine = end.line;
    diagnostic.endColumn = end.column;
  }
  if (agent !== undefined) diagnostic.agent = agent;
  if (path && path.length > 0) diagnostic.path = [...path];
  if (firstHops && firstHops.length > 0) diagnostic.firstHops = [...firstHops];
  if (because && because.length > 0) diagnostic.because = [...because];
  if (finding.suppressed) diagnostic.suppressed = finding.suppressed;
  if (fix) diagnostic.fix = fix;
  return diagnostic;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Findings about the project first, then by file, place, code and agent. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.file ?? "", b.file ?? "") ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.agent ?? "", b.agent ?? "") ||
    compareText(a.message, b.message)
  );
}

function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

export interface ReportParts {
  readonly diagnostics: readonly Diagnostic[];
  readonly agents: readonly ReportedAgent[];
  readonly endorsements: readonly Endorsement[];
  readonly files: number;
}

/** Assembles the report. */
export function assembleReport(parts: ReportParts): Report {
  const diagnostics = unique([...parts.diagnostics].sort(compareDiagnostics), (each) =>
    [each.code, each.file, each.line, each.column, each.agent, each.message].join("\0"),
  );
  const agents = unique(
    [...parts.agents].sort((a, b) => compareText(a.agent, b.agent) || compareText(a.file, b.file)),
    (each) => `${each.agent}\0${each.file}`,
  );
  const endorsements = unique(
    [...parts.endorsements].sort(
      (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column,
    ),
    (each) => `${each.file}\0${each.line}\0${each.column}`,
  );
  const open = diagnostics.filter((each) => !each.suppressed);
  const errors = open.filter((each) => each.severity === "error").length;
  return {
    version: REPORT_VERSION,
    ok: errors === 0,
    agents,
    diagnostics,
    endorsements,
    stats: {
      files: parts.files,
      agents: agents.length,
      errors,
      warnings: open.length - errors,
      suppressed: diagnostics.length - open.length,
    },
  };
}
