// CU6033: code that cannot be read at build time. Each construct is a leaf of the graph like an API function, so
// that it is reported where an agent's code leads to it.
import { dirname, join } from "node:path";
import { ts } from "ts-morph";
import type { ApiModel } from "../link/api.js";
import { accessOf, callOf, type Mentions, skipOuter } from "../link/mention.js";
import { isLibraryFile } from "../project/source-cache.js";
import type { DynamicLeaf } from "../reach/leaf.js";
import type { FileIndex } from "../summarise/file-index.js";
import type { ProgramIndex } from "../summarise/program-index.js";

export interface DynamicCode {
  readonly leaves: readonly DynamicLeaf[];
  /** Leaves that are computed members of the handle: reported wherever they stand. */
  readonly onHandle: ReadonlySet<DynamicLeaf>;
  /** Places that start a file of the program as a worker. */
  readonly workers: ReadonlyMap<ts.SourceFile, readonly ts.Node[]>;
}

const VM_NAMES: readonly string[] = [
  "runInThisContext",
  "runInNewContext",
  "runInContext",
  "compileFunction",
  "Script",
  "SourceTextModule",
];
const TIMERS: ReadonlySet<string> = new Set(["setTimeout", "setInterval", "setImmediate"]);

class Finder {
  readonly leaves: DynamicLeaf[] = [];
  readonly onHandle = new Set<DynamicLeaf>();
  readonly workers = new Map<ts.SourceFile, ts.Node[]>();
  readonly #program: ts.Program;
  readonly #api: ApiModel;
  readonly #mentions: Mentions;
  readonly #index: ProgramIndex;

  constructor(program: ts.Program, api: ApiModel, mentions: Mentions, index: ProgramIndex) {
    this.#program = program;
    this.#api = api;
    this.#mentions = mentions;
    this.#index = index;
  }

  run(): void {
    for (const name of ["eval", "Function", "WebAssembly", "importScripts"]) this.#global(name);
    this.#vm();
    this.#untypedVm();
    this.#constructors();
    for (const file of this.#index.files) {
      for (const call of file.calls) this.#call(call, file);
      for (const node of file.withStatements) this.#add("with", node.expression);
      for (const node of file.computed) this.#computed(node);
    }
  }

