// The report for people: each finding with its excerpt, its reasons and its fix, then one line that sums up.
import { escapeText } from "../../base/escape.js";
import type { SitedSymbol } from "../../contract/agent-spec.js";
import type { Diagnostic, Report } from "../../contract/report.js";
import { BUILD_CODES, isBuildCode } from "../../diagnostics/build-codes.js";
import type { CheckResult } from "../../transformer/index.js";
import { excerptOf, linesOf } from "./excerpt.js";

export interface PrettyOptions {
  /** Colours are used only when this is true. */
  readonly colour?: boolean;
}

type Paint = (text: string) => string;

interface Palette {
  readonly error: Paint;
  readonly warning: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
  readonly good: Paint;
}

function paint(code: string, colour: boolean): Paint {
  return (text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
}

function createPalette(colour: boolean): Palette {
  return {
    error: paint("1;31", colour),
    warning: paint("1;33", colour),
    strong: paint("1", colour),
    faint: paint("2", colour),
    good: paint("32", colour),
  };
}

function placeOf(site: {
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
}) {
  return `${escapeText(site.file ?? "")}:${site.line}:${site.column}`;
}

/** The lines of each source, split once. */
type Lines = (file: string) => readonly string[] | undefined;

function createLines(sources: CheckResult["sources"]): Lines {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const text = sources.get(file);
    if (text === undefined) return undefined;
    const lines = known.get(file) ?? linesOf(text);
    known.set(file, lines);
    return lines;
  };
}

function excerptLines(diagnostic: Diagnostic, sources: Lines, palette: Palette): string[] {
  const { file, line, column, endLine, endColumn } = diagnostic;
  if (file === undefined || line === undefined || column === undefined) return [];
  const lines = sources(file);
  const excerpt =
    lines === undefined
      ? undefined
      : excerptOf(lines, { line, column, endLine: endLine ?? line, endColumn: endColumn ?? column + 1 });
  if (!excerpt) return [];
  const gutter = " ".repeat(excerpt.lineNumber.length);
  const mark = diagnostic.severity === "error" ? palette.error : palette.warning;
  return [
    palette.faint(`  ${gutter} |`),
    `${palette.faint(`  ${excerpt.lineNumber} |`)} ${excerpt.text}`,
    `${palette.faint(`  ${gutter} |`)} ${" ".repeat(excerpt.before)}${mark("^".repeat(excerpt.width))}`,
  ];
}

function siteLines(title: string, sites: readonly SitedSymbol[] | undefined, palette: Palette): string[] {
  if (!sites || sites.length < 2) return [];
  const width = Math.max(...sites.map((site) => site.symbol.length));
  const rows = sites.map((site, index) => {
    const lead = index === 0 ? "" : "-> ";
    return `      ${lead}${site.symbol.padEnd(width + (index === 0 ? 3 : 0))}  ${palette.faint(placeOf(site))}`;
  });
  return [`    ${palette.strong(`${title}:`)}`, ...rows];
}

function hopLines(sites: readonly SitedSymbol[] | undefined, palette: Palette): string[] {
  if (!sites || sites.length < 2) return [];
  const rows = sites.map((site) => `      ${site.symbol}  ${palette.faint(placeOf(site))}`);
  return [`    ${palette.strong("every first step there:")}`, ...rows];
}

function because(diagnostic: Diagnostic, palette: Palette): string[] {
  const sites = diagnostic.because;
  if (!sites || sites.length === 0) return [];
  return [
    `    ${palette.strong("because:")}`,
    ...sites.map((site) => `      ${site.symbol}  ${palette.faint(placeOf(site))}`),
  ];
}

function formatDiagnostic(diagnostic: Diagnostic, sources: Lines, palette: Palette): string {
  const { code, severity, message, suppressed, fix, agent } = diagnostic;
  const title = isBuildCode(code) ? BUILD_CODES[code].title : "";
  const label = (severity === "error" ? palette.error : palette.warning)(`${severity} ${code}`);
  const where = diagnostic.file === undefined ? "" : `${palette.strong(placeOf(diagnostic))} `;
  const head = suppressed ? palette.faint(`suppressed ${code}`) : label;
  return [
    `${where}${head}${title === "" ? "" : `: ${title}`}`,
    ...(suppressed
      ? [`    ${palette.strong("reason given:")} ${escapeText(suppressed.reason)}`]
      : excerptLines(diagnostic, sources, palette)),
    `    ${escapeText(message)}`,
    ...(agent === undefined ? [] : [`    ${palette.strong("agent:")} ${escapeText(agent)}`]),
    ...(suppressed ? [] : siteLines("reached through", diagnostic.path, palette)),
    ...(suppressed ? [] : hopLines(diagnostic.firstHops, palette)),
    ...because(diagnostic, palette),
    ...(fix && !suppressed ? [`    ${palette.good("fix:")} ${escapeText(fix.description)}`] : []),
    "",
  ].join("\n");
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function summaryLine(report: Report, palette: Palette): string {
  const { errors, warnings, suppressed, agents, files } = report.stats;
  const parts = [count(errors, "error"), count(warnings, "warning")];
  if (suppressed > 0) parts.push(`${suppressed} suppressed`);
  const verdict = report.ok ? palette.good("ok") : palette.error("refused");
  return `${verdict}: ${parts.join(", ")} in ${count(agents, "agent")}, ${count(files, "file")}`;
}

function agentLines(report: Report, palette: Palette): string[] {
  return report.agents.map((agent) => {
    const proved = agent.uses ? palette.good("proved") : palette.error("not proved");
    const uses = agent.uses?.map((use) => use.function).join(", ");
    return `  ${proved}  ${palette.strong(escapeText(agent.agent))}  ${escapeText(agent.capability)}${
      uses ? palette.faint(`  uses ${uses}`) : ""
    }`;
  });
}

function endorsementLines(report: Report, palette: Palette): string[] {
  if (report.endorsements.length === 0) return [];
  const rows = report.endorsements.map(
    (each) =>
      `  ${placeOf(each)}  ${escapeText(each.reason)}${each.agent ? palette.faint(`  ${escapeText(each.agent)}`) : ""}`,
  );
  return ["", palette.strong("text from the screen is trusted at:"), ...rows];
}

/** The report as text for a terminal, with a closing newline. */
export function formatPretty(result: CheckResult, options: PrettyOptions = {}): string {
  const palette = createPalette(options.colour ?? false);
  const { report } = result;
  const sources = createLines(result.sources);
  return [
    ...report.diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, sources, palette)),
    ...agentLines(report, palette),
    ...endorsementLines(report, palette),
    ...(report.agents.length > 0 || report.endorsements.length > 0 ? [""] : []),
    summaryLine(report, palette),
    "",
  ].join("\n");
}
