// Static evaluation of decorator arguments: an interpreter over the syntax tree that knows only what can never
// change at run time. `let` and `var` are never known, written or not; a cast never makes a value known.
import { ts } from "ts-morph";
import { type ApiModel, resolveAlias } from "../link/api.js";
import { isLibraryFile } from "../project/source-cache.js";
import type { ProgramIndex } from "../summarise/program-index.js";
import { foldBinary, foldMath, foldUnary, isFoldedOperator, mathConstant } from "./operators.js";
import {
  globalValue,
  isOptionalAccess,
  jsonNamespace,
  readBigInt,
  remapSites,
  requireNode,
  singleReturn,
} from "./reading.js";
import {
  EMPTY_SCOPE,
  type FunctionValue,
  type LostPart,
  type ObjectMember,
  type Primitive,
  primitive,
  type Scope,
  type UnknownReason,
  type UnknownValue,
  unknownValue,
  type Value,
} from "./value.js";
import { WriteFinder } from "./writes.js";

const MAX_DEPTH = 64;
const MAX_STEPS = 20_000;

export interface Evaluation {
  readonly value: Value;
  /** The files whose text the value depends on. */
  readonly files: ReadonlySet<ts.SourceFile>;
}

/** Evaluates expressions of one program. */
export class Evaluator {
  readonly #checker: ts.TypeChecker;
  readonly #api: ApiModel;
  readonly #writes: WriteFinder;
  #files = new Set<ts.SourceFile>();
  #steps = 0;
  #depth = 0;
  readonly #active = new Set<ts.Node>();

  constructor(checker: ts.TypeChecker, api: ApiModel, index: ProgramIndex) {
    this.#checker = checker;
    this.#api = api;
    this.#writes = new WriteFinder(checker, index);
  }

  /** Evaluates one expression. Every call is independent and bounded. */
  evaluate(node: ts.Expression): Evaluation {
    this.#files = new Set([node.getSourceFile()]);
    this.#steps = 0;
    this.#depth = 0;
    this.#active.clear();
    const value = this.#eval(node, EMPTY_SCOPE);
    return { value, files: this.#files };
  }

  /** The first place that writes to what the symbol names, or undefined. */
  findWrite(symbol: ts.Symbol): ts.Node | undefined {
    return this.#writes.findWrite(symbol);
  }

  #eval(node: ts.Node, scope: Scope): Value {
    if (++this.#steps > MAX_STEPS) return unknownValue("budget", node);
    if (this.#depth >= MAX_DEPTH) return unknownValue("depth", node);
    this.#depth++;
    const value = this.#evalNode(node, scope);
    this.#depth--;
    return value;
  }

  #evalNode(node: ts.Node, scope: Scope): Value {
    if (ts.isStringLiteralLike(node)) return primitive(node.text);
    if (ts.isNumericLiteral(node)) return primitive(Number(node.text));
    if (ts.isBigIntLiteral(node)) return primitive(readBigInt(node.text));
    switch (node.kind) {
      case ts.SyntaxKind.TrueKeyword:
        return primitive(true);
      case ts.SyntaxKind.FalseKeyword:
        return primitive(false);
      case ts.SyntaxKind.NullKeyword:
        return primitive(null);
    }
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isTypeAssertionExpression(node)
    ) {
      return this.#eval(node.expression, scope);
    }
    if (ts.isIdentifier(node)) return this.#identifier(node, scope);
    if (ts.isTemplateExpression(node)) return this.#template(node, scope);
    if (ts.isPrefixUnaryExpression(node)) return this.#unary(node, scope);
    if (ts.isTypeOfExpression(node)) return this.#typeOf(node, scope);
    if (ts.isVoidExpression(node)) return primitive(undefined);
    if (ts.isBinaryExpression(node)) return this.#binary(node, scope);
    if (ts.isConditionalExpression(node)) {
      const test = this.#truth(this.#eval(node.condition, scope), node.condition);
      if (typeof test !== "boolean") return test;
      return this.#eval(test ? node.whenTrue : node.whenFalse, scope);
    }
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, scope);
    if (ts.isArrayLiteralExpression(node)) return this.#array(node, scope);
    if (ts.isPropertyAccessExpression(node)) {
      if (ts.isPrivateIdentifier(node.name)) return unknownValue("syntax", node);
      return this.#member(node, this.#eval(node.expression, scope), node.name.text);
    }
    if (ts.isElementAccessExpression(node)) return this.#element(node, scope);
    if (ts.isCallExpression(node)) return this.#call(node, scope);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return { kind: "function", node, scope };
    if (ts.isClassExpression(node)) {
      return { kind: "reference", declaration: node, symbol: this.#checker.getTypeAtLocation(node).symbol };
    }
    return unknownValue("syntax", node);
  }

