// The sources of the package, parsed once for all architecture tests, and what each file imports.
import { posix, relative, resolve, sep } from "node:path";
import { Node, Project, type SourceFile, SyntaxKind } from "ts-morph";

export const ROOT = resolve(import.meta.dirname, "../..");
const SRC = resolve(ROOT, "src");

const project = new Project({ skipAddingFilesFromTsConfig: true, skipFileDependencyResolution: true });
project.addSourceFilesAtPaths(`${SRC}/**/*.ts`);

/** Every source file with its path below src/, with `/`. */
export const SOURCES: readonly { readonly path: string; readonly file: SourceFile }[] = project
  .getSourceFiles()
  .map((file) => ({ path: relative(SRC, file.getFilePath()).split(sep).join("/"), file }))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

export interface ImportEdge {
  readonly from: string;
  /** Path below src/ of the imported file, or a bare specifier. */
  readonly to: string;
  readonly line: number;
  readonly bare: boolean;
  /** By `import()`, so only on use. */
  readonly onUse: boolean;
  /** Types only: gone after compilation. */
  readonly typeOnly: boolean;
}

/** The folder a file counts to: two segments below runtime/, one elsewhere, "" for src/index.ts. */
export function folderOf(path: string): string {
  const parts = path.split("/");
  return parts.slice(0, Math.min(parts.length - 1, parts[0] === "runtime" ? 2 : 1)).join("/");
}

export const IMPORTS: readonly ImportEdge[] = SOURCES.flatMap(({ path, file }) =>
  specifiersOf(file).map(({ specifier, node, onUse, typeOnly }) => {
    const bare = !specifier.startsWith(".");
    const to = bare ? specifier : posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
    return { from: path, to, line: node.getStartLineNumber(), bare, onUse, typeOnly };
  }),
);

interface Specifier {
  readonly specifier: string;
  readonly node: Node;
  readonly onUse: boolean;
  readonly typeOnly: boolean;
}

function specifiersOf(file: SourceFile): Specifier[] {
  const declared = [...file.getImportDeclarations(), ...file.getExportDeclarations()].flatMap((node) => {
    const specifier = node.getModuleSpecifierValue();
    if (specifier === undefined) return [];
    return [{ specifier, node, onUse: false, typeOnly: node.isTypeOnly() || namesTypesOnly(node) }];
  });
  const types = file.getDescendantsOfKind(SyntaxKind.ImportType).map((node) => ({
    specifier: node.getArgument().getText().slice(1, -1),
    node,
    onUse: false,
    typeOnly: true,
  }));
  const calls = file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((node) => {
    const callee = node.getExpression();
    const [argument] = node.getArguments();
    const isImport = callee.getKind() === SyntaxKind.ImportKeyword || /(^|\.)require$/.test(callee.getText());
    if (!isImport || !argument || !Node.isStringLiteral(argument)) return [];
    return [{ specifier: argument.getLiteralValue(), node, onUse: true, typeOnly: false }];
  });
  return [...declared, ...types, ...calls];
}

function namesTypesOnly(node: Node): boolean {
  if (Node.isImportDeclaration(node)) {
    const named = node.getNamedImports();
    return (
      named.length > 0 &&
      !node.getDefaultImport() &&
      !node.getNamespaceImport() &&
      named.every((name) => name.isTypeOnly())
    );
  }
  if (!Node.isExportDeclaration(node)) return false;
  const named = node.getNamedExports();
  return named.length > 0 && named.every((name) => name.isTypeOnly());
}
