// The class hierarchy of the checked program: bases, subclasses, and which classes and object literals may stand
// behind a receiver of some type.
import { ts } from "ts-morph";
import { symbolOf } from "../link/mention.js";
import type { ProgramIndex } from "../summarise/program-index.js";

export type MemberContainer = ts.ClassLikeDeclaration | ts.ObjectLiteralExpression;

/** The class or object literal that a member belongs to, or undefined. */
export function containerOf(member: ts.Node): MemberContainer | undefined {
  const { parent } = member;
  if (parent && ts.isClassLike(parent) && ts.isClassElement(member)) return parent;
  return parent && ts.isObjectLiteralExpression(parent) ? parent : undefined;
}

/** Answers questions about the hierarchy, each once. */
export class Hierarchy {
  readonly #checker: ts.TypeChecker;
  readonly #bases = new Map<ts.ClassLikeDeclaration, readonly ts.ClassLikeDeclaration[]>();
  readonly #subclasses = new Map<ts.ClassLikeDeclaration, ts.ClassLikeDeclaration[]>();
  readonly #fits = new Map<ts.Type, Map<MemberContainer, boolean>>();

  constructor(checker: ts.TypeChecker, index: ProgramIndex) {
    this.#checker = checker;
    for (const file of index.files) {
      for (const each of file.classes) {
        for (const base of this.basesOf(each)) {
          const known = this.#subclasses.get(base);
          if (known) known.push(each);
          else this.#subclasses.set(base, [each]);
        }
      }
    }
  }

  /** The classes that a class extends directly; several behind a mixin. */
  basesOf(node: ts.ClassLikeDeclaration): readonly ts.ClassLikeDeclaration[] {
    const known = this.#bases.get(node);
    if (known) return known;
    const found = this.#findBases(node);
    this.#bases.set(node, found);
    return found;
  }

  #findBases(node: ts.ClassLikeDeclaration): readonly ts.ClassLikeDeclaration[] {
    const hasBase = node.heritageClauses?.some((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword);
    const type = hasBase ? this.instanceType(node) : undefined;
    if (!type) return [];
    const classes = new Set<ts.ClassLikeDeclaration>();
    const visit = (base: ts.Type): void => {
      if (base.isIntersection()) base.types.forEach(visit);
      else for (const each of base.symbol?.declarations ?? []) if (ts.isClassLike(each)) classes.add(each);
    };
    const bases = type.isClassOrInterface() ? this.#checker.getBaseTypes(type) : [];
    bases.forEach(visit);
    classes.delete(node);
    return [...classes];
  }

  /** The classes that extend a class directly. */
  subclassesOf(node: ts.ClassLikeDeclaration): readonly ts.ClassLikeDeclaration[] {
    return this.#subclasses.get(node) ?? [];
  }

  /** A class and all that it extends, nearest first. */
  chainOf(node: ts.ClassLikeDeclaration): readonly ts.ClassLikeDeclaration[] {
    const chain = new Set([node]);
    for (const each of chain) for (const base of this.basesOf(each)) chain.add(base);
    return [...chain];
  }

  /** The type of a class's instances, or of an object literal. */
  instanceType(node: MemberContainer): ts.Type | undefined {
    if (ts.isObjectLiteralExpression(node)) return this.#checker.getTypeAtLocation(node);
    const symbol = symbolOf(node);
    return symbol && this.#checker.getDeclaredTypeOfSymbol(symbol);
  }

  /** Whether an instance of the class, or the object, may stand behind a receiver of the type. */
  fits(node: MemberContainer, receiver: ts.Type): boolean {
    let answers = this.#fits.get(receiver);
    if (!answers) {
      answers = new Map();
      this.#fits.set(receiver, answers);
    }
    const known = answers.get(node);
    if (known !== undefined) return known;
    const found = this.#findFit(node, receiver);
    answers.set(node, found);
    return found;
  }

  #findFit(node: MemberContainer, receiver: ts.Type): boolean {
    const target = this.#checker.getNonNullableType(receiver);
    if (target.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return false;
    if (target.isUnionOrIntersection()) return target.types.some((part) => this.fits(node, part));
    const own = this.instanceType(node);
    if (!own) return false;
    const apparent = this.#checker.getApparentType(target);
    if (this.#checker.isTypeAssignableTo(own, apparent)) return true;
    // Type parameters may be bound to anything: compare by heritage and by the names of the members.
    const isOpen = (own as ts.InterfaceType).typeParameters !== undefined || hasTypeArguments(apparent);
    if (!isOpen) return false;
    const wanted = this.#checker.getPropertiesOfType(apparent);
    return (
      wanted.length > 0 &&
      wanted.every((each) => this.#checker.getPropertyOfType(own, each.name) !== undefined)
    );
  }
}

function hasTypeArguments(type: ts.Type): boolean {
  return ((type as ts.TypeReference).typeArguments?.length ?? type.aliasTypeArguments?.length ?? 0) > 0;
}
