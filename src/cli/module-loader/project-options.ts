// How the project of a module compiles: the options of the tsconfig, or of the one that it references, whose files
// include the module.
import { dirname, resolve } from "node:path";
import { ts } from "ts-morph";

/** A project's way of compiling; without a tsconfig, the default one. */
export interface ModuleProject {
  /** The tsconfig that includes the module. */
  readonly tsconfig: string | undefined;
  /** Its compiler options, as plain data that can go to another thread. */
  readonly options: ts.CompilerOptions;
}

function parseConfig(path: string): ts.ParsedCommandLine | undefined {
  const text = ts.sys.readFile(path);
  if (text === undefined) return undefined;
  const source = ts.parseJsonText(path, text);
  return ts.parseJsonSourceFileConfigFileContent(source, ts.sys, dirname(path), undefined, path);
}

function plainOptions(options: ts.CompilerOptions): ts.CompilerOptions {
  // The parsed config itself hangs on the options: a syntax tree that cannot be copied and is not needed.
  const { configFile: _config, ...plain } = options;
  return plain;
}

/** The config among this one and those it references that includes the file. */
function findIncluding(path: string, file: string, seen: Set<string>): ModuleProject | undefined {
  if (seen.has(path)) return undefined;
  seen.add(path);
  const parsed = parseConfig(path);
  if (!parsed) return undefined;
  const includes = parsed.fileNames.some((name) => resolve(name) === file);
  if (includes) return { tsconfig: path, options: plainOptions(parsed.options) };
  for (const reference of parsed.projectReferences ?? []) {
    const found = findIncluding(resolve(ts.resolveProjectReferencePath(reference)), file, seen);
    if (found) return found;
  }
  return undefined;
}

/** How a module compiles, given the tsconfig of the project that it was found in (none: default options). */
export function findModuleProject(file: string, tsconfig: string | undefined): ModuleProject {
  const found = tsconfig === undefined ? undefined : findIncluding(resolve(tsconfig), file, new Set());
  return found ?? { tsconfig, options: {} };
}
