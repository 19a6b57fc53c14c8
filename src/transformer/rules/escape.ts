// CU6032: the handle leaves its type. Every place where a value flows into a slot is looked at, in all checked
// code: what is or contains the handle may flow only into a slot that still names it. This is what makes the class
// hierarchy complete, so a flow that cannot be judged is an escape.
import { ts } from "ts-morph";
import { createFinding, type Finding } from "../finding.js";
import { PACKAGE_NAME } from "../link/api.js";
import { HandleTypes } from "../link/handle-type.js";
import { skipOuter, symbolOf } from "../link/mention.js";
import { unrelatedFiles } from "../link/unrelated-files.js";
import { shortText } from "../place.js";
import { functionOfType } from "../reach/leaf.js";
import { isDestructuringTarget } from "../summarise/file-index.js";
import type { RuleContext } from "./context.js";
import {
  ADVICE,
  APPLIERS,
  calleeText,
  isDropped,
  isInnocent,
  isJavaScript,
  isScope,
  isTaker,
  isUntyped,
  OBJECT_MEMBERS,
  REFLECTORS,
} from "./escape-words.js";

export interface Escapes {
  readonly findings: readonly Finding[];
  /** Calls that take the handle with its type, which is no escape. */
  readonly handed: readonly (ts.CallExpression | ts.NewExpression)[];
}

class EscapeFinder implements Escapes {
  readonly #handed = new Set<ts.CallExpression | ts.NewExpression>();
  readonly findings: Finding[] = [];
  readonly #context: RuleContext;
  readonly #checker: ts.TypeChecker;
  readonly types: HandleTypes;
  readonly #reported = new Set<ts.Node>();

  constructor(context: RuleContext) {
    this.#context = context;
    this.#checker = context.checker;
    this.types = new HandleTypes(
      context.checker,
      context.api,
      unrelatedFiles(context.program, context.checker, context.packages),
    );
  }

