// Whether a type is or contains the handle, and whether a slot of some type still names what flows into it. A type
// that cannot be read does not name it: then the flow is an escape.
import { ts } from "ts-morph";
import { API_FUNCTION_LIST } from "../../contract/api-functions.js";
import { isLibraryFile } from "../project/source-cache.js";
import type { ApiModel } from "./api.js";

const MAX_DEPTH = 4;

/** The first parts of the names of the API's functions: the members that a handle-like type may have. */
const MEMBER_NAMES: readonly string[] = [
  ...new Set(API_FUNCTION_LIST.map((name) => name.split(".")[0] ?? name)),
];

const UNTYPED = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive;
const PRIMITIVE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.ESSymbolLike |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null |
  ts.TypeFlags.Void |
  ts.TypeFlags.Never;

/** Answers about types of one program, each once. */
export class HandleTypes {
  readonly #checker: ts.TypeChecker;
  readonly #api: ApiModel;
  readonly #isUnrelated: (file: ts.SourceFile) => boolean;
  readonly #contains = new Map<ts.Type, boolean>();
  /** Types in which nothing was found, with how many levels below each were looked through. */
  readonly #lookedThrough = new Map<ts.Type, number>();
  /** What the question under way has looked through, with what was known before. */
  #trail: [ts.Type, number | undefined][] | undefined;
  /** Type parameters that the handle was given for: values of them may be the handle. */
  readonly #bound = new Set<ts.Type>();

  /** Of types declared in an unrelated file only the type arguments are looked into. */
  constructor(
    checker: ts.TypeChecker,
    api: ApiModel,
    isUnrelated: (file: ts.SourceFile) => boolean = () => false,
  ) {
    this.#checker = checker;
    this.#api = api;
    this.#isUnrelated = isUnrelated;
  }

