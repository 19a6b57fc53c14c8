// The reference graph, backward from where reach ends: an edge from a declaration to what its body mentions. Only
// declarations that reach a leaf are nodes; a name that cannot reach one is never asked about.
import { ts } from "ts-morph";
import { API_FUNCTION_LIST } from "../../contract/api-functions.js";
import type { ApiModel } from "../link/api.js";
import type { ImportClosures } from "../link/import-closure.js";
import { accessOf, callOf, type Mentions, receiverExpression, skipOuter, symbolOf } from "../link/mention.js";
import type { ProgramIndex } from "../summarise/program-index.js";
import { containerOf, type Hierarchy } from "./hierarchy.js";
import { isHostValue, valueOfMember } from "./host-value.js";
import { type ApiLeaf, comparePlaces, type Leaf, type UnresolvedLeaf } from "./leaf.js";
import { isImplicitMember, memberNames, namesOf } from "./names.js";
import type { OwnerFinder } from "./owners.js";

export type Target = ts.Node | Leaf;

export interface Edge {
  readonly to: Target;
  /** The mention. */
  readonly place: ts.Node;
  /** `this.x` and `super.x` keep the object; every other mention may be of another one. */
  readonly receiver: "this" | "super" | undefined;
  /** Whether it follows from a name that a subclass or an implementer has too, and not from the symbol itself. */
  readonly may: boolean;
}

export interface ReachGraph {
  readonly edges: ReadonlyMap<ts.Node, readonly Edge[]>;
  readonly leaves: readonly Leaf[];
  /** Calls of an API function through a constant that is nothing but that function. */
  readonly aliasCalls: ReadonlyMap<ts.CallExpression, ApiLeaf>;
  /** The mentions that such constants are. */
  readonly aliased: ReadonlySet<Leaf>;
}

/** Whether an edge ends in a leaf. */
export function isLeaf(target: Target): target is Leaf {
  return typeof target.kind === "string";
}

interface Parts {
  readonly api: ApiModel;
  readonly mentions: Mentions;
  readonly index: ProgramIndex;
  readonly hierarchy: Hierarchy;
  readonly owners: OwnerFinder;
  readonly closures: ImportClosures;
}

class Builder {
  readonly edges = new Map<ts.Node, Edge[]>();
  readonly aliasCalls = new Map<ts.CallExpression, ApiLeaf>();
  readonly #parts: Parts;
  readonly #pending: ts.Node[] = [];
  readonly #seen = new Set<ts.Node>();
  readonly aliases = new Map<ts.Node, ApiLeaf>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly unresolved: UnresolvedLeaf[] = [];
  readonly #asked = new Set<string>();