  get handed(): readonly (ts.CallExpression | ts.NewExpression)[] {
    return [...this.#handed];
  }

  visit(node: ts.Node): void {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    this.#flows(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #flows(node: ts.Node): void {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#call(node);
    else if (ts.isTaggedTemplateExpression(node)) this.#tagged(node);
    else if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) this.#assertion(node);
    else if (ts.isBinaryExpression(node)) this.#assignment(node);
    else if (ts.isConditionalExpression(node)) this.#joined(node, [node.whenTrue, node.whenFalse]);
    else if (ts.isArrayLiteralExpression(node)) this.#joined(node, node.elements);
    else if (ts.isObjectLiteralExpression(node)) this.#joined(node, [node]);
    else if (ts.isReturnStatement(node)) this.#return(node.expression);
    else if (ts.isArrowFunction(node)) {
      if (!ts.isBlock(node.body)) this.#return(node.body);
    } else if (ts.isYieldExpression(node)) {
      this.#return(node.expression, "it is yielded as");
    } else if (ts.isThrowStatement(node)) this.#lose(node.expression, "it is thrown");
    else if (ts.isForOfStatement(node)) this.#eachOf(node);
    else if (ts.isForInStatement(node)) this.#lose(node.expression, "its members are listed");
    else if (ts.isSpreadAssignment(node)) this.#spreadMembers(node.expression);
    else if (ts.isBindingElement(node)) this.#binding(node);
    else if (ts.isJsxExpression(node)) this.#jsx(node);
    else if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node)) {
      const { initializer, type } = node;
      if (!initializer) return;
      if (type) this.#flow(initializer, this.#checker.getTypeFromTypeNode(type), "the variable's type is");
      else if (ts.isObjectBindingPattern(node.name) || ts.isArrayBindingPattern(node.name)) return;
      else if (isJavaScript(node)) this.#declaredInJsDoc(node, initializer);
    }
  }

  #declaredInJsDoc(node: ts.Node, initializer: ts.Expression): void {
    const type = ts.getJSDocType(node);
    if (type) this.#flow(initializer, this.#checker.getTypeFromTypeNode(type), "the variable's type is");
  }

  /** A value flows into a slot: nothing of the handle may be lost. */
  #flow(expression: ts.Expression, slot: ts.Type, what: string): void {
    if (ts.isParenthesizedExpression(expression)) this.#flow(expression.expression, slot, what);
    else if (ts.isConditionalExpression(expression)) {
      this.#flow(expression.whenTrue, slot, what);
      this.#flow(expression.whenFalse, slot, what);
    } else if (ts.isObjectLiteralExpression(expression)) this.#literal(expression, slot, what);
    else if (ts.isArrayLiteralExpression(expression)) this.#array(expression, slot, what);
    else this.#plainFlow(expression, slot, what);
  }

  #plainFlow(expression: ts.Expression, slot: ts.Type, what: string): void {
    this.#given(expression, slot);
    const isFunction = ts.isArrowFunction(expression) || ts.isFunctionExpression(expression);
    // The returns of a function are flows of their own wherever the slot says what it returns.
    if (isFunction && slot.getCallSignatures().length > 0) return;
    const type = this.#checker.getTypeAtLocation(expression);
    if (!this.types.contains(type) || this.types.keeps(type, slot)) return;
    const slotName = this.#checker.typeToString(slot);
    this.#report(expression, `${what} ${slotName}`);
  }

  /** A function flows into a slot that is called with the handle: its parameters must name it. */
  #given(expression: ts.Expression, slot: ts.Type): void {
    const isFunction = ts.isArrowFunction(expression) || ts.isFunctionExpression(expression);
    if (isFunction && expression.parameters.every((each) => !each.type && !each.dotDotDotToken)) return;
    const type = this.#checker.getTypeAtLocation(expression);
    if (this.types.accepts(type, slot)) return;
    this.#report(expression, "a parameter that is given the handle has lost its type");
  }

  #literal(expression: ts.ObjectLiteralExpression, slot: ts.Type, what: string): void {
    for (const property of expression.properties) {
      const value = ts.isPropertyAssignment(property)
        ? property.initializer
        : ts.isShorthandPropertyAssignment(property)
          ? property.name
          : undefined;
      if (ts.isSpreadAssignment(property)) this.#flow(property.expression, slot, what);
      const name = property.name && this.#propertyName(property.name);
      const target = name === undefined ? undefined : this.#memberSlot(slot, name);
      if (ts.isMethodDeclaration(property) && target) this.#method(property, target);
      if (!value) continue;
      if (target) this.#flow(value, target, what);
      else this.#lose(value, `${what} ${this.#checker.typeToString(slot)}`);
    }
  }

  #method(method: ts.MethodDeclaration, slot: ts.Type): void {
    const symbol = symbolOf(method);
    if (!symbol || this.types.accepts(this.#checker.getTypeOfSymbol(symbol), slot)) return;
    this.#report(method.name, "a parameter that is given the handle has lost its type");
  }

  #propertyName(name: ts.PropertyName): string | undefined {
    if (ts.isComputedPropertyName(name)) return this.#context.mentions.keyNames(name.expression)[0];
    return ts.isPrivateIdentifier(name) ? undefined : name.text;
  }

  #memberSlot(slot: ts.Type, name: string): ts.Type | undefined {
    if (slot.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) return slot;
    const parts = slot.isUnionOrIntersection() ? slot.types : [slot];
    const found = parts.flatMap((part) => this.types.memberSlot(part, name) ?? []);
    if (found.length === 0) return slot.flags & ts.TypeFlags.TypeParameter ? slot : undefined;
    return found.find((each) => this.types.contains(each)) ?? found[0];
  }

  #array(expression: ts.ArrayLiteralExpression, slot: ts.Type, what: string): void {
    for (const [index, element] of expression.elements.entries()) {
      if (ts.isOmittedExpression(element)) continue;
      if (ts.isSpreadElement(element)) {
        this.#flow(element.expression, slot, what);
        continue;
      }
      const named = this.#memberSlot(slot, String(index));
      const parts = slot.isUnion() ? slot.types : [slot];
      const argument = parts.flatMap((part) => this.types.typeArguments(part))[0];
      const target = named ?? argument ?? (slot.flags & ts.TypeFlags.TypeParameter ? slot : undefined);
      if (target) this.#flow(element, target, what);
      else this.#lose(element, `${what} ${this.#checker.typeToString(slot)}`);
    }
  }

  /** A use after which nothing names the handle any more. */
  #lose(expression: ts.Expression, reason: string): void {
    if (ts.isParenthesizedExpression(expression)) {
      this.#lose(expression.expression, reason);
      return;
    }
    if (ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression)) {
      ts.forEachChild(expression, (child) => {
        if (ts.isPropertyAssignment(child)) this.#lose(child.initializer, reason);
        else if (ts.isShorthandPropertyAssignment(child)) this.#lose(child.name, reason);
        else if (ts.isSpreadAssignment(child) || ts.isSpreadElement(child))
          this.#lose(child.expression, reason);
        else if (ts.isExpression(child)) this.#lose(child, reason);
      });
      return;
    }
    if (this.types.contains(this.#typeOf(expression))) this.#report(expression, reason);
  }

  #typeOf(expression: ts.Expression): ts.Type {
    const symbol = ts.isShorthandPropertyAssignment(expression.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(expression.parent)
      : undefined;
    return symbol
      ? this.#checker.getTypeOfSymbolAtLocation(symbol, expression)
      : this.#checker.getTypeAtLocation(expression);
  }

  #report(expression: ts.Node, reason: string): void {
    if (this.#reported.has(expression)) return;
    this.#reported.add(expression);
    const handle = shortText(expression, 40);
    this.findings.push(createFinding("CU6032", { handle, reason, advice: ADVICE }, expression));
  }

  #call(node: ts.CallExpression | ts.NewExpression): void {
    const args = node.arguments ?? [];
    if (args.every(isInnocent) || node.expression.kind === ts.SyntaxKind.ImportKeyword) return;
    const callee = calleeText(node.expression);
    const copies = callee === "Object.assign" || (ts.isNewExpression(node) && callee === "Proxy");
    const reflects = REFLECTORS.has(callee);
    const exempt = this.#thisArgument(node, callee);
    const untyped = (this.#checker.getTypeAtLocation(node.expression).flags & ts.TypeFlags.Any) !== 0;
    for (const [index, argument] of args.entries()) {
      if (index === exempt || isInnocent(argument)) continue;
      if (copies) this.#lose(argument, `${callee} makes another object of it`);
      else if (reflects && this.#isReflected(argument)) this.#report(argument, `${callee} lists its members`);
      else if (untyped) this.#lose(argument, "it is an argument of an untyped function");
      else this.#argument(node, argument, index);
    }
  }

  /** Whether an argument is the handle, or a module that exports it. */
  #isReflected(argument: ts.Expression): boolean {
    const type = this.#checker.getTypeAtLocation(argument);
    const isModule = ((type.symbol?.flags ?? 0) & ts.SymbolFlags.Module) !== 0;
    return this.types.isHandleLike(type) || (isModule && this.types.contains(type));
  }

  #argument(node: ts.CallExpression | ts.NewExpression, argument: ts.Expression, index: number): void {
    if (ts.isSpreadElement(argument)) {
      this.#spreadArgument(node, argument, index);
      return;
    }
    if (!this.#mayHold(argument)) return;
    const slot = this.#checker.getContextualType(argument);
    if (slot && !this.#isOwnParameter(node, argument)) {
      const before = this.findings.length;
      this.#flow(argument, slot, "it is an argument whose parameter has the type");
      const isHanded = this.findings.length === before && this.types.contains(slot);
      if (!isHanded) return;
      this.#handed.add(node);
      this.#bindParameters(node, node.arguments?.indexOf(argument) ?? 0);
    }
  }

  /** The type parameters that a call gives the handle for: inside the function its values may be the handle. */
  #bindParameters(node: ts.CallExpression | ts.NewExpression, index: number): void {
    const declaration = this.#checker.getResolvedSignature(node)?.declaration;
    const parameters = declaration && "parameters" in declaration ? declaration.parameters : [];
    const parameter = parameters[index] ?? parameters[parameters.length - 1];
    if (!parameter || !ts.isParameter(parameter) || !parameter.type) return;
    const found: ts.Type[] = [];
    const visit = (child: ts.Node): void => {
      if (ts.isTypeReferenceNode(child)) {
        const type = this.#checker.getTypeFromTypeNode(child);
        if (type.flags & ts.TypeFlags.TypeParameter) found.push(type);
      }
      ts.forEachChild(child, visit);
    };
    visit(parameter.type);
    if (this.types.bind(found)) this.grew = true;
  }

  /** Whether a type parameter was bound that the files seen before did not know of. */
  grew = false;

  /** `arguments` gives every parameter without its type; a loader may give the package without any. */
  untypedWays(): void {
    const { mentions } = this.#context;
    for (const mention of mentions.candidates("arguments")) {
      const holder = ts.findAncestor(mention, (each) => ts.isFunctionLike(each) && !ts.isArrowFunction(each));
      if (!holder || !ts.isFunctionLike(holder) || !ts.isIdentifier(mention)) continue;
      const held = holder.parameters.some((each) =>
        this.types.contains(this.#checker.getTypeAtLocation(each)),
      );
      if (held) this.#report(mention, "arguments holds a parameter without its type");
    }
    for (const call of this.#context.index.files.flatMap((file) => file.calls)) {
      const [first] = call.arguments ?? [];
      if (!first || !ts.isStringLiteralLike(first)) continue;
      if (first.text !== PACKAGE_NAME && !first.text.startsWith(`${PACKAGE_NAME}/`)) continue;
      const type = this.#checker.getTypeAtLocation(call);
      if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) {
        this.#report(call, "the package is loaded without its types");
      }
    }
  }

  /** Members of a class that take the handle in their base, and have lost its type. */
  overrides(node: ts.ClassLikeDeclaration): void {
    const own = symbolOf(node);
    const instance = own && this.#checker.getDeclaredTypeOfSymbol(own);
    const heritage = node.heritageClauses?.flatMap((clause) => [...clause.types]) ?? [];
    if (!instance) return;
    for (const base of heritage.map((each) => this.#checker.getTypeAtLocation(each))) {
      for (const member of node.members) {
        const isMember =
          ts.isMethodDeclaration(member) || ts.isPropertyDeclaration(member) || ts.isGetAccessor(member);
        if (!isMember) continue;
        const symbol = symbolOf(member);
        const above = symbol && this.#checker.getPropertyOfType(base, symbol.name);
        if (!symbol || !above) continue;
        const type = this.#checker.getTypeOfSymbol(symbol);
        const slot = this.#checker.getTypeOfSymbol(above);
        if (!this.types.accepts(type, this.#checker.getNonNullableType(slot))) {
          this.#report(member.name, "it takes the handle in a parameter that has lost its type");
        } else if (!this.types.keeps(type, slot)) {
          const place = ts.isPropertyDeclaration(member) ? (member.initializer ?? member.name) : member.name;
          this.#report(place, "the member that it implements has lost its type");
        }
      }
    }
  }

  /** Whether the parts of an expression must be looked at: its type holds the handle, or it is written in place. */
  #mayHold(expression: ts.Expression): boolean {
    const isWritten =
      ts.isObjectLiteralExpression(expression) ||
      ts.isArrayLiteralExpression(expression) ||
      ts.isConditionalExpression(expression) ||
      ts.isParenthesizedExpression(expression);
    if (isWritten) return true;
    const type = this.#checker.getTypeAtLocation(expression);
    return this.types.contains(type) || isTaker(type, expression);
  }

  #spreadArgument(
    node: ts.CallExpression | ts.NewExpression,
    argument: ts.SpreadElement,
    index: number,
  ): void {
    const type = this.#checker.getTypeAtLocation(argument.expression);
    if (!this.types.contains(type)) return;
    const parameters = this.#checker.getResolvedSignature(node)?.parameters ?? [];
    const slots = parameters.slice(index).map((each) => this.#checker.getTypeOfSymbolAtLocation(each, node));
    const held = slots.some((slot) => this.types.contains(slot));
    if (!held) this.#report(argument.expression, "it is among arguments whose parameters do not name it");
  }

  /** The place of the `this` value where a function of the handle is applied to it. */
  #thisArgument(node: ts.CallExpression | ts.NewExpression, callee: string): number | undefined {
    const isApi = (expression: ts.Expression | undefined) =>
      expression !== undefined &&
      functionOfType(this.#context.api, this.#checker, this.#checker.getTypeAtLocation(expression)) !==
        undefined;
    if (callee === "Reflect.apply") return isApi(node.arguments?.[0]) ? 1 : undefined;
    if (callee === "Reflect.get") return 0;
    const { expression } = node;
    const isApplier = ts.isPropertyAccessExpression(expression) && APPLIERS.has(expression.name.text);
    return isApplier && isApi(expression.expression) ? 0 : undefined;
  }

  /** Parameters of the package's own functions take agents; an agent may hold the handle. */
  #isOwnParameter(node: ts.CallExpression | ts.NewExpression, argument: ts.Expression): boolean {
    const type = this.#checker.getTypeAtLocation(argument);
    if (!this.types.contains(type) || this.types.isHandleLike(type)) return false;
    const declaration: ts.Node | undefined = this.#checker.getResolvedSignature(node)?.declaration;
    return declaration !== undefined && this.#context.declared.isOwn(declaration);
  }

  #tagged(node: ts.TaggedTemplateExpression): void {
    if (!ts.isTemplateExpression(node.template)) return;
    for (const { expression } of node.template.templateSpans) {
      const slot = this.#checker.getContextualType(expression);
      if (slot) this.#flow(expression, slot, "it is an argument whose parameter has the type");
      else this.#lose(expression, "it is an argument of an untyped tag");
    }
  }

  #assertion(node: ts.AsExpression | ts.TypeAssertion): void {
    if (ts.isConstTypeReference(node.type)) return;
    if (node.type.kind === ts.SyntaxKind.NeverKeyword) this.#lose(node.expression, "it is cast to never");
    this.#flow(node.expression, this.#checker.getTypeFromTypeNode(node.type), "it is cast to");
  }

  /** Values of which one is taken: the untyped ones take the type of all others away. */
  #joined(whole: ts.Expression, parts: readonly ts.Expression[]): void {
    if (parts.every(isInnocent) || isDestructuringTarget(whole) || isDropped(whole)) return;
    const type = this.#checker.getTypeAtLocation(whole);
    const isList = ts.isArrayLiteralExpression(whole) && !this.#checker.isTupleType(type);
    const joined = isList ? (this.types.typeArguments(type)[0] ?? type) : type;
    if (!isUntyped(joined)) return;
    const slot = this.#checker.getContextualType(whole);
    if (slot && this.types.contains(slot)) return;
    for (const part of parts) {
      this.#lose(ts.isSpreadElement(part) ? part.expression : part, "an untyped value stands beside it");
    }
  }

  /** `{ ...x }` keeps the members of plain objects, but the handle's own are another object's afterwards. */
  #spreadMembers(expression: ts.Expression): void {
    const type = this.#checker.getNonNullableType(this.#checker.getTypeAtLocation(expression));
    const parts = type.isUnionOrIntersection() ? type.types : [type];
    const isLost = parts.some(
      (part) =>
        this.types.isHandleLike(part) ||
        ((part.flags & ts.TypeFlags.TypeParameter) !== 0 && this.types.contains(part)),
    );
    if (isLost) this.#report(expression, "it is spread into another object");
  }

  #assignment(node: ts.BinaryExpression): void {
    const { kind } = node.operatorToken;
    const isJoin =
      kind === ts.SyntaxKind.BarBarToken ||
      kind === ts.SyntaxKind.AmpersandAmpersandToken ||
      kind === ts.SyntaxKind.QuestionQuestionToken;
    if (isJoin) this.#joined(node, [node.left, node.right]);
    const assigns =
      kind === ts.SyntaxKind.EqualsToken ||
      kind === ts.SyntaxKind.BarBarEqualsToken ||
      kind === ts.SyntaxKind.AmpersandAmpersandEqualsToken ||
      kind === ts.SyntaxKind.QuestionQuestionEqualsToken;
    if (!assigns) return;
    if (ts.isObjectLiteralExpression(node.left) || ts.isArrayLiteralExpression(node.left)) {
      const type = this.#checker.getTypeAtLocation(node.right);
      if (this.types.contains(type)) this.#unpack(node.left, type, node.right);
      return;
    }
    const target = node.left.getText().replace(/\s/g, "");
    if (isJavaScript(node) && /^(module\.)?exports(\.|$)/.test(target)) return;
    if (this.#isInferred(node.left)) return;
    this.#flow(node.right, this.#checker.getTypeAtLocation(node.left), "it is assigned to the type");
  }

  /** A variable without a declared type has that of each value assigned to it, but not inside closures. */
  #isInferred(target: ts.Expression): boolean {
    const symbol = ts.isIdentifier(target) ? this.#checker.getSymbolAtLocation(target) : undefined;
    const declaration = symbol?.valueDeclaration;
    if (!declaration || !ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name))
      return false;
    if (declaration.type || declaration.initializer || isJavaScript(declaration)) return false;
    const scope = ts.findAncestor(declaration, isScope);
    const uses = this.#context.mentions.byDeclaration(declaration.name.text).get(declaration) ?? [];
    return uses.every((use) => {
      const { parent } = use;
      const isWrite = ts.isBinaryExpression(parent) && parent.left === use;
      const value = isWrite ? this.#checker.getTypeAtLocation(parent.right) : undefined;
      return ts.findAncestor(use, isScope) === scope && (value === undefined || !isUntyped(value));
    });
  }

  /** `for (target of list)`: each item flows into the target. */
  #eachOf(node: ts.ForOfStatement): void {
    if (ts.isVariableDeclarationList(node.initializer)) return;
    const [item] = this.types.typeArguments(this.#checker.getTypeAtLocation(node.expression));
    if (item && this.types.contains(item)) this.#unpack(node.initializer, item, node.expression);
  }

  /** An assignment to a pattern: each part flows into its own target. */
  #unpack(target: ts.Expression, source: ts.Type, from: ts.Expression): void {
    const part = (name: string) => this.types.memberSlot(source, name);
    if (ts.isParenthesizedExpression(target)) this.#unpack(target.expression, source, from);
    else if (ts.isBinaryExpression(target)) this.#unpack(target.left, source, from);
    else if (ts.isArrayLiteralExpression(target)) {
      for (const [index, element] of target.elements.entries()) {
        const type = ts.isSpreadElement(element) ? source : part(String(index));
        const to = ts.isSpreadElement(element) ? element.expression : element;
        if (type) this.#unpack(to, type, from);
      }
    } else if (ts.isObjectLiteralExpression(target)) {
      for (const property of target.properties) {
        const name = property.name && this.#propertyName(property.name);
        const type = name === undefined ? source : part(name);
        if (!type) continue;
        if (ts.isPropertyAssignment(property)) this.#unpack(property.initializer, type, from);
        else if (ts.isShorthandPropertyAssignment(property)) this.#unpack(property.name, type, from);
        else if (this.types.contains(source)) this.#report(from, "its other members are gathered");
      }
    } else if (this.types.contains(source)) {
      const slot = this.#typeOf(target);
      if (!this.types.keeps(source, slot)) {
        this.#report(from, `it is assigned to the type ${this.#checker.typeToString(slot)}`);
      }
    }
  }

  #return(expression: ts.Expression | undefined, what = "it is returned as"): void {
    if (!expression || isInnocent(expression) || !this.#mayHold(expression)) return;
    const slot = this.#checker.getContextualType(expression);
    if (slot) this.#flow(expression, slot, what);
    else if (this.#returnsUntyped(expression)) this.#lose(expression, `${what} any`);
  }

  /** Whether the inferred result of the function around a node is untyped: then another of its results is. */
  #returnsUntyped(node: ts.Node): boolean {
    const holder = ts.findAncestor(node.parent, ts.isFunctionLike);
    const signature = holder && this.#checker.getSignatureFromDeclaration(holder);
    const type = signature && this.#checker.getReturnTypeOfSignature(signature);
    if (!type) return false;
    return isUntyped(type) || this.types.typeArguments(type).slice(0, 1).some(isUntyped);
  }

  #binding(node: ts.BindingElement): void {
    if (node.initializer) {
      this.#flow(
        node.initializer,
        this.#checker.getTypeAtLocation(node),
        "it is the default of a value of type",
      );
    }
    if (node.dotDotDotToken && ts.isObjectBindingPattern(node.parent)) {
      const type = this.#checker.getTypeAtLocation(node.parent);
      if (this.types.isHandleLike(type)) {
        this.#report(node.name as ts.Identifier, "its other members are gathered in another object");
      }
    }
  }

  #jsx(node: ts.JsxExpression): void {
    const { expression } = node;
    if (!expression) return;
    const slot = this.#checker.getContextualType(expression);
    if (slot) this.#flow(expression, slot, "it is a property of the type");
    else this.#lose(expression, "it is a property of an untyped element");
  }

  /** `computer.constructor` and its like. */
  objectMembers(): void {
    const { mentions } = this.#context;
    for (const name of OBJECT_MEMBERS) {
      for (const mention of mentions.candidates(name)) {
        const receiver = mentions.receiverType(mention);
        if (!receiver || !this.types.isHandleLike(this.#checker.getNonNullableType(receiver))) continue;
        const access = ts.isIdentifier(mention) || ts.isStringLiteralLike(mention) ? mention.parent : mention;
        this.#report(skipOuter(access) as ts.Expression, `its member ${name} leads to untyped objects`);
      }
    }
  }
}

/** Every escape in the checked files. */
export function findEscapes(context: RuleContext): Escapes {
  if (!context.api.found) return { findings: [], handed: [] };
  const finder = new EscapeFinder(context);
  // A type parameter that is given the handle makes the flows inside its function count: until no new one is found.
  do {
    finder.grew = false;
    for (const { file } of context.index.files) finder.visit(file);
  } while (finder.grew);
  for (const node of context.index.files.flatMap((file) => file.classes)) finder.overrides(node);
  finder.objectMembers();
  finder.untypedWays();
  return finder;
}