  #add(construct: string, place: ts.Node): DynamicLeaf {
    const leaf: DynamicLeaf = { kind: "dynamic", construct, place };
    this.leaves.push(leaf);
    return leaf;
  }

  /** Whether a mention is of a name of the language or of the host, and not of the program. */
  #isGlobal(mention: ts.Node): boolean {
    const declarations = this.#mentions.symbolsAt(mention).flatMap((symbol) => symbol.declarations ?? []);
    if (declarations.length === 0) return ts.isIdentifier(mention) && accessOf(mention) === mention;
    return declarations.every((declaration) => {
      const file = declaration.getSourceFile();
      return (
        isLibraryFile(file) || (file.isDeclarationFile && this.#program.isSourceFileFromExternalLibrary(file))
      );
    });
  }

  #global(name: string): void {
    for (const mention of this.#mentions.candidates(name)) {
      const outer = skipOuter(accessOf(mention));
      const { parent } = outer;
      const isTest =
        ts.isTypeOfExpression(parent) ||
        (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword);
      const isBase = ts.isPropertyAccessExpression(parent) && parent.expression === outer;
      if (isTest || (name === "Function" && isBase) || !this.#isGlobal(mention)) continue;
      const construct = name === "Function" ? "new Function" : name;
      this.#add(construct, isBase ? parent : (callOf(outer) ?? outer));
    }
  }

  #vm(): void {
    for (const name of VM_NAMES) {
      for (const [declaration, mentions] of this.#mentions.byDeclaration(name)) {
        if (!isVmDeclaration(declaration)) continue;
        for (const mention of mentions) {
          const place = accessOf(mention);
          this.#add(`vm.${name}`, callOf(place) ?? place);
        }
      }
    }
  }

  /** The same where no type package says what the module holds. */
  #untypedVm(): void {
    const { checker } = this.#mentions;
    for (const { file, mentions } of this.#index.files) {
      for (const statement of file.statements) {
        if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
        const { moduleSpecifier, importClause } = statement;
        if (!/^(node:)?vm$/.test(moduleSpecifier.text) || checker.getSymbolAtLocation(moduleSpecifier))
          continue;
        for (const binding of bindingsOf(importClause)) {
          const name = binding.name?.text ?? "";
          for (const mention of mentions.get(name) ?? []) {
            if (!checker.getSymbolAtLocation(mention)?.declarations?.includes(binding)) continue;
            this.#untypedUse(binding, mention);
          }
        }
      }
    }
  }

  #untypedUse(binding: ts.Declaration, mention: ts.Node): void {
    const { parent } = mention;
    const access =
      ts.isPropertyAccessExpression(parent) && parent.expression === mention ? parent : undefined;
    const name = ts.isImportSpecifier(binding)
      ? (binding.propertyName ?? binding.name).text
      : access?.name.text;
    const place = ts.isImportSpecifier(binding) ? mention : access;
    if (name && place && VM_NAMES.includes(name)) this.#add(`vm.${name}`, callOf(place) ?? place);
  }

  /** `f.constructor("code")` is `Function("code")`. */
  #constructors(): void {
    for (const mention of this.#mentions.candidates("constructor")) {
      const call = callOf(accessOf(mention));
      const receiver = call && this.#mentions.receiverType(mention);
      if (!call || !receiver) continue;
      const isFunction = receiver.getCallSignatures().length > 0 || receiver.symbol?.name === "Function";
      if (isFunction) this.#add("a function's constructor", call);
    }
  }

  #call(call: ts.CallExpression | ts.NewExpression, file: FileIndex): void {
    const [first] = call.arguments ?? [];
    const { expression } = call;
    if (expression.kind === ts.SyntaxKind.ImportKeyword) {
      const isRead = first && ts.isStringLiteralLike(first) && !/^(data|https?|blob):/.test(first.text);
      if (!isRead) this.#add("import() of a module that is not a literal", call);
      return;
    }
    const name = ts.isIdentifier(expression)
      ? expression.text
      : ts.isPropertyAccessExpression(expression)
        ? expression.name.text
        : undefined;
    if (!first) return;
    if (name !== undefined && TIMERS.has(name) && this.#isText(first) && this.#isGlobal(nameOf(expression))) {
      this.#add(`${name} of a text`, call);
    } else if (ts.isNewExpression(call) && (name === "Worker" || name === "SharedWorker")) {
      if (this.#isGlobal(nameOf(expression))) this.#worker(call, first, file.file);
    } else if (this.#isRequire(expression)) this.#require(call, first);
    else if (name === "get" && expression.getText().replace(/\s/g, "") === "Reflect.get") {
      if (this.#isHandle(first)) this.onHandle.add(this.#add("Reflect.get on the handle", call));
    }
  }

  #isText(node: ts.Expression): boolean {
    let inner = node;
    while (ts.isAsExpression(inner) || ts.isParenthesizedExpression(inner) || ts.isNonNullExpression(inner)) {
      inner = inner.expression;
    }
    const type = this.#mentions.checker.getTypeAtLocation(inner);
    const parts = type.isUnion() ? type.types : [type];
    return parts.some((part) => (part.flags & ts.TypeFlags.StringLike) !== 0);
  }

  #isHandle(node: ts.Expression): boolean {
    return this.#api.isHandleType(this.#mentions.checker.getTypeAtLocation(node));
  }

  #isRequire(expression: ts.Expression): boolean {
    if (!ts.isIdentifier(expression) && !ts.isCallExpression(expression)) return false;
    if (ts.isIdentifier(expression) && expression.text === "require") return true;
    const { symbol } = this.#mentions.checker.getTypeAtLocation(expression);
    return symbol !== undefined && (symbol.name === "Require" || symbol.name === "NodeRequire");
  }

  #require(call: ts.CallExpression | ts.NewExpression, first: ts.Expression): void {
    if (!ts.isStringLiteralLike(first)) {
      this.#add("require() of a module that is not a literal", call);
      return;
    }
    const isPath = first.text.startsWith(".") || first.text.startsWith("/");
    if (isPath && !this.#mentions.checker.getSymbolAtLocation(first) && !first.text.endsWith(".json")) {
      this.#add("require() of a file whose code is not read", call);
    }
  }

  #worker(call: ts.NewExpression, first: ts.Expression, from: ts.SourceFile): void {
    const second = call.arguments?.[1];
    const path = workerPath(first);
    const target = path === undefined ? undefined : this.#sourceFile(join(dirname(from.fileName), path));
    if (!target || (second && /\beval\b/.test(second.getText()))) {
      this.#add("a Worker whose code is not read", call);
      return;
    }
    const list = this.workers.get(target) ?? [];
    list.push(call);
    this.workers.set(target, list);
  }

  #sourceFile(path: string): ts.SourceFile | undefined {
    const slashed = path.replaceAll("\\", "/");
    const base = slashed.replace(/\.([cm]?)[jt]sx?$/, "");
    const kind = /\.([cm]?)[jt]sx?$/.exec(slashed)?.[1] ?? "";
    return [slashed, `${base}.${kind}ts`, `${base}.tsx`, `${base}.${kind}js`]
      .map((each) => this.#program.getSourceFile(each))
      .find((each) => each !== undefined && this.#index.byFile.has(each));
  }

  #computed(node: ts.ElementAccessExpression | ts.BindingElement): void {
    const { checker } = this.#mentions;
    const type = checker.getTypeAtLocation(ts.isBindingElement(node) ? node.parent : node.expression);
    if (!this.#api.isHandleType(checker.getNonNullableType(type))) return;
    const key = ts.isElementAccessExpression(node)
      ? node.argumentExpression
      : node.propertyName && ts.isComputedPropertyName(node.propertyName)
        ? node.propertyName.expression
        : undefined;
    if (!key || this.#mentions.keyNames(key).length > 0) return;
    this.onHandle.add(this.#add("a computed member of the handle", node));
  }
}

function nameOf(expression: ts.Expression): ts.Node {
  return ts.isPropertyAccessExpression(expression) ? expression.name : expression;
}

/** The declarations of an import clause that bind a name. */
function bindingsOf(
  clause: ts.ImportClause | undefined,
): readonly (ts.ImportClause | ts.NamespaceImport | ts.ImportSpecifier)[] {
  if (!clause || clause.isTypeOnly) return [];
  const { namedBindings } = clause;
  const named = !namedBindings
    ? []
    : ts.isNamespaceImport(namedBindings)
      ? [namedBindings]
      : namedBindings.elements;
  return clause.name ? [clause, ...named] : named;
}

/** Whether a declaration is part of the module `node:vm`, however the program declares it. */
function isVmDeclaration(declaration: ts.Node): boolean {
  const module = ts.findAncestor(declaration, ts.isModuleDeclaration);
  if (module && ts.isStringLiteral(module.name)) return /^(node:)?vm$/.test(module.name.text);
  return /\/vm\.d\.ts$/.test(declaration.getSourceFile().fileName);
}

/** The constant path of a worker: a literal, or `new URL(literal, import.meta.url)`. */
function workerPath(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text.startsWith("data:") ? undefined : node.text;
  if (!ts.isNewExpression(node) || node.expression.getText() !== "URL") return undefined;
  const [path, base] = node.arguments ?? [];
  const isHere = base?.getText().replace(/\s/g, "") === "import.meta.url";
  return path && isHere && ts.isStringLiteralLike(path) ? path.text : undefined;
}

/** Finds the dynamic code of a program. */
export function findDynamicCode(
  program: ts.Program,
  api: ApiModel,
  mentions: Mentions,
  index: ProgramIndex,
): DynamicCode {
  const finder = new Finder(program, api, mentions, index);
  finder.run();
  return finder;
}