  /** A member of a reaching name on something whose type cannot be found. */
  #findUnresolved(name: string): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    const { mentions } = this.#parts;
    for (const mention of mentions.candidates(name)) {
      if (mentions.symbolsAt(mention).length > 0) continue;
      const receiver = mentions.receiverType(mention);
      if (!receiver || !isErrorType(receiver)) continue;
      const value = valueOfMember(mention, receiverExpression(mention));
      if (value && isHostValue(value, mentions.checker)) continue;
      const place = accessOf(mention);
      const reason = `the type before .${name} cannot be found`;
      const leaf: UnresolvedLeaf = { kind: "unresolved", reason, place };
      this.unresolved.push(leaf);
      this.#link(place, leaf, undefined, false);
    }
  }

  run(leaves: readonly Leaf[]): void {
    for (const name of API_FUNCTION_LIST) this.#findUnresolved(name.slice(name.lastIndexOf(".") + 1));
    for (const leaf of leaves) {
      this.#link(leaf.place, leaf, undefined, false);
      if (leaf.kind === "api" && !leaf.call) this.#noteAlias(leaf);
    }
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) this.#visit(next);
    for (const list of this.edges.values()) {
      list.sort((a, b) => comparePlaces(a.place, b.place) || targetStart(a) - targetStart(b));
    }
  }

  /** A constant that is the function itself and nothing else. */
  #noteAlias(leaf: ApiLeaf): void {
    if (ts.isBindingElement(leaf.place)) {
      if (ts.isIdentifier(leaf.place.name)) this.aliases.set(leaf.place, leaf);
      return;
    }
    const outer = skipOuter(leaf.place);
    if (ts.isVariableDeclaration(outer.parent) && outer.parent.initializer === outer) {
      this.aliases.set(outer.parent, leaf);
    }
  }

  #link(place: ts.Node, to: Target, receiver: Edge["receiver"], may: boolean): void {
    for (const owner of this.#parts.owners.ownersOf(place).declarations) {
      if (owner !== to) this.#add(owner, { to, place, receiver, may });
    }
  }

  #add(owner: ts.Node, edge: Edge): void {
    const list = this.edges.get(owner);
    if (list) list.push(edge);
    else this.edges.set(owner, [edge]);
    if (this.#seen.has(owner)) return;
    this.#seen.add(owner);
    this.#pending.push(owner);
  }

  #visit(node: ts.Node): void {
    if (ts.isSourceFile(node)) {
      this.#visitModule(node);
      return;
    }
    if (ts.isClassLike(node)) {
      for (const sub of this.#parts.hierarchy.subclassesOf(node)) {
        this.#add(sub, { to: node, place: node.name ?? node, receiver: "super", may: false });
      }
    }
    const container = containerOf(node);
    if (
      container &&
      ts.isClassLike(container) &&
      (ts.isConstructorDeclaration(node) || isImplicitMember(node))
    ) {
      this.#add(container, { to: node, place: node, receiver: "this", may: false });
    }
    const { checker } = this.#parts.mentions;
    for (const name of namesOf(node, checker)) {
      const table = this.#parts.mentions.byDeclaration(name);
      for (const mention of table.get(node) ?? []) this.#mention(mention, node, false);
      if (!container) continue;
      this.#visitRelatives(node, name, table);
      this.#findUnresolved(name);
    }
    this.#visitImplicitUses(node);
    this.#visitWholeNamespaces(node);
  }

  /** Mentions of a member of the same name in a base class or an interface, which may mean this one. */
  #visitRelatives(node: ts.Node, name: string, table: ReadonlyMap<ts.Node, readonly ts.Node[]>): void {
    const { hierarchy, mentions, api } = this.#parts;
    const container = containerOf(node);
    if (!container) return;
    const bases = ts.isClassLike(container) ? hierarchy.chainOf(container).slice(1) : [];
    for (const base of bases) {
      for (const member of base.members) {
        if (!memberNames(member, mentions.checker).includes(name)) continue;
        for (const mention of table.get(member) ?? []) {
          if (receiverExpression(mention)?.kind !== ts.SyntaxKind.SuperKeyword)
            this.#mention(mention, node, true);
        }
      }
    }
    for (const [declaration, nodes] of table) {
      if (declaration === node || api.functionOfDeclaration(declaration)) continue;
      const parent: ts.Node | undefined = declaration.parent;
      if (!parent) continue; // a module
      const isStructural =
        ts.isInterfaceDeclaration(parent) ||
        ts.isTypeLiteralNode(parent) ||
        ts.isMappedTypeNode(parent) ||
        (ts.isClassLike(parent) && ts.isObjectLiteralExpression(container)) ||
        (ts.isObjectLiteralExpression(parent) && parent !== container);
      if (!isStructural) continue;
      for (const mention of nodes) {
        if (isExactly(receiverExpression(mention), parent, mentions)) continue;
        const receiver = mentions.receiverType(mention);
        if (receiver && hierarchy.fits(container, receiver)) this.#mention(mention, node, true);
      }
    }
  }

  #mention(mention: ts.Node, node: ts.Node, may: boolean): void {
    const place = accessOf(mention);
    if (this.#isNoUse(place, node)) return;
    const expression = receiverExpression(mention);
    const receiver =
      expression?.kind === ts.SyntaxKind.ThisKeyword
        ? "this"
        : expression?.kind === ts.SyntaxKind.SuperKeyword
          ? "super"
          : undefined;
    this.#link(place, node, receiver, may);
    const leaf = this.aliases.get(node);
    const call = leaf && callOf(place);
    if (leaf && call && ts.isCallExpression(call)) this.aliasCalls.set(call, leaf);
  }

  /** Mentions that do not run what they name. */
  #isNoUse(place: ts.Node, node: ts.Node): boolean {
    const outer = skipOuter(place);
    const { parent } = outer;
    const isAccessor = ts.isAccessor(node);
    if (ts.isBinaryExpression(parent) && !isAccessor) {
      const { kind } = parent.operatorToken;
      if (kind === ts.SyntaxKind.EqualsToken && parent.left === outer) return true;
      if (kind === ts.SyntaxKind.InstanceOfKeyword && parent.right === outer) return true;
    }
    if (ts.isClassLike(node)) return this.#isNoConstruction(outer, parent);
    const literal = ts.isVariableDeclaration(node) ? node.initializer : undefined;
    if (literal && ts.isObjectLiteralExpression(literal) && isMemberBase(outer, parent)) {
      const name = ts.isPropertyAccessExpression(parent)
        ? parent.name
        : (parent as ts.ElementAccessExpression).argumentExpression;
      return this.#parts.mentions
        .symbolsAt(name)
        .some((symbol) => symbol.declarations?.some((each) => each.parent === literal));
    }
    return false;
  }

  /** A class is run when an object of it is made, which a static access, a heritage clause or a spawn does not. */
  #isNoConstruction(outer: ts.Node, parent: ts.Node): boolean {
    if (isMemberBase(outer, parent)) return true;
    if (ts.isExpressionWithTypeArguments(parent)) return true;
    if (!ts.isCallExpression(parent)) return false;
    const callee = parent.expression;
    const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    const symbols = this.#parts.mentions.symbolsAt(name);
    if (parent.arguments[1] === outer) {
      return symbols.some((symbol) => this.#parts.api.functionOf(symbol) === "spawn");
    }
    return parent.arguments[0] === outer && symbols.some((symbol) => this.#parts.api.isLaunch(symbol));
  }

  #visitModule(file: ts.SourceFile): void {
    const { index, closures, mentions } = this.#parts;
    for (const each of index.files) {
      if (!closures.directOf(each.file).includes(file)) continue;
      for (const specifier of each.specifiers) {
        const module = mentions.checker.getSymbolAtLocation(specifier.node);
        if (!module?.declarations?.includes(file)) continue;
        if (specifier.use === "dynamic" || specifier.use === "require") {
          this.#link(specifier.node.parent, file, undefined, false);
        } else if (specifier.use !== "type") {
          this.#add(each.file, { to: file, place: specifier.node, receiver: undefined, may: false });
        }
      }
    }
    for (const worker of this.workers.get(file) ?? []) this.#link(worker, file, undefined, false);
  }

  /** Places that start a file as a worker, by file. */
  readonly workers = new Map<ts.SourceFile, ts.Node[]>();

  /** `for … of`, spreads, `yield*` and `using` run members that nobody names. */
  #visitImplicitUses(node: ts.Node): void {
    const { name } = node as ts.Node & { readonly name?: ts.Node };
    if (!name || !ts.isComputedPropertyName(name)) return;
    const { checker } = this.#parts.mentions;
    const symbol = checker.getSymbolAtLocation(name);
    const key = symbol && ts.unescapeLeadingUnderscores(symbol.escapedName);
    if (!key?.startsWith("__@")) return;
    for (const use of this.#parts.index.files.flatMap((file) => file.implicit)) {
      if (!key.startsWith(`__@${use.member}@`)) continue;
      const type = checker.getTypeAtLocation(use.expression);
      const container = containerOf(node);
      const isMeant =
        checker.getPropertyOfType(type, key)?.declarations?.includes(node as ts.Declaration) ||
        (container && this.#parts.hierarchy.fits(container, type));
      if (isMeant) this.#link(use.expression, node, undefined, true);
    }
  }

  /** A namespace import that is used as a value hands out every export. */
  #visitWholeNamespaces(node: ts.Node): void {
    const symbol = symbolOf(node);
    const file = node.getSourceFile();
    for (const use of this.wholeNamespaces.get(file) ?? []) {
      const exported = this.#parts.mentions.checker.getExportsOfModule(use.module);
      const isExported = exported.some(
        (each) => each === symbol || this.#resolved(each)?.declarations?.includes(node as ts.Declaration),
      );
      if (isExported) this.#link(use.place, node, undefined, true);
    }
  }

  readonly wholeNamespaces = new Map<
    ts.SourceFile,
    { readonly module: ts.Symbol; readonly place: ts.Node }[]
  >();

  #resolved(symbol: ts.Symbol): ts.Symbol | undefined {
    const { checker } = this.#parts.mentions;
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }
}

