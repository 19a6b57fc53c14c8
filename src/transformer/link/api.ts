// What the run API is in a program: the exports `computer`, `computerUse` and `launch` of package `capuchin`, known
// by package and export name, in however many copies. A function of the API is known by its declaration.
import { ts } from "ts-morph";
import { API_FUNCTION_LIST, type ApiFunctionName } from "../../contract/api-functions.js";
import type { PackageLookup } from "./packages.js";

export const PACKAGE_NAME = "capuchin";

type FileWithImports = ts.SourceFile & { readonly imports?: readonly ts.StringLiteralLike[] };

/** The run API as the program sees it. */
export interface ApiModel {
  /** Whether any import of the package was resolved. */
  readonly found: boolean;
  /** Imports of the package that lead nowhere. */
  readonly unresolved: readonly ts.StringLiteralLike[];
  /** The files of the package itself, when the program sees its sources; they are not checked. */
  readonly ownFiles: ReadonlySet<ts.SourceFile>;
  isHandleSymbol(symbol: ts.Symbol): boolean;
  /** Whether a type is the handle's, or that of a part of it that holds API functions. */
  isHandleType(type: ts.Type): boolean;
  functionOf(symbol: ts.Symbol): ApiFunctionName | undefined;
  functionOfDeclaration(node: ts.Node): ApiFunctionName | undefined;
  functionOfSignature(signature: ts.Signature): ApiFunctionName | undefined;
  isDecoratorFactory(symbol: ts.Symbol): boolean;
  /** Whether calling a value of this type applies what `computerUse` returned. */
  isDecoratorType(type: ts.Type): boolean;
  isLaunch(symbol: ts.Symbol): boolean;
}

/** The module specifiers of a file, import types among them, as the language reads them. */
export function importsOf(file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  return (file as FileWithImports).imports ?? [];
}

/** The module that a specifier leads to, as a symbol. */
export function moduleAt(checker: ts.TypeChecker, specifier: ts.StringLiteralLike): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(specifier);
  return symbol && symbol.flags & ts.SymbolFlags.Module ? symbol : undefined;
}