  /** Notes that the handle was given for type parameters; false when all were known. */
  bind(parameters: readonly ts.Type[]): boolean {
    const added = parameters.filter((each) => !this.#bound.has(each));
    for (const each of added) this.#bound.add(each);
    if (added.length > 0) {
      this.#contains.clear();
      this.#lookedThrough.clear();
    }
    return added.length > 0;
  }

  /** Whether the type is the handle's, a part's, or a selection of its functions such as `Pick`. */
  isHandleLike(type: ts.Type): boolean {
    if (this.#api.isHandleType(type)) return true;
    if (!(type.flags & ts.TypeFlags.Object) || this.#isLibraryType(type)) return false;
    return MEMBER_NAMES.some((name) => {
      const member = this.#checker.getPropertyOfType(type, name);
      return member !== undefined && this.#api.functionOf(member) !== undefined;
    });
  }

  /** Whether a value of the type is the handle or lets one get at it. */
  contains(type: ts.Type, depth = 0): boolean {
    const known = this.#contains.get(type);
    if (known !== undefined) return known;
    if (type.flags & (PRIMITIVE | UNTYPED) || depth > MAX_DEPTH) return false;
    const left = MAX_DEPTH - depth;
    // Looked through as deeply before, or being looked through further up: either way it adds nothing here.
    const before = this.#lookedThrough.get(type);
    if (before !== undefined && before >= left) return false;
    this.#lookedThrough.set(type, left);
    if (this.#trail) {
      this.#trail.push([type, before]);
      return this.#findHandle(type, depth);
    }
    const trail: [ts.Type, number | undefined][] = [[type, before]];
    this.#trail = trail;
    const found = this.#findHandle(type, depth);
    this.#trail = undefined;
    this.#contains.set(type, found);
    // "Nothing in it" was only assumed of what was under way, so it holds only where nothing was found at all.
    if (found) for (const [each, depths] of trail.reverse()) this.#restore(each, depths);
    return found;
  }

  #restore(type: ts.Type, depths: number | undefined): void {
    if (depths === undefined) this.#lookedThrough.delete(type);
    else this.#lookedThrough.set(type, depths);
  }

  #findHandle(type: ts.Type, depth: number): boolean {
    if (this.isHandleLike(type)) return true;
    if (type.isUnionOrIntersection()) return type.types.some((part) => this.contains(part, depth));
    if (type.flags & ts.TypeFlags.TypeParameter) {
      if (this.#bound.has(type)) return true;
      const constraint = this.#checker.getBaseConstraintOfType(type);
      return constraint !== undefined && constraint !== type && this.contains(constraint, depth + 1);
    }
    if (!(type.flags & ts.TypeFlags.Object)) return false;
    const args = this.typeArguments(type);
    if (this.#isLibraryType(type) || this.#isOfUnrelatedPackage(type)) {
      return args.some((part) => this.contains(part, depth + 1));
    }
    const returns = type.getCallSignatures().map((signature) => signature.getReturnType());
    if (returns.some((part) => this.contains(part, depth + 1))) return true;
    return this.#checker
      .getPropertiesOfType(type)
      .some((member) => isOpen(member) && this.contains(this.#checker.getTypeOfSymbol(member), depth + 1));
  }

  /** The type arguments of a generic type that is applied. */
  typeArguments(type: ts.Type): readonly ts.Type[] {
    const isReference = (type as ts.TypeReference).target !== undefined;
    return isReference ? this.#checker.getTypeArguments(type as ts.TypeReference) : [];
  }

  #isLibraryType(type: ts.Type): boolean {
    const declaration = type.symbol?.declarations?.[0];
    return declaration !== undefined && isLibraryFile(declaration.getSourceFile());
  }

  /** An interface or class that is declared in unrelated files alone; anonymous types hide what they were made of. */
  #isOfUnrelatedPackage(type: ts.Type): boolean {
    const named = type.isClassOrInterface() ? type : (type as ts.TypeReference).target;
    if (!named?.isClassOrInterface()) return false;
    const declarations = type.symbol?.declarations ?? [];
    return declarations.length > 0 && declarations.every((each) => this.#isUnrelated(each.getSourceFile()));
  }

  /** Whether what the source type holds of the handle is still named by the slot's type. */
  keeps(source: ts.Type, slot: ts.Type, depth = 0): boolean {
    if (!this.contains(source)) return true;
    if (depth > MAX_DEPTH) return false;
    if (slot.flags & UNTYPED) return false;
    if (slot.flags & (ts.TypeFlags.Void | ts.TypeFlags.Never | ts.TypeFlags.TypeParameter)) return true;
    if (source.isUnion()) return source.types.every((part) => this.keeps(part, slot, depth));
    if (slot.isUnion()) return slot.types.some((part) => this.keeps(source, part, depth));
    if (slot.isIntersection()) return slot.types.some((part) => this.keeps(source, part, depth));
    if (source === slot) return true;
    if (this.#isHandle(source)) return this.#names(slot);
    if (source.flags & ts.TypeFlags.TypeParameter) {
      const constraint = this.#checker.getBaseConstraintOfType(source);
      return constraint !== undefined && constraint !== source && this.keeps(constraint, slot, depth + 1);
    }
    return this.#keepsParts(source, slot, depth);
  }

  #isHandle(type: ts.Type): boolean {
    return type.isIntersection() ? type.types.some((part) => this.#isHandle(part)) : this.isHandleLike(type);
  }

  /** Whether a slot has functions of the API, each by its own declaration or signature, and nothing of their names besides. */
  #names(slot: ts.Type): boolean {
    if (this.#api.isHandleType(slot)) return true;
    const members = MEMBER_NAMES.flatMap((name) => this.#checker.getPropertyOfType(slot, name) ?? []);
    return members.length > 0 && members.every((member) => this.#isApiMember(member));
  }

  #isApiMember(member: ts.Symbol): boolean {
    if (this.#api.functionOf(member)) return true;
    const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(member));
    if (this.#api.isHandleType(type)) return true;
    const signatures = type.getCallSignatures();
    return signatures.length > 0 && signatures.every((each) => this.#api.functionOfSignature(each));
  }

  #keepsParts(source: ts.Type, slot: ts.Type, depth: number): boolean {
    const args = this.typeArguments(source);
    if (args.some((part) => this.contains(part))) {
      const slots = this.typeArguments(slot);
      const isSame = (source as ts.TypeReference).target === (slot as ts.TypeReference).target;
      if (isSame) return args.every((part, index) => this.keeps(part, slots[index] ?? part, depth + 1));
      if (this.#isLibraryType(source)) {
        return args.every((part) => slots.some((each) => this.keeps(part, each, depth + 1)));
      }
    }
    // An object of a class keeps its own shape behind an interface; only untyped slots take that away.
    if (source.isClass() || source.symbol?.declarations?.some(ts.isClassLike)) {
      return !this.#isEmpty(slot) && this.#keepsMembers(source, slot, depth, true);
    }
    const calls = source.getCallSignatures();
    if (calls.some((each) => this.contains(each.getReturnType()))) {
      const slots = slot.getCallSignatures();
      return (
        slots.length > 0 &&
        calls.every((call) =>
          slots.every((each) => this.keeps(call.getReturnType(), each.getReturnType(), depth + 1)),
        )
      );
    }
    return this.#keepsMembers(source, slot, depth, false);
  }

  /** Whether a slot keeps each member that holds the handle; `hidden`: one that the slot does not name is kept. */
  #keepsMembers(source: ts.Type, slot: ts.Type, depth: number, hidden: boolean): boolean {
    return this.#checker.getPropertiesOfType(source).every((member) => {
      const type = this.#checker.getTypeOfSymbol(member);
      if (!this.contains(type)) return true;
      const target = this.memberSlot(slot, member.name);
      return target === undefined ? hidden : this.keeps(type, target, depth + 1);
    });
  }

  /**
   * Whether functions of the source take what the slot's functions are given: a slot that is called with the handle
   * must not hold a function whose parameter has lost its type.
   */
  accepts(source: ts.Type, slot: ts.Type, depth = 0): boolean {
    if (depth > 2 || source === slot || slot.flags & (UNTYPED | PRIMITIVE)) return true;
    if (slot.isUnionOrIntersection()) return slot.types.every((part) => this.accepts(source, part, depth));
    if (source.isUnionOrIntersection()) return source.types.every((part) => this.accepts(part, slot, depth));
    const given = slot.getCallSignatures();
    const taken = source.getCallSignatures();
    if (given.length > 0) {
      return taken.every((take) => given.every((give) => this.#takes(take, give)));
    }
    if (this.#isLibraryType(slot) || !(source.flags & ts.TypeFlags.Object)) return true;
    return this.#checker.getPropertiesOfType(slot).every((member) => {
      const own = this.#checker.getPropertyOfType(source, member.name);
      if (!own || own === member) return true;
      return this.accepts(
        this.#checker.getTypeOfSymbol(own),
        this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(member)),
        depth + 1,
      );
    });
  }

  #takes(take: ts.Signature, give: ts.Signature): boolean {
    return give.parameters.every((parameter, index) => {
      const type = this.#checker.getTypeOfSymbol(parameter);
      const own = take.parameters[index] ?? take.parameters[take.parameters.length - 1];
      if (!own || !this.contains(type)) return true;
      return this.keeps(type, this.#checker.getTypeOfSymbol(own));
    });
  }

  /** The type of a member of a slot, by name or by index signature. */
  memberSlot(slot: ts.Type, name: string): ts.Type | undefined {
    const member = this.#checker.getPropertyOfType(slot, name);
    if (member) return this.#checker.getTypeOfSymbol(member);
    return slot.getStringIndexType() ?? (/^\d+$/.test(name) ? slot.getNumberIndexType() : undefined);
  }

  #isEmpty(slot: ts.Type): boolean {
    const nothing = this.#checker.getPropertiesOfType(slot).length === 0;
    return nothing && slot.getCallSignatures().length === 0;
  }
}

/** Whether code outside the class can name a member. */
function isOpen(member: ts.Symbol): boolean {
  const { valueDeclaration: declaration } = member;
  if (!declaration) return true;
  const flags = ts.getCombinedModifierFlags(declaration as ts.Declaration);
  if (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) return false;
  const { name } = declaration as ts.NamedDeclaration;
  return !name || !ts.isPrivateIdentifier(name);
}
