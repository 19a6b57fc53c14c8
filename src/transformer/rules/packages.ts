// Packages of which only declarations are seen. A summary says what each export needs, and its mention is a leaf
// like an API function; a package that takes or exports the handle without a summary is CU6034.
import { ts } from "ts-morph";
import { createFinding, type Finding } from "../finding.js";
import type { ApiModel } from "../link/api.js";
import { PACKAGE_NAME } from "../link/api.js";
import { HandleTypes } from "../link/handle-type.js";
import { accessOf, type Mentions } from "../link/mention.js";
import type { OwningPackage, PackageLookup } from "../link/packages.js";
import type { Summaries } from "../link/summaries.js";
import { isLibraryFile } from "../project/source-cache.js";
import type { PackageLeaf } from "../reach/leaf.js";
import type { ProgramIndex } from "../summarise/program-index.js";
import type { RuleContext } from "./context.js";

/** Which declarations belong to packages that are not part of the checked project. */
export class DeclaredPackages {
  readonly #packages: PackageLookup;
  readonly #index: ProgramIndex;
  readonly #checked: ReadonlySet<string>;

  constructor(packages: PackageLookup, index: ProgramIndex) {
    this.#packages = packages;
    this.#index = index;
    const folders = index.files.map(({ file }) => packages.packageOf(file.fileName)?.folder ?? "");
    this.#checked = new Set(folders);
  }

  /** Whether a declaration is one of package capuchin itself, and not of a project that lies inside it. */
  isOwn(declaration: ts.Node): boolean {
    const file = declaration.getSourceFile();
    return !this.#index.byFile.has(file) && this.#packages.packageOf(file.fileName)?.name === PACKAGE_NAME;
  }

  /** The package behind a declaration, when only declarations of it are seen and it is not our own. */
  of(declaration: ts.Node): OwningPackage | undefined {
    const file = declaration.getSourceFile();
    if (!file.isDeclarationFile || isLibraryFile(file)) return undefined;
    const owner = this.#packages.packageOf(file.fileName);
    return !owner || owner.name === PACKAGE_NAME || this.#checked.has(owner.folder) ? undefined : owner;
  }
}

interface External {
  readonly owner: OwningPackage;
  readonly files: readonly ts.SourceFile[];
}

function externalPackages(program: ts.Program, declared: DeclaredPackages): readonly External[] {
  const found = new Map<string, { owner: OwningPackage; files: ts.SourceFile[] }>();
  for (const file of program.getSourceFiles()) {
    const owner = declared.of(file);
    if (!owner) continue;
    const known = found.get(owner.folder);
    if (known) known.files.push(file);
    else found.set(owner.folder, { owner, files: [file] });
  }
  return [...found.values()];
}

/** The mentions of exports whose summary says that they need words. */
export function findPackageLeaves(
  program: ts.Program,
  mentions: Mentions,
  declared: DeclaredPackages,
  summaries: Summaries,
): PackageLeaf[] {
  const leaves: PackageLeaf[] = [];
  for (const { owner } of externalPackages(program, declared)) {
    const summary = summaries.of(owner);
    for (const [name, { needs }] of Object.entries(summary?.exports ?? {})) {
      if (needs.length === 0) continue;
      const places = new Set<ts.Node>();
      for (const [declaration, nodes] of mentions.byDeclaration(name)) {
        if (declared.of(declaration)?.folder !== owner.folder) continue;
        for (const node of nodes) places.add(accessOf(node));
      }
      for (const place of places) {
        leaves.push({ kind: "package", export: name, package: owner.name, needs, place });
      }
    }
  }
  return leaves;
}

function importsTheHandle(file: ts.SourceFile): boolean {
  const { imports = [] } = file as ts.SourceFile & { readonly imports?: readonly ts.StringLiteralLike[] };
  return imports.some((each) => each.text === PACKAGE_NAME || each.text.startsWith(`${PACKAGE_NAME}/`));
}

function exportedNames(file: ts.SourceFile, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const module = checker.getSymbolAtLocation(file);
  return module ? checker.getExportsOfModule(module) : [];
}

function noSummary(owner: OwningPackage, how: string, at: ts.Node): Finding {
  const advice = `ask for a summary, or do in your own code what ${owner.name} would do with it`;
  return createFinding("CU6034", { package: owner.name, how, advice }, at);
}

/** CU6034 where the handle comes from a package that ships no summary. */
export function findForeignHandles(context: RuleContext, api: ApiModel, summaries: Summaries): Finding[] {
  const { program, checker, mentions, declared } = context;
  const types = new HandleTypes(checker, api);
  const found = new Map<ts.Node, Finding>();
  for (const { owner, files } of externalPackages(program, declared)) {
    if (summaries.of(owner) || !files.some(importsTheHandle)) continue;
    for (const symbol of files.flatMap((file) => exportedNames(file, checker))) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (!(target.flags & ts.SymbolFlags.Value) || !types.contains(checker.getTypeOfSymbol(target)))
        continue;
      for (const mention of mentions.candidates(symbol.name)) {
        if (!mentions.symbolsAt(mention).includes(target) || found.has(mention)) continue;
        if (api.isHandleSymbol(target) && !cameThrough(mention, files, checker)) continue;
        found.set(mention, noSummary(owner, "exports", accessOf(mention)));
      }
    }
  }
  return [...found.values()];
}

/** Whether a mention's import leads through one of the files, when the package re-exports what is not its own. */
function cameThrough(mention: ts.Node, files: readonly ts.SourceFile[], checker: ts.TypeChecker): boolean {
  let symbol = checker.getSymbolAtLocation(mention);
  while (symbol && symbol.flags & ts.SymbolFlags.Alias) {
    if (symbol.declarations?.some((each) => files.includes(each.getSourceFile()))) return true;
    symbol = checker.getImmediateAliasedSymbol(symbol);
  }
  return false;
}

/** CU6034 for the calls that hand the handle to a package that ships no summary. */
export function reportTakers(
  calls: readonly (ts.CallExpression | ts.NewExpression)[],
  context: RuleContext,
  summaries: Summaries,
): Finding[] {
  return calls.flatMap((call) => {
    const declaration: ts.Node | undefined = context.checker.getResolvedSignature(call)?.declaration;
    const owner = declaration && context.declared.of(declaration);
    return owner && !summaries.of(owner) ? [noSummary(owner, "takes", call.expression)] : [];
  });
}
