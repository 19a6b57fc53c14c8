// One check from request to report. A failure of ours throws; it never looks like a clean report.
import { ts } from "ts-morph";
import { digestBytes, digestJson } from "../base/digest.js";
import { declaredFields, type ReportedAgent } from "../contract/agent-spec.js";
import type { Diagnostic, Report } from "../contract/report.js";
import { type AnalysedAgent, type Analysis, analyseProgram } from "./analyse.js";
import { assembleReport, toDiagnostic } from "./emit/report.js";
import { createFinding } from "./finding.js";
import { PackageLookup } from "./link/packages.js";
import { Summaries } from "./link/summaries.js";
import { Places } from "./place.js";
import { type LoadRequest, loadProject } from "./project/load.js";

/** What is to be checked. */
export interface CheckRequest extends LoadRequest {
  /** Told what is being done now, for people who wait. */
  readonly onStage?: (stage: string) => void;
}

/** What a check found. */
export interface CheckResult {
  readonly report: Report;
  /** The folder that the report's files are relative to. */
  readonly root: string;
  /** The texts of the files that diagnostics stand in, by the report's file names. */
  readonly sources: ReadonlyMap<string, string>;
}

/** The digest of the files that an agent's entry rests on, by name and content, line ends normalised. */
function hashSources(files: ReadonlySet<ts.SourceFile>, places: Places) {
  const entries = [...files].map((file): [string, string] => [
    places.fileName(file),
    digestBytes(file.text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")),
  ]);
  return digestJson(Object.fromEntries(entries));
}

function reportAgent(
  analysed: AnalysedAgent,
  places: Places,
  diagnostics: readonly Diagnostic[],
): ReportedAgent | undefined {
  const { agent, file, uses, files } = analysed;
  if (!agent.declaration) return undefined;
  const names = new Set([...analysed.closure].map((each) => places.fileName(each)));
  const isDoubted = diagnostics.some(
    (each) =>
      each.severity === "error" &&
      !each.suppressed &&
      (each.agent === agent.id ||
        each.file === undefined ||
        (each.agent === undefined && names.has(each.file))),
  );
  const declared = { agent: agent.id, file, ...declaredFields(agent.declaration) };
  return isDoubted ? declared : { ...declared, uses: [...uses], sourceHash: hashSources(files, places) };
}

function projectDiagnostics(analyses: readonly Analysis[], problems: readonly Diagnostic[], places: Places) {
  const unreadable = analyses.some((each) => each.findings.some((finding) => finding.code === "CU6050"));
  const none = analyses.every((each) => each.applications === 0);
  const silent =
    problems.length === 0 && !analyses.some((each) => each.findings.some((f) => f.code === "CU6051"));
  if (!none || unreadable || !silent) return problems;
  const finding = createFinding(
    "CU6051",
    { reason: "no agent was found", advice: "decorate a class with @computerUse, or check another project" },
    undefined,
  );
  return [toDiagnostic(finding, places)];
}

/**
 * A call that stands in one project and is charged to an agent of another is reported for that agent alone, as it
 * would be in one program.
 */
function withoutAnswered(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const placeOf = (each: Diagnostic) => `${each.file}\0${each.line}\0${each.column}\0${each.endColumn}`;
  const charged = new Set(
    diagnostics.filter((each) => each.code === "CU6030" && each.agent !== undefined).map(placeOf),
  );
  return diagnostics.filter(
    (each) => each.code !== "CU6030" || each.agent !== undefined || !charged.has(placeOf(each)),
  );
}

/** Checks a project, or single files where no tsconfig is named. */
export function checkProject(request: CheckRequest = {}): CheckResult {
  const { onStage = () => {} } = request;
  onStage("reading the project");
  const project = loadProject(request);
  const places = new Places(project.root);
  const packages = new PackageLookup(request.load?.system ?? ts.sys);
  const summaries = new Summaries(request.load?.system ?? ts.sys);
  const analyses = project.programs.map((loaded, index, { length }) => {
    onStage(length === 1 ? "proving the agents" : `proving the agents, program ${index + 1} of ${length}`);
    return analyseProgram(loaded, project.root, packages, summaries);
  });
  const problems = project.problems.map((problem) =>
    toDiagnostic(createFinding("CU6051", problem, undefined), places),
  );
  const diagnostics = [
    ...projectDiagnostics(analyses, problems, places),
    ...withoutAnswered(
      analyses.flatMap((each) => each.findings.map((finding) => toDiagnostic(finding, places))),
    ),
  ];
  const files = new Map(
    analyses.flatMap((each) =>
      each.files.map((file): [string, string] => [places.fileName(file), file.text]),
    ),
  );
  const report = assembleReport({
    diagnostics,
    agents: analyses.flatMap((each) =>
      each.agents.flatMap((agent) => reportAgent(agent, places, diagnostics) ?? []),
    ),
    endorsements: analyses.flatMap((each) => each.endorsements),
    files: files.size,
  });
  return { report, root: project.root, sources: files };
}