/** Follows aliases to the symbol that they stand for. */
export function resolveAlias(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

interface Entries {
  readonly modules: ReadonlySet<ts.Symbol>;
  readonly unresolved: readonly ts.StringLiteralLike[];
}

/** Every module by which code outside the package enters it. */
function findEntries(program: ts.Program, checker: ts.TypeChecker, packages: PackageLookup): Entries {
  const modules = new Set<ts.Symbol>();
  const unresolved: ts.StringLiteralLike[] = [];
  for (const file of program.getSourceFiles()) {
    if (program.isSourceFileDefaultLibrary(file)) continue;
    for (const specifier of importsOf(file)) {
      const byName = specifier.text === PACKAGE_NAME || specifier.text.startsWith(`${PACKAGE_NAME}/`);
      const symbol = moduleAt(checker, specifier);
      if (!symbol) {
        if (specifier.text === PACKAGE_NAME) unresolved.push(specifier);
        continue;
      }
      if (byName || entersPackage(file, symbol, packages)) modules.add(symbol);
    }
  }
  return { modules, unresolved };
}

function entersPackage(from: ts.SourceFile, target: ts.Symbol, packages: PackageLookup): boolean {
  return (target.declarations ?? []).some((declaration) => {
    if (!ts.isSourceFile(declaration)) return false;
    const owner = packages.packageOf(declaration.fileName);
    return owner?.name === PACKAGE_NAME && packages.packageOf(from.fileName)?.folder !== owner.folder;
  });
}

/** The sources of the package, as far as the entries lead and the project does not name them itself. */
function findOwnFiles(
  program: ts.Program,
  checker: ts.TypeChecker,
  entries: ReadonlySet<ts.Symbol>,
  rootFiles: ReadonlySet<string>,
): Set<ts.SourceFile> {
  const own = new Set<ts.SourceFile>();
  const pending = [...entries].flatMap((symbol) => (symbol.declarations ?? []).filter(ts.isSourceFile));
  for (let file = pending.pop(); file; file = pending.pop()) {
    if (own.has(file) || rootFiles.has(file.fileName) || program.isSourceFileDefaultLibrary(file)) continue;
    own.add(file);
    for (const specifier of importsOf(file)) {
      pending.push(...(moduleAt(checker, specifier)?.declarations ?? []).filter(ts.isSourceFile));
    }
  }
  return own;
}

class Model implements ApiModel {
  readonly handles = new Set<ts.Symbol>();
  readonly handleTypes = new Set<ts.Type>();
  readonly handleTypeSymbols = new Set<ts.Symbol>();
  readonly functions = new Map<ts.Node, ApiFunctionName>();
  readonly factories = new Set<ts.Symbol>();
  readonly decoratorDeclarations = new Set<ts.Node>();
  readonly launches = new Set<ts.Symbol>();
  readonly #checker: ts.TypeChecker;
  readonly unresolved: readonly ts.StringLiteralLike[];
  readonly ownFiles: ReadonlySet<ts.SourceFile>;

  constructor(
    checker: ts.TypeChecker,
    unresolved: readonly ts.StringLiteralLike[],
    own: ReadonlySet<ts.SourceFile>,
  ) {
    this.#checker = checker;
    this.unresolved = unresolved;
    this.ownFiles = own;
  }

  get found(): boolean {
    return this.factories.size > 0;
  }

  addModule(module: ts.Symbol): void {
    for (const exported of this.#checker.getExportsOfModule(module)) {
      const symbol = resolveAlias(this.#checker, exported);
      if (exported.name === "computer") this.#addHandle(symbol);
      else if (exported.name === "computerUse") this.#addFactory(symbol);
      else if (exported.name === "launch") this.launches.add(symbol);
    }
  }

  #addHandle(symbol: ts.Symbol): void {
    this.handles.add(symbol);
    const type = this.#checker.getTypeOfSymbol(symbol);
    this.#addHandleType(type);
    for (const name of API_FUNCTION_LIST) {
      const path = name.split(".");
      let at: ts.Type | undefined = type;
      let member: ts.Symbol | undefined;
      path.forEach((part, index) => {
        member = at ? this.#checker.getPropertyOfType(at, part) : undefined;
        at = member ? this.#checker.getTypeOfSymbol(member) : undefined;
        if (index < path.length - 1 && at) this.#addHandleType(at);
      });
      for (const declaration of member?.declarations ?? []) this.functions.set(declaration, name);
    }
  }

  #addHandleType(type: ts.Type): void {
    if (type.flags & ts.TypeFlags.Any) return;
    this.handleTypes.add(type);
    const symbol = type.aliasSymbol ?? type.symbol;
    if (symbol) this.handleTypeSymbols.add(symbol);
    if (type.symbol) this.handleTypeSymbols.add(type.symbol);
  }

  #addFactory(symbol: ts.Symbol): void {
    this.factories.add(symbol);
    for (const signature of this.#checker.getTypeOfSymbol(symbol).getCallSignatures()) {
      for (const applied of signature.getReturnType().getCallSignatures()) {
        if (applied.declaration) this.decoratorDeclarations.add(applied.declaration);
      }
    }
  }

  isHandleSymbol(symbol: ts.Symbol): boolean {
    return this.handles.has(symbol);
  }

  isHandleType(type: ts.Type): boolean {
    return (
      this.handleTypes.has(type) || (type.symbol !== undefined && this.handleTypeSymbols.has(type.symbol))
    );
  }

  functionOf(symbol: ts.Symbol): ApiFunctionName | undefined {
    for (const declaration of symbol.declarations ?? []) {
      const name = this.functions.get(declaration);
      if (name) return name;
    }
    return undefined;
  }

  functionOfDeclaration(node: ts.Node): ApiFunctionName | undefined {
    return this.functions.get(node);
  }

  functionOfSignature(signature: ts.Signature): ApiFunctionName | undefined {
    const declaration: ts.Node | undefined = signature.declaration;
    if (!declaration) return undefined;
    return this.functions.get(declaration) ?? this.functions.get(declaration.parent);
  }

  isDecoratorFactory(symbol: ts.Symbol): boolean {
    return this.factories.has(symbol);
  }

  isDecoratorType(type: ts.Type): boolean {
    return type
      .getCallSignatures()
      .some((signature) => signature.declaration && this.decoratorDeclarations.has(signature.declaration));
  }

  isLaunch(symbol: ts.Symbol): boolean {
    return this.launches.has(symbol);
  }
}

/** Finds the run API of a program. */
export function findApi(
  program: ts.Program,
  rootFiles: ReadonlySet<string>,
  packages: PackageLookup,
): ApiModel {
  const checker = program.getTypeChecker();
  const entries = findEntries(program, checker, packages);
  const own = findOwnFiles(program, checker, entries.modules, rootFiles);
  const model = new Model(checker, entries.unresolved, own);
  for (const module of entries.modules) model.addModule(module);
  return model;
}
