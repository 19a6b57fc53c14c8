// The declarations of the package's entries as users get them, read from the sources by the compiler that ts-morph
// brings along: neither a build nor another tool is needed. TypeDoc takes no TypeScript 7, and api-documenter makes a
// page of every member.
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

/** A declaration of an exported name. */
export interface Exported {
  /** As users get it: without bodies, and without what is internal. */
  readonly shown: Node;
  /** As it stands in the sources, where its type is known. */
  readonly source: Node;
  /** Whether the entry has it as a type only: a class that users cannot make themselves. */
  readonly typeOnly: boolean;
}

export interface EntryDeclarations {
  readonly specifier: string;
  readonly page: string;
  /** What the head of the source says the entry is for. */
  readonly about: string;
  /** The declarations of each exported name. */
  readonly exports: ReadonlyMap<string, readonly Exported[]>;
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

function nameOf(node: Node): string | undefined {
  return Node.hasName(node) ? node.getName() : undefined;
}

function declarationsIn(file: SourceFile): Node[] {
  return [
    ...file.getFunctions(),
    ...file.getClasses(),
    ...file.getInterfaces(),
    ...file.getTypeAliases(),
    ...file.getVariableDeclarations(),
  ];
}

/** Sources as declaration files, each on its own, so that no type needs to be worked out for it. */
class Emitted {
  readonly #project = new Project({ useInMemoryFileSystem: true });
  readonly #files = new Map<string, SourceFile>();

  #fileOf(source: SourceFile): SourceFile {
    const path = source.getFilePath();
    const known = this.#files.get(path);
    if (known) return known;
    const { outputText } = ts.transpileDeclaration(source.getFullText(), {
      fileName: path,
      compilerOptions: {
        stripInternal: true,
        strict: true,
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
      },
    });
    const made = this.#project.createSourceFile(path.replace(/\.ts$/, ".d.ts"), outputText);
    this.#files.set(path, made);
    return made;
  }

  /** Every declaration of a source's name: overloads are several. */
  of(source: Node, typeOnly: boolean): Exported[] {
    const name = nameOf(source);
    const found = declarationsIn(this.#fileOf(source.getSourceFile())).filter(
      (node) => nameOf(node) === name,
    );
    if (found.length === 0)
      throw new Error(`${name ?? "a declaration without a name"} is exported and internal`);
    return found.map((shown) => ({ shown, source, typeOnly }));
  }
}

/** The names that an entry exports as types only. */
function typeNames(entry: SourceFile): ReadonlySet<string> {
  const names = entry.getExportDeclarations().flatMap((statement) =>
    statement
      .getNamedExports()
      .filter((specifier) => statement.isTypeOnly() || specifier.isTypeOnly())
      .map((specifier) => specifier.getAliasNode()?.getText() ?? specifier.getName()),
  );
  return new Set(names);
}

/** Reads the four entries. */
export function readEntries(): EntryDeclarations[] {
  const project = new Project({
    tsConfigFilePath: resolve(ROOT, "tsconfig.json"),
    skipAddingFilesFromTsConfig: true,
  });
  const emitted = new Emitted();
  return ENTRIES.map(({ specifier, page, source }) => {
    const entry = project.addSourceFileAtPath(resolve(ROOT, "src", source));
    const types = typeNames(entry);
    const exports = [...entry.getExportedDeclarations()].flatMap(([name, nodes]) => {
      const [first] = nodes;
      return first ? [[name, emitted.of(first, types.has(name))] as const] : [];
    });
    return { specifier, page, about: headOf(entry), exports: new Map(exports) };
  });
}

/** The node that carries a declaration's comment and keywords. */
export function statementOf(node: Node): Node {
  return Node.isVariableDeclaration(node) ? (node.getVariableStatement() ?? node) : node;
}