  #identifier(node: ts.Identifier, scope: Scope): Value {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.#checker.getSymbolAtLocation(node);
    if (!symbol) return unknownValue("unresolved", node);
    if (this.#checker.isUndefinedSymbol(symbol)) return primitive(undefined);
    const target = resolveAlias(this.#checker, symbol);
    const value = this.#symbol(target, node, scope);
    const isNamespace = symbol.declarations?.some(ts.isNamespaceImport) ?? false;
    return remapSites(isNamespace ? jsonNamespace(value, target, node) : value, node);
  }

  /** The value of a declared name. `node` is the mention. */
  #symbol(symbol: ts.Symbol, node: ts.Node, scope: Scope): Value {
    const bound = scope.get(symbol);
    if (bound) return bound;
    if (this.#api.isDecoratorFactory(symbol)) return { kind: "factory" };
    const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
    if (!declaration) return unknownValue("unresolved", node);
    const file = declaration.getSourceFile();
    const isGlobal = isLibraryFile(file);
    if (isGlobal) return globalValue(symbol.name, node);
    this.#files.add(file);
    if (ts.isSourceFile(declaration)) {
      if (!declaration.fileName.endsWith(".json")) return { kind: "reference", declaration, symbol };
      const statement = declaration.statements[0];
      const expression = statement && ts.isExpressionStatement(statement) ? statement.expression : undefined;
      const read = expression ? this.#eval(expression, EMPTY_SCOPE) : unknownValue("unresolved", node);
      return this.#unwritten(read, symbol, node);
    }
    if (ts.isVariableDeclaration(declaration)) return this.#variable(declaration, symbol, node, scope);
    if (ts.isBindingElement(declaration)) return this.#binding(declaration, node, scope);
    if (ts.isParameter(declaration)) return unknownValue("parameter", node);
    if (ts.isFunctionDeclaration(declaration)) {
      if (!declaration.body) return unknownValue("external", node);
      return { kind: "function", node: declaration, scope };
    }
    if (ts.isEnumMember(declaration)) return this.#enumMember(declaration, node);
    if (ts.isExportAssignment(declaration)) return this.#eval(declaration.expression, EMPTY_SCOPE);
    if (ts.isPropertyAssignment(declaration)) return this.#eval(declaration.initializer, EMPTY_SCOPE);
    if (
      ts.isClassLike(declaration) ||
      ts.isEnumDeclaration(declaration) ||
      ts.isModuleDeclaration(declaration)
    ) {
      return { kind: "reference", declaration, symbol };
    }
    return unknownValue("syntax", node);
  }

  #variable(declaration: ts.VariableDeclaration, symbol: ts.Symbol, node: ts.Node, scope: Scope): Value {
    const list = declaration.parent;
    if (!ts.isVariableDeclarationList(list)) return unknownValue("syntax", node);
    if (!(list.flags & ts.NodeFlags.Const))
      return unknownValue("mutable", node, unknownValue("mutable", declaration));
    if (!declaration.initializer) {
      const literal = this.#literalType(this.#checker.getTypeOfSymbol(symbol));
      return literal ?? unknownValue("external", node, unknownValue("external", declaration));
    }
    const value = this.#once(declaration, node, () =>
      this.#eval(requireNode(declaration.initializer), scope),
    );
    return this.#because(this.#unwritten(value, symbol, node), node);
  }

  /** The value itself, or unknown when the object it is gets written somewhere. */
  #unwritten(value: Value, symbol: ts.Symbol, node: ts.Node): Value {
    if (value.kind !== "object" && value.kind !== "array") return value;
    const write = this.#writes.findWrite(symbol);
    return write ? unknownValue("written", node, unknownValue("written", write)) : value;
  }

  #because(value: Value, node: ts.Node): Value {
    return value.kind === "unknown" && value.node !== node ? unknownValue("dependent", node, value) : value;
  }

  #once(declaration: ts.Node, node: ts.Node, read: () => Value): Value {
    if (this.#active.has(declaration)) return unknownValue("cycle", node);
    this.#active.add(declaration);
    const value = read();
    this.#active.delete(declaration);
    return value;
  }

  #binding(declaration: ts.BindingElement, node: ts.Node, scope: Scope): Value {
    let root: ts.Node = declaration;
    while (ts.isBindingElement(root) || ts.isObjectBindingPattern(root) || ts.isArrayBindingPattern(root)) {
      root = root.parent;
    }
    if (!ts.isVariableDeclaration(root)) return unknownValue("parameter", node);
    const list = root.parent;
    const isConst = ts.isVariableDeclarationList(list) && (list.flags & ts.NodeFlags.Const) !== 0;
    if (!isConst) return unknownValue("mutable", node, unknownValue("mutable", root));
    const { initializer } = root;
    if (!initializer) return unknownValue("syntax", node);
    const value = this.#once(declaration, node, () => {
      const whole = this.#eval(initializer, scope);
      const bound = new Map<ts.Symbol, Value>();
      this.#bind(root.name, whole, bound, scope);
      const symbol = this.#checker.getSymbolAtLocation(declaration.name);
      const found = symbol && bound.get(symbol);
      return found ? this.#unwritten(found, symbol, node) : unknownValue("syntax", node);
    });
    return this.#because(value, node);
  }

  /** Binds the names of a pattern to the parts of a value. */
  #bind(name: ts.BindingName, value: Value, into: Map<ts.Symbol, Value>, scope: Scope): void {
    if (ts.isIdentifier(name)) {
      const symbol = this.#checker.getSymbolAtLocation(name);
      if (symbol) into.set(symbol, value);
      return;
    }
    name.elements.forEach((element, index) => {
      if (!ts.isBindingElement(element)) return;
      this.#bind(element.name, this.#part(name, element, index, value, scope), into, scope);
    });
  }

  #part(
    pattern: ts.BindingPattern,
    element: ts.BindingElement,
    index: number,
    value: Value,
    scope: Scope,
  ): Value {
    if (element.dotDotDotToken) return this.#rest(pattern, element, index, value, scope);
    let part: Value;
    if (ts.isArrayBindingPattern(pattern)) {
      if (value.kind !== "array") return value.kind === "unknown" ? value : unknownValue("syntax", element);
      part = value.items[index] ?? primitive(undefined);
    } else {
      const key = this.#bindingKey(element, scope);
      if (typeof key !== "string") return key;
      part = this.#member(element, value, key);
    }
    const missing = part.kind === "primitive" && part.value === undefined;
    return missing && element.initializer ? this.#eval(element.initializer, scope) : part;
  }

  /** The name of the member that an element of an object pattern takes. */
  #bindingKey(element: ts.BindingElement, scope: Scope): string | UnknownValue {
    const key = element.propertyName ?? element.name;
    return ts.isObjectBindingPattern(key) || ts.isArrayBindingPattern(key)
      ? unknownValue("syntax", element)
      : this.#key(key, scope);
  }

  /** What a rest element gathers: the members or items that the elements before it leave. */
  #rest(
    pattern: ts.BindingPattern,
    element: ts.BindingElement,
    index: number,
    value: Value,
    scope: Scope,
  ): Value {
    if (value.kind === "array" && ts.isArrayBindingPattern(pattern)) {
      return { kind: "array", items: value.items.slice(index) };
    }
    if (value.kind !== "object" || !ts.isObjectBindingPattern(pattern)) {
      return value.kind === "unknown" ? value : unknownValue("syntax", element);
    }
    const members = new Map(value.members);
    for (const taken of pattern.elements.slice(0, index)) {
      const key = this.#bindingKey(taken, scope);
      if (typeof key !== "string") return key;
      members.delete(key);
    }
    return { kind: "object", members, lost: value.lost };
  }

  #literalType(type: ts.Type): Value | undefined {
    if (type.isStringLiteral() || type.isNumberLiteral()) return primitive(type.value);
    if (type.flags & ts.TypeFlags.BooleanLiteral)
      return primitive(this.#checker.typeToString(type) === "true");
    if (type.flags & ts.TypeFlags.BigIntLiteral) {
      return primitive(readBigInt(this.#checker.typeToString(type)));
    }
    if (type.flags & ts.TypeFlags.Null) return primitive(null);
    return type.flags & ts.TypeFlags.Undefined ? primitive(undefined) : undefined;
  }

  #enumMember(declaration: ts.EnumMember, node: ts.Node): Value {
    this.#files.add(declaration.getSourceFile());
    const constant = this.#checker.getConstantValue(declaration);
    if (constant !== undefined) return primitive(constant);
    return unknownValue("external", node, unknownValue("external", declaration));
  }

  #template(node: ts.TemplateExpression, scope: Scope): Value {
    let text = node.head.text;
    for (const span of node.templateSpans) {
      const part = this.#eval(span.expression, scope);
      if (part.kind === "unknown") return part;
      if (part.kind !== "primitive") return unknownValue("operands", span.expression);
      text += `${part.value}${span.literal.text}`;
      if (text.length > 100_000) return unknownValue("budget", node);
    }
    return primitive(text);
  }

  #unary(node: ts.PrefixUnaryExpression, scope: Scope): Value {
    const { operator } = node;
    if (operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken) {
      return unknownValue("mutable", node);
    }
    const operand = this.#eval(node.operand, scope);
    if (operand.kind === "unknown") return operand;
    if (operand.kind !== "primitive") {
      return operator === ts.SyntaxKind.ExclamationToken ? primitive(false) : unknownValue("operands", node);
    }
    const folded = foldUnary(operator, operand.value);
    return folded ? primitive(folded.value) : unknownValue("operands", node);
  }

  #typeOf(node: ts.TypeOfExpression, scope: Scope): Value {
    const operand = this.#eval(node.expression, scope);
    if (operand.kind === "unknown") return operand;
    if (operand.kind === "primitive") return primitive(typeof operand.value);
    return primitive(operand.kind === "object" || operand.kind === "array" ? "object" : "function");
  }

  #truth(value: Value, node: ts.Node): boolean | UnknownValue {
    if (value.kind === "unknown") return this.#because(value, node) as UnknownValue;
    return value.kind === "primitive" ? Boolean(value.value) : true;
  }

  #binary(node: ts.BinaryExpression, scope: Scope): Value {
    const operator = node.operatorToken.kind;
    const left = this.#eval(node.left, scope);
    if (operator === ts.SyntaxKind.QuestionQuestionToken) {
      if (left.kind === "unknown") return left;
      const absent = left.kind === "primitive" && (left.value === undefined || left.value === null);
      return absent ? this.#eval(node.right, scope) : left;
    }
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken || operator === ts.SyntaxKind.BarBarToken) {
      const truth = this.#truth(left, node.left);
      if (typeof truth !== "boolean") return truth;
      const goesOn = operator === ts.SyntaxKind.AmpersandAmpersandToken ? truth : !truth;
      return goesOn ? this.#eval(node.right, scope) : left;
    }
    if (left.kind === "unknown") return left;
    if (operator === ts.SyntaxKind.CommaToken) return this.#eval(node.right, scope);
    if (!isFoldedOperator(operator)) return unknownValue("syntax", node);
    const right = this.#eval(node.right, scope);
    if (right.kind === "unknown") return right;
    if (left.kind !== "primitive" || right.kind !== "primitive") return unknownValue("operands", node);
    const folded = foldBinary(operator, left.value, right.value);
    return folded ? primitive(folded.value) : unknownValue("operands", node);
  }

  #object(node: ts.ObjectLiteralExpression, scope: Scope): Value {
    const members = new Map<string, ObjectMember>();
    const lost: LostPart[] = [];
    const put = (key: string, member: ObjectMember) => {
      members.delete(key);
      members.set(key, member);
    };
    const lose = (site: ts.Node, value: UnknownValue) => {
      members.clear();
      lost.push({ site, value });
    };
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        this.#spread(property, this.#eval(property.expression, scope), put, lose);
        continue;
      }
      const key = this.#key(property.name, scope);
      if (typeof key !== "string") {
        lose(property.name, key);
        continue;
      }
      let value: Value;
      let valueSite: ts.Node = property.name;
      if (ts.isPropertyAssignment(property)) {
        value = this.#eval(property.initializer, scope);
        valueSite = property.initializer;
      } else if (ts.isShorthandPropertyAssignment(property)) value = this.#identifier(property.name, scope);
      else if (ts.isMethodDeclaration(property)) value = { kind: "function", node: property, scope };
      else value = unknownValue("accessor", property.name);
      put(key, { value, keySite: property.name, valueSite });
    }
    return { kind: "object", members, lost };
  }

  /** Adds the members of a spread. */
  #spread(
    property: ts.SpreadAssignment,
    value: Value,
    put: (key: string, member: ObjectMember) => void,
    lose: (site: ts.Node, value: UnknownValue) => void,
  ): void {
    if (value.kind === "unknown") {
      lose(property, this.#because(value, property.expression) as UnknownValue);
    } else if (value.kind === "object") {
      for (const part of value.lost) lose(property, part.value);
      for (const [key, member] of value.members) {
        put(key, { value: member.value, keySite: property, valueSite: property });
      }
    } else if (value.kind !== "primitive" || (typeof value.value === "string" && value.value !== "")) {
      lose(property, unknownValue("operands", property.expression));
    }
  }

  #key(name: ts.PropertyName, scope: Scope): string | UnknownValue {
    if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
    if (!ts.isComputedPropertyName(name)) return unknownValue("syntax", name);
    const key = this.#eval(name.expression, scope);
    if (key.kind === "unknown") return key;
    return key.kind === "primitive" ? String(key.value) : unknownValue("operands", name);
  }

  #array(node: ts.ArrayLiteralExpression, scope: Scope): Value {
    const items: Value[] = [];
    for (const element of node.elements) {
      if (ts.isOmittedExpression(element)) items.push(primitive(undefined));
      else if (ts.isSpreadElement(element)) {
        const spread = this.#eval(element.expression, scope);
        if (spread.kind === "unknown") return spread;
        if (spread.kind !== "array") return unknownValue("operands", element);
        items.push(...spread.items);
      } else items.push(this.#eval(element, scope));
    }
    return { kind: "array", items };
  }

  #element(node: ts.ElementAccessExpression, scope: Scope): Value {
    const key = this.#eval(node.argumentExpression, scope);
    if (key.kind === "unknown") return key;
    if (key.kind !== "primitive") return unknownValue("operands", node.argumentExpression);
    return this.#member(node, this.#eval(node.expression, scope), String(key.value));
  }

  /** A member of a value. `node` is the access, the binding or whatever asks for it. */
  #member(node: ts.Node, object: Value, name: string): Value {
    switch (object.kind) {
      case "unknown":
        return this.#because(object, node);
      case "object": {
        const member = object.members.get(name);
        const lost = object.lost[object.lost.length - 1];
        if (!member && lost) return this.#because(lost.value, node);
        if (!member) return name in {} ? unknownValue("member", node) : primitive(undefined);
        return remapSites(this.#because(member.value, node), node);
      }
      case "array":
        return /^\d+$/.test(name)
          ? remapSites(object.items[Number(name)] ?? primitive(undefined), node)
          : unknownValue("member", node);
      case "math": {
        if (object.member !== undefined) return unknownValue("member", node);
        const constant = mathConstant(name);
        return constant === undefined ? { kind: "math", member: name } : primitive(constant);
      }
      case "reference":
        return remapSites(this.#referenceMember(node, object.symbol, object.declaration, name), node);
      case "primitive": {
        const chained = (object.value === undefined || object.value === null) && isOptionalAccess(node);
        return chained ? primitive(undefined) : unknownValue("member", node);
      }
      default:
        return unknownValue("member", node);
    }
  }

  #referenceMember(node: ts.Node, symbol: ts.Symbol, declaration: ts.Node, name: string): Value {
    if (ts.isClassLike(declaration)) return this.#staticMember(node, declaration, name);
    const isModule = ts.isSourceFile(declaration) || (symbol.flags & ts.SymbolFlags.Module) !== 0;
    const found = isModule
      ? this.#checker.getExportsOfModule(symbol).find((each) => each.name === name)
      : symbol.exports?.get(ts.escapeLeadingUnderscores(name));
    return found
      ? this.#symbol(resolveAlias(this.#checker, found), node, EMPTY_SCOPE)
      : unknownValue("member", node);
  }

  #staticMember(node: ts.Node, declaration: ts.ClassLikeDeclaration, name: string): Value {
    const type = this.#checker.getTypeAtLocation(declaration);
    const statics = type.symbol && this.#checker.getTypeOfSymbolAtLocation(type.symbol, declaration);
    const member = statics ? this.#checker.getPropertyOfType(statics, name) : undefined;
    const found = member?.valueDeclaration;
    if (!found) return unknownValue("member", node);
    this.#files.add(found.getSourceFile());
    if (ts.isMethodDeclaration(found)) return { kind: "function", node: found, scope: EMPTY_SCOPE };
    if (ts.isGetAccessor(found) || ts.isSetAccessor(found)) {
      return unknownValue("accessor", node, unknownValue("accessor", found));
    }
    if (!ts.isPropertyDeclaration(found)) return unknownValue("member", node);
    const readonly = found.modifiers?.some((each) => each.kind === ts.SyntaxKind.ReadonlyKeyword) ?? false;
    if (!readonly) return unknownValue("mutable", node, unknownValue("mutable", found));
    const { initializer } = found;
    if (!initializer) {
      const literal = member ? this.#literalType(this.#checker.getTypeOfSymbol(member)) : undefined;
      return literal ?? unknownValue("external", node, unknownValue("external", found));
    }
    const value = this.#once(found, node, () => this.#eval(initializer, EMPTY_SCOPE));
    return this.#because(member ? this.#unwritten(value, member, node) : value, node);
  }

  #call(node: ts.CallExpression, scope: Scope): Value {
    const callee = this.#eval(node.expression, scope);
    if (callee.kind === "unknown") {
      const isBuiltin = callee.reason === "builtin" && callee.cause === undefined;
      return isBuiltin ? unknownValue("builtin", node) : this.#because(callee, node);
    }
    if (callee.kind === "primitive") {
      const chained = callee.value === undefined || callee.value === null;
      return chained && isOptionalAccess(node) ? primitive(undefined) : unknownValue("callee", node);
    }
    if (callee.kind !== "factory" && callee.kind !== "math" && callee.kind !== "function") {
      return unknownValue("callee", node);
    }
    const args: Value[] = [];
    for (const argument of node.arguments) {
      if (ts.isSpreadElement(argument)) {
        const spread = this.#eval(argument.expression, scope);
        if (spread.kind !== "array") {
          return spread.kind === "unknown" ? this.#because(spread, node) : unknownValue("operands", argument);
        }
        args.push(...spread.items);
      } else args.push(this.#eval(argument, scope));
    }
    if (callee.kind === "factory") return { kind: "decorator", call: node, args, argSites: node.arguments };
    if (callee.kind === "function") return remapSites(this.#inline(node, callee, args), node);
    return this.#mathCall(node, callee.member, args);
  }

  #mathCall(node: ts.CallExpression, member: string | undefined, args: readonly Value[]): Value {
    const values: Primitive[] = [];
    for (const arg of args) {
      if (arg.kind === "unknown") return this.#because(arg, node);
      if (arg.kind !== "primitive") return unknownValue("operands", node);
      values.push(arg.value);
    }
    const folded = member === undefined ? undefined : foldMath(member, values);
    return folded === undefined ? unknownValue("builtin", node) : primitive(folded);
  }

  /** Reads a function that is a single return, with its parameters bound to values. */
  #inline(node: ts.CallExpression, callee: FunctionValue, args: readonly Value[]): Value {
    const stop = (reason: UnknownReason) => unknownValue(reason, node, unknownValue(reason, callee.node));
    const { node: target } = callee;
    const flags = ts.getCombinedModifierFlags(target);
    const generator = "asteriskToken" in target && target.asteriskToken !== undefined;
    if (generator || flags & ts.ModifierFlags.Async) return stop("async");
    if (this.#active.has(target)) return stop("recursive");
    const body = singleReturn(target);
    if (!body) return stop("statements");
    this.#files.add(target.getSourceFile());
    const scope = new Map(callee.scope);
    target.parameters.forEach((parameter, index) => {
      let value = args[index] ?? primitive(undefined);
      if (parameter.dotDotDotToken) value = { kind: "array", items: args.slice(index) };
      const missing = value.kind === "primitive" && value.value === undefined;
      if (missing && parameter.initializer) value = this.#eval(parameter.initializer, scope);
      this.#bind(parameter.name, value, scope, scope);
    });
    this.#active.add(target);
    const value = this.#eval(body, scope);
    this.#active.delete(target);
    return this.#because(value, node);
  }
}