/** Whether a receiver is a constant that is an object literal as it is written: no other object can be meant. */
function isExactly(receiver: ts.Node | undefined, literal: ts.Node, mentions: Mentions): boolean {
  if (!receiver || !ts.isIdentifier(receiver) || !ts.isObjectLiteralExpression(literal)) return false;
  const { parent } = literal;
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== literal) return false;
  const isConst = (ts.getCombinedNodeFlags(parent) & ts.NodeFlags.Const) !== 0;
  return isConst && mentions.symbolsAt(receiver).some((symbol) => symbol.valueDeclaration === parent);
}

/** The type that the compiler gives to what it cannot find. */
function isErrorType(type: ts.Type): boolean {
  return (type as ts.Type & { readonly intrinsicName?: string }).intrinsicName === "error";
}

function isMemberBase(outer: ts.Node, parent: ts.Node): boolean {
  return (
    (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) &&
    parent.expression === outer
  );
}

function targetStart(edge: Edge): number {
  return isLeaf(edge.to) ? 0 : edge.to.pos;
}

/** Namespace objects that are used as values, under the file of each module behind them. */
function findWholeNamespaces(parts: Parts, builder: Builder): void {
  const { mentions, index } = parts;
  for (const file of index.files) {
    for (const statement of file.file.statements) {
      const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
      if (!bindings || !ts.isNamespaceImport(bindings)) continue;
      for (const mention of file.mentions.get(bindings.name.text) ?? []) {
        const outer = skipOuter(mention);
        if (isMemberBase(outer, outer.parent)) continue;
        for (const module of mentions.symbolsAt(mention)) {
          if (!(module.flags & ts.SymbolFlags.Module)) continue;
          for (const each of parts.mentions.checker.getExportsOfModule(module)) {
            const target = each.flags & ts.SymbolFlags.Alias ? mentions.checker.getAliasedSymbol(each) : each;
            const source = target.declarations?.[0]?.getSourceFile();
            if (!source) continue;
            const list = builder.wholeNamespaces.get(source) ?? [];
            if (!list.some((use) => use.place === mention)) list.push({ module, place: mention });
            builder.wholeNamespaces.set(source, list);
          }
        }
      }
    }
  }
}

/** Builds the graph from its leaves. `workers` are places that start a file as a worker. */
export function buildGraph(
  parts: Parts,
  leaves: readonly Leaf[],
  workers: ReadonlyMap<ts.SourceFile, readonly ts.Node[]>,
): ReachGraph {
  const builder = new Builder(parts);
  for (const [file, places] of workers) builder.workers.set(file, [...places]);
  findWholeNamespaces(parts, builder);
  builder.run(leaves);
  return {
    edges: builder.edges,
    leaves: [...leaves, ...builder.unresolved],
    aliasCalls: builder.aliasCalls,
    aliased: new Set(builder.aliases.values()),
  };
}
