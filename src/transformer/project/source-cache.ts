// Parsed source files, kept by path, options and text: a file is parsed again only when one of them changed.
// The library of the checker's own TypeScript is read from the package that carries it, never from the project.
import { createRequire } from "node:module";
import { ts } from "ts-morph";

interface LibraryFile {
  readonly fileName: string;
  readonly text: string;
}

const LIBRARY_FOLDER = "/node_modules/typescript/lib";

let library: ReadonlyMap<string, string> | undefined;

function libraryTexts(): ReadonlyMap<string, string> {
  if (library) return library;
  const require = createRequire(import.meta.url);
  const bundle: { getLibFiles(): LibraryFile[] } = createRequire(require.resolve("ts-morph"))(
    "@ts-morph/common",
  );
  library = new Map(bundle.getLibFiles().map((file) => [`${LIBRARY_FOLDER}/${file.fileName}`, file.text]));
  return library;
}

/** The folder under which the host serves the library; no such folder exists on disk. */
export function libraryFolder(): string {
  return LIBRARY_FOLDER;
}

/** The text of a library file, or undefined when the path is none. */
export function libraryText(path: string): string | undefined {
  return path.startsWith(`${LIBRARY_FOLDER}/`) ? libraryTexts().get(path) : undefined;
}

/** Whether a source file belongs to TypeScript's own library. */
export function isLibraryFile(file: ts.SourceFile): boolean {
  return file.fileName.startsWith(`${LIBRARY_FOLDER}/`);
}

/** Options under which one parsed and bound file may serve two programs. */
function optionsKey(options: ts.CompilerOptions): string {
  const { paths: _paths, configFilePath: _config, pathsBasePath: _base, ...rest } = options;
  return JSON.stringify(rest);
}

/** Keeps parsed files between programs. One cache serves checks that run after each other, such as tests. */
export class SourceCache {
  readonly #files = new Map<string, { readonly text: string; readonly file: ts.SourceFile }>();

  /** The parsed file, from the cache when path, options and text are the same. */
  parse(
    path: string,
    text: string,
    languageVersion: ts.ScriptTarget | ts.CreateSourceFileOptions,
    options: ts.CompilerOptions,
  ): ts.SourceFile {
    const level = typeof languageVersion === "object" ? languageVersion : { languageVersion };
    const key = `${path}\0${level.languageVersion}\0${level.impliedNodeFormat ?? 0}\0${optionsKey(options)}`;
    const known = this.#files.get(key);
    if (known && known.text === text) return known.file;
    const file = ts.createSourceFile(path, text, languageVersion, true);
    this.#files.set(key, { text, file });
    return file;
  }
}
