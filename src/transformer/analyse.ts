// Everything that is said of one program: its agents, its findings, what each agent reaches. Pure over the program.
import type { ts } from "ts-morph";
import type { Use } from "../contract/agent-spec.js";
import type { Endorsement } from "../contract/report.js";
import { type Agent, collectAgents } from "./agents/agents.js";
import { findApplications } from "./agents/discover.js";
import { Evaluator } from "./evaluate/evaluator.js";
import { createFinding, type Finding } from "./finding.js";
import { findApi, PACKAGE_NAME } from "./link/api.js";
import { ImportClosures } from "./link/import-closure.js";
import { Mentions } from "./link/mention.js";
import type { PackageLookup } from "./link/packages.js";
import type { Summaries } from "./link/summaries.js";
import { Places } from "./place.js";
import type { LoadedProgram } from "./project/load.js";
import { isLibraryFile } from "./project/source-cache.js";
import { type Exploration, pathTo } from "./reach/explore.js";
import { computeReach } from "./reach/reach.js";
import type { RuleContext } from "./rules/context.js";
import { findDynamicCode } from "./rules/dynamic-code.js";
import { findEndorsements } from "./rules/endorsements.js";
import { findEscapes } from "./rules/escape.js";
import { findMissingWords } from "./rules/missing-word.js";
import { findOutsideLeaves, reportOutside } from "./rules/outside-agent.js";
import { DeclaredPackages, findForeignHandles, findPackageLeaves, reportTakers } from "./rules/packages.js";
import { findParseError } from "./rules/parse-error.js";
import { findSilencedTypes } from "./rules/silenced-types.js";
import { findSpawns, findWideChildren } from "./rules/spawn.js";
import { findUnprovableCode } from "./rules/unprovable-code.js";
import { findUnresolvedImports } from "./rules/unresolved-import.js";
import { findUnusedWords } from "./rules/unused-word.js";
import { indexProgram } from "./summarise/program-index.js";
import { applySuppressions } from "./suppressions.js";

export interface AnalysedAgent {
  readonly agent: Agent;
  readonly file: string;
  readonly uses: readonly Use[];
  /** The files that the entry rests on. */
  readonly files: ReadonlySet<ts.SourceFile>;
  /** The files that the agent's file imports, near or far, and itself. */
  readonly closure: ReadonlySet<ts.SourceFile>;
}

export interface Analysis {
  readonly findings: readonly Finding[];
  readonly agents: readonly AnalysedAgent[];
  readonly endorsements: readonly Endorsement[];
  readonly files: readonly ts.SourceFile[];
  /** Applications of `computerUse`, fit or not. */
  readonly applications: number;
}

/** The files that are judged: the project's own sources, wherever they lie, and not those of the package itself. */
function checkedFiles(program: ts.Program, own: ReadonlySet<ts.SourceFile>): ts.SourceFile[] {
  return program
    .getSourceFiles()
    .filter(
      (file) =>
        !file.isDeclarationFile &&
        !isLibraryFile(file) &&
        !file.fileName.endsWith(".json") &&
        !own.has(file) &&
        !(program.isSourceFileFromExternalLibrary(file) && /\.[cm]?jsx?$/.test(file.fileName)),
    )
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

function unresolvedPackage(specifiers: readonly ts.StringLiteralLike[], places: Places): Finding[] {
  const [first] = specifiers;
  if (!first) return [];
  const { file } = places.site(first, "");
  const reason = `${file} imports ${PACKAGE_NAME}, which cannot be found`;
  return [
    createFinding("CU6051", { reason, advice: "install it, or correct the module resolution" }, undefined),
  ];
}

/** The API functions that are reached, by name, each with one shortest path. */
function usesOf(exploration: Exploration, places: Places): Use[] {
  const uses = new Map<string, Use>();
  for (const reached of exploration.reached.values()) {
    const { leaf } = reached;
    if (leaf.kind !== "api" || uses.has(leaf.function)) continue;
    uses.set(leaf.function, { function: leaf.function, path: pathTo(reached, places) });
  }
  return [...uses.values()].sort((a, b) => (a.function < b.function ? -1 : 1));
}

/** What reach and call sites say. */
function judgeReach(context: RuleContext, summaries: Summaries): Finding[] {
  const outside = findOutsideLeaves(context);
  const escapes = findEscapes(context);
  return [
    ...findMissingWords(context, outside),
    ...reportOutside(outside),
    ...findUnprovableCode(context),
    ...findWideChildren(context, findSpawns(context)),
    ...escapes.findings,
    ...reportTakers(escapes.handed, context, summaries),
    ...findForeignHandles(context, context.api, summaries),
    ...findSilencedTypes(context),
  ];
}

/** Analyses one program. */
export function analyseProgram(
  loaded: LoadedProgram,
  root: string,
  packages: PackageLookup,
  summaries: Summaries,
): Analysis {
  const { program, rootFiles } = loaded;
  const checker = program.getTypeChecker();
  const places = new Places(root);
  const api = findApi(program, rootFiles, packages);
  const files = checkedFiles(program, api.ownFiles);
  const index = indexProgram(files);
  const evaluator = new Evaluator(checker, api, index);
  const applications = findApplications(checker, api, index, evaluator);
  const found = collectAgents({ checker, evaluator, places }, applications);
  const mentions = new Mentions(checker, index);
  const closures = new ImportClosures(checker, index);
  const dynamic = findDynamicCode(program, api, mentions, index);
  const { byClass } = found;
  const declared = new DeclaredPackages(packages, index);
  const otherLeaves = [
    ...findPackageLeaves(program, mentions, declared, summaries),
    ...findUnresolvedImports(checker, index),
  ];
  const { agents: known } = found;
  const reach = computeReach({
    api,
    mentions,
    index,
    closures,
    agents: known,
    byClass,
    dynamic,
    otherLeaves,
  });
  const context = {
    program,
    checker,
    api,
    index,
    mentions,
    packages,
    closures,
    places,
    byClass,
    reach,
    dynamic,
    declared,
  };
  const json = program.getSourceFiles().filter((file) => file.fileName.endsWith(".json"));
  const findings: Finding[] = [
    ...[...files, ...json].flatMap((file) => findParseError(file) ?? []),
    ...unresolvedPackage(api.unresolved, places),
    ...found.findings,
    ...judgeReach(context, summaries),
  ];
  findings.push(...findUnusedWords(context, findSpawns(context), findings));
  const agents = reach.agents.map(({ agent, exploration }) => ({
    agent,
    file: places.fileName(agent.node.getSourceFile()),
    uses: usesOf(exploration, places),
    files: new Set([agent.node.getSourceFile(), ...agent.application.evaluation.files, ...exploration.files]),
    closure: closures.of(agent.node.getSourceFile()),
  }));
  return {
    findings: applySuppressions(findings, files, found.agents),
    agents,
    endorsements: findEndorsements(checker, index, found.byClass, declared, places),
    files,
    applications: applications.length,
  };
}
