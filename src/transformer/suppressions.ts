// `// capuchin-ignore-next-line CU6031: reason`. A suppressed finding stays listed with its reason. Only findings
// of proof can be suppressed, one code and one line at a time; whatever else the comment says is a finding itself.
import { ts } from "ts-morph";
import { describeValue } from "../base/escape.js";
import { type BuildCodeName, isBuildCode } from "../diagnostics/build-codes.js";
import type { Agent } from "./agents/agents.js";
import { createFinding, type Finding, type Span } from "./finding.js";

const COMMENT = /(?:\/\/|\/\*|\*)[ \t]*(capuchin-(?:ignore|disable|suppress)[^\r\n]*)/g;
const NEXT_LINE = /^capuchin-ignore-next-line(?:\s+([^\s:]*))?\s*(?::\s*(.*))?$/;

/** The codes that say that something is not proved; a declaration, a file or a project is never excused. */
const SUPPRESSIBLE: ReadonlySet<BuildCodeName> = new Set([
  "CU6030",
  "CU6031",
  "CU6032",
  "CU6033",
  "CU6034",
  "CU6035",
  "CU6036",
  "CU6039",
]);

interface Suppression {
  readonly span: Span;
  readonly code: BuildCodeName;
  readonly reason: string;
  readonly line: number;
}

function isInsideToken(file: ts.SourceFile, offset: number): boolean {
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (offset < node.getStart(file) || offset >= node.getEnd()) return undefined;
    return ts.forEachChild(node, visit) ?? node;
  };
  const innermost = ts.forEachChild(file, visit);
  return (
    innermost !== undefined &&
    (ts.isStringLiteralLike(innermost) ||
      ts.isTemplateHead(innermost) ||
      ts.isTemplateMiddleOrTemplateTail(innermost) ||
      ts.isRegularExpressionLiteral(innermost) ||
      ts.isJsxText(innermost))
  );
}

/** The first line below an offset that holds more than a comment. */
function nextCodeLine(file: ts.SourceFile, offset: number): number {
  const lines = file.text.split(/\r\n|\n|\r/);
  let line = ts.getLineAndCharacterOfPosition(file, offset).line + 1;
  while (line < lines.length && /^\s*(\/\/.*)?$/.test(lines[line] ?? "")) line++;
  return line;
}

function readFile(file: ts.SourceFile): { suppressions: Suppression[]; findings: Finding[] } {
  const suppressions: Suppression[] = [];
  const findings: Finding[] = [];
  if (!file.text.includes("capuchin-")) return { suppressions, findings };
  for (const match of file.text.matchAll(COMMENT)) {
    const text = (match[1] ?? "").replace(/\*\/.*$/, "").trim();
    const start = match.index;
    if (isInsideToken(file, start)) continue;
    const span = { file, start, end: start + match[0].trimEnd().length };
    const [, name = "", reason = ""] = NEXT_LINE.exec(text) ?? [];
    if (!isBuildCode(name) || !SUPPRESSIBLE.has(name)) {
      const got = NEXT_LINE.test(text) ? describeValue(name) : describeValue(text);
      findings.push(createFinding("CU6042", { got }, span));
    } else if (reason.trim() === "") findings.push(createFinding("CU6040", { code: name }, span));
    else suppressions.push({ span, code: name, reason: reason.trim(), line: nextCodeLine(file, start) });
  }
  return { suppressions, findings };
}

function lineOf(span: Span): number {
  return ts.getLineAndCharacterOfPosition(span.file, span.start).line;
}

/** The agents whose decorator begins on a line. */
function agentsAt(agents: readonly Agent[], file: ts.SourceFile, line: number): ReadonlySet<string> {
  return new Set(
    agents
      .filter(({ application: { site } }) => {
        const isHere = site.getSourceFile() === file;
        return isHere && ts.getLineAndCharacterOfPosition(file, site.getStart(file)).line === line;
      })
      .map((agent) => agent.id),
  );
}

/** Applies the suppressions of the files: findings with their reasons, and what is wrong with the comments. */
export function applySuppressions(
  findings: readonly Finding[],
  files: readonly ts.SourceFile[],
  agents: readonly Agent[],
): Finding[] {
  const result = [...findings];
  const own: Finding[] = [];
  for (const file of files) {
    const read = readFile(file);
    own.push(...read.findings);
    for (const { span, code, reason, line } of read.suppressions) {
      const here = agentsAt(agents, file, line);
      let matched = false;
      result.forEach((finding, index) => {
        if (finding.code !== code || !finding.span) return;
        const isOnLine = finding.span.file === file && lineOf(finding.span) === line;
        const isOfAgent = finding.agent !== undefined && here.has(finding.agent);
        if (!isOnLine && !isOfAgent) return;
        matched = true;
        result[index] = { ...finding, suppressed: finding.suppressed ?? { reason } };
      });
      if (!matched) own.push(createFinding("CU6041", { code }, span));
    }
  }
  return [...result, ...own];
}
