// The declarations of the package's entries as users get them: emitted from the sources by the compiler that ts-morph
// brings along, so that neither a build nor another tool is needed. What is private or internal is not in them.
import { resolve } from "node:path";
import { Node, Project, type SourceFile, ts } from "ts-morph";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Each entry: what it is imported by, its page, its source. */
export const ENTRIES = [
  { specifier: "capuchin", page: "capuchin.md", source: "index.ts" },
  { specifier: "capuchin/runtime", page: "runtime.md", source: "runtime/index.ts" },
  { specifier: "capuchin/testing", page: "testing.md", source: "runtime/testing/index.ts" },
  { specifier: "capuchin/transformer", page: "transformer.md", source: "transformer/index.ts" },
] as const;

export interface EntryDeclarations {
  readonly specifier: string;
  readonly page: string;
  /** What the head of the source says the entry is for. */
  readonly about: string;
  /** The declarations of each exported name. */
  readonly exports: ReadonlyMap<string, readonly Node[]>;
}

/** The comment that a source begins with, as one paragraph. */
function headOf(source: SourceFile): string {
  const lines = source.getFullText().split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ""))
    .join(" ");
}

function emit(project: Project): Project {
  const { compilerOptions } = ts.readConfigFile(resolve(ROOT, "tsconfig.json"), ts.sys.readFile).config as {
    compilerOptions: { lib: string[] };
  };
  const emitted = new Project({
    compilerOptions: {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      lib: compilerOptions.lib.map((name) => `lib.${name}.d.ts`),
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: ["node"],
    },
    skipAddingFilesFromTsConfig: true,
  });
  for (const file of project.emitToMemory({ emitOnlyDtsFiles: true }).getFiles())
    emitted.createSourceFile(file.filePath, file.text, { overwrite: true });
  return emitted;
}

/** Reads the four entries. */
export function readEntries(): EntryDeclarations[] {
  const project = new Project({
    tsConfigFilePath: resolve(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      stripInternal: true,
      removeComments: false,
      rootDir: resolve(ROOT, "src"),
      outDir: resolve(ROOT, "out/api"),
      allowJs: false,
      checkJs: false,
    },
    skipAddingFilesFromTsConfig: true,
  });
  project.addSourceFilesAtPaths(resolve(ROOT, "src/**/*.ts"));
  const emitted = emit(project);
  return ENTRIES.map(({ specifier, page, source }) => {
    const path = resolve(ROOT, "out/api", source.replace(/\.ts$/, ".d.ts"));
    const exports = emitted.getSourceFileOrThrow(path).getExportedDeclarations();
    return {
      specifier,
      page,
      about: headOf(project.getSourceFileOrThrow(resolve(ROOT, "src", source))),
      exports: new Map([...exports].filter(([, nodes]) => nodes.length > 0)),
    };
  });
}

/** The node that carries a declaration's comment and keywords. */
export function statementOf(node: Node): Node {
  return Node.isVariableDeclaration(node) ? (node.getVariableStatement() ?? node) : node;
}
