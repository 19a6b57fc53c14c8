// The compiler host: reads through one `ts.System`, serves TypeScript's library from memory, follows project
// references to their sources.
import { ts } from "ts-morph";
import { libraryFolder, libraryText, type SourceCache } from "./source-cache.js";

/** Creates a compiler host that parses through the cache. Writing is a bug of ours. */
export function createCompilerHost(
  options: ts.CompilerOptions,
  system: ts.System,
  cache: SourceCache,
): ts.CompilerHost {
  const readFile = (path: string) => libraryText(path) ?? system.readFile(path);
  const host: ts.CompilerHost & { useSourceOfProjectReferenceRedirect(): boolean } = {
    fileExists: (path) => libraryText(path) !== undefined || system.fileExists(path),
    readFile,
    getSourceFile(path, languageVersion) {
      const text = readFile(path);
      return text === undefined ? undefined : cache.parse(path, text, languageVersion, options);
    },
    getDefaultLibFileName: (given) => `${libraryFolder()}/${ts.getDefaultLibFileName(given)}`,
    getDefaultLibLocation: libraryFolder,
    writeFile() {
      throw new Error("internal: the checker writes no file through the compiler");
    },
    getCurrentDirectory: () => system.getCurrentDirectory(),
    getCanonicalFileName: (path) => (system.useCaseSensitiveFileNames ? path : path.toLowerCase()),
    useCaseSensitiveFileNames: () => system.useCaseSensitiveFileNames,
    getNewLine: () => "\n",
    directoryExists: (path) => system.directoryExists(path),
    readDirectory: (...request) => system.readDirectory(...request),
    getDirectories: (path) => system.getDirectories(path),
    ...(system.realpath ? { realpath: system.realpath.bind(system) } : {}),
    useSourceOfProjectReferenceRedirect: () => true,
  };
  return host;
}
