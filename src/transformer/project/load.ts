// Loads what is to be checked: a tsconfig with the projects it references, or single files under default options.
// Whatever keeps a project from being loaded is a problem with a reason; nothing is skipped in silence.
import { dirname, relative, resolve } from "node:path";
import { ts } from "ts-morph";
import { createCompilerHost } from "./host.js";
import { globPattern, readSettings } from "./settings.js";
import { SourceCache } from "./source-cache.js";

/** How the files of a project are read. */
export interface LoadOptions {
  /** Where files are read; the default is the disk. */
  readonly system?: ts.System;
  /** Parsed files to be used again; give the same cache to checks that follow each other. */
  readonly cache?: SourceCache;
  /** Puts the files of the project in another order; the findings must not depend on it. */
  readonly order?: (files: readonly string[]) => readonly string[];
}

/** Which project is read. */
export interface LoadRequest {
  /** A tsconfig file, or the folder that holds tsconfig.json. Default: tsconfig.json in `cwd`. */
  readonly tsconfig?: string;
  /** Files to be checked without a tsconfig, with what they import. */
  readonly files?: readonly string[];
  readonly cwd?: string;
  readonly load?: LoadOptions;
}

export interface ProjectProblem {
  readonly reason: string;
  readonly advice: string;
}

export interface LoadedProgram {
  readonly program: ts.Program;
  readonly rootFiles: ReadonlySet<string>;
}

export interface LoadedProject {
  /** The folder that reported paths are relative to, with `/`. */
  readonly root: string;
  readonly programs: readonly LoadedProgram[];
  readonly problems: readonly ProjectProblem[];
}

/** Options that newer compilers know and this grammar does not: the files load all the same. */
const HARMLESS_CONFIG_ERRORS: ReadonlySet<number> = new Set([5023, 5024, 5025, 5101, 5107]);
const NO_INPUTS = 18003;
const EMPTY_FILES = 18002;

const DEFAULT_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  jsx: ts.JsxEmit.Preserve,
  allowJs: true,
  strict: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
};

function toSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

function createProgram(
  rootNames: readonly string[],
  options: ts.CompilerOptions,
  references: readonly ts.ProjectReference[],
  load: Required<Pick<LoadOptions, "system" | "cache">> & LoadOptions,
): LoadedProgram {
  const settled: ts.CompilerOptions = { ...options, noEmit: true, skipLibCheck: true };
  for (const name of ["incremental", "composite", "tsBuildInfoFile", "declaration", "declarationMap"]) {
    delete settled[name];
  }
  const names = load.order ? load.order(rootNames) : rootNames;
  const program = ts.createProgram({
    rootNames: names,
    options: settled,
    projectReferences: references,
    host: createCompilerHost(settled, load.system, load.cache),
  });
  return { program, rootFiles: new Set(rootNames.map(toSlashes)) };
}

interface ParsedConfigs {
  readonly configs: readonly { readonly path: string; readonly parsed: ts.ParsedCommandLine }[];
  readonly problems: readonly ProjectProblem[];
}

/** The config and all that it references, each once, in the order in which they are met. */
function parseConfigs(entry: string, system: ts.System): ParsedConfigs {
  const configs: { path: string; parsed: ts.ParsedCommandLine }[] = [];
  const problems: ProjectProblem[] = [];
  const seen = new Set<string>();
  const pending = [entry];
  for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = system.readFile(path);
    if (text === undefined) {
      problems.push({
        reason: `there is no ${toSlashes(relative(dirname(entry), path)) || "tsconfig.json"}`,
        advice: "name a tsconfig with -p, or create one whose files include the agents",
      });
      continue;
    }
    const source = ts.parseJsonText(path, text);
    const parsed = ts.parseJsonSourceFileConfigFileContent(source, system, dirname(path), undefined, path);
    const errors = [
      ...(source as ts.JsonSourceFile & { parseDiagnostics: ts.Diagnostic[] }).parseDiagnostics,
      ...parsed.errors,
    ].filter((error) => !HARMLESS_CONFIG_ERRORS.has(error.code));
    const references = parsed.projectReferences ?? [];
    for (const error of errors) {
      const empty = error.code === NO_INPUTS || error.code === EMPTY_FILES;
      if (empty && references.length > 0) continue;
      problems.push({
        reason: empty
          ? `${toSlashes(relative(dirname(entry), path))} includes no file`
          : ts.flattenDiagnosticMessageText(error.messageText, " "),
        advice: empty ? "include the files of the agents" : "correct the tsconfig",
      });
    }
    configs.push({ path, parsed });
    pending.push(...references.map((reference) => ts.resolveProjectReferencePath(reference)));
  }
  return { configs, problems };
}

/** Loads a project or single files. Never throws for what the project holds; problems say why nothing was loaded. */
export function loadProject(request: LoadRequest): LoadedProject {
  const system = request.load?.system ?? ts.sys;
  const load = { ...request.load, system, cache: request.load?.cache ?? new SourceCache() };
  const cwd = toSlashes(resolve(request.cwd ?? system.getCurrentDirectory()));
  if (request.files && request.tsconfig === undefined) {
    const names = request.files.map((file) => toSlashes(resolve(cwd, file)));
    const missing = names.filter((name) => !system.fileExists(name));
    const problems = missing.map((name) => ({
      reason: `there is no file ${toSlashes(relative(cwd, name))}`,
      advice: "name an existing module",
    }));
    const found = names.filter((name) => !missing.includes(name));
    const programs = found.length > 0 ? [createProgram(found, DEFAULT_OPTIONS, [], load)] : [];
    return { root: cwd, programs, problems };
  }
  const given = toSlashes(resolve(cwd, request.tsconfig ?? "tsconfig.json"));
  const entry = system.directoryExists(given) ? `${given}/tsconfig.json` : given;
  const root = dirname(entry);
  const settings = readSettings(root, system);
  const { configs, problems } = parseConfigs(entry, system);
  if (!settings.ok) {
    const problem = { reason: settings.reason, advice: "see docs/checker.md, projects" };
    return { root, programs: [], problems: [...problems, problem] };
  }
  const excluded = (settings.settings.exclude ?? []).map((entry) => globPattern(entry.files));
  const programs = configs.flatMap(({ parsed }) => {
    const names = parsed.fileNames.filter((name) => {
      const inside = toSlashes(relative(settings.folder, name));
      return !excluded.some((pattern) => pattern.test(inside));
    });
    return names.length > 0
      ? [createProgram(names, parsed.options, parsed.projectReferences ?? [], load)]
      : [];
  });
  return { root, programs, problems };
}

/** The nearest tsconfig.json above a module whose files include it, or undefined. */
export function findProjectOf(module: string, system: ts.System = ts.sys): string | undefined {
  const wanted = toSlashes(resolve(module));
  for (let folder = dirname(wanted); ; folder = dirname(folder)) {
    const path = folder.endsWith("/") ? `${folder}tsconfig.json` : `${folder}/tsconfig.json`;
    if (system.fileExists(path)) {
      const { configs } = parseConfigs(path, system);
      if (configs.some(({ parsed }) => parsed.fileNames.includes(wanted))) return path;
    }
    if (dirname(folder) === folder) return undefined;
  }
}
