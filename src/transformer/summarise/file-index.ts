// What one file mentions, by name, found in one walk without a single type question. Only value positions count:
// type nodes, type-only imports and the names of declarations are no mentions.
import { ts } from "ts-morph";

/** A node that may mention a declaration; its name is the key under which it is listed. */
export type MentionNode =
  | ts.Identifier
  | ts.PrivateIdentifier
  | ts.StringLiteralLike
  | ts.BindingElement
  | ts.PropertyAssignment
  | ts.ShorthandPropertyAssignment;

export interface FileIndex {
  readonly file: ts.SourceFile;
  readonly mentions: ReadonlyMap<string, readonly MentionNode[]>;
  /** Renamings in import and export clauses: the name inside, the name outside. */
  readonly aliases: readonly (readonly [from: string, to: string])[];
  readonly decorators: readonly ts.Decorator[];
  readonly classes: readonly ts.ClassLikeDeclaration[];
  /** Element accesses and binding keys whose key is not a literal. */
  readonly computed: readonly (ts.ElementAccessExpression | ts.BindingElement)[];
  /** The texts that name modules, with the node that asks for the module. */
  readonly specifiers: readonly ModuleSpecifier[];
  readonly calls: readonly (ts.CallExpression | ts.NewExpression)[];
  readonly withStatements: readonly ts.WithStatement[];
  /** Parameters and members with a written type, which may be the type of an API function. */
  readonly annotated: readonly AnnotatedDeclaration[];
  /** Places that call an iterator, a disposer or a conversion without naming it. */
  readonly implicit: readonly ImplicitUse[];
}

export type AnnotatedDeclaration =
  | ts.ParameterDeclaration
  | ts.PropertySignature
  | ts.PropertyDeclaration
  | ts.VariableDeclaration;

export interface ModuleSpecifier {
  readonly text: string;
  readonly node: ts.StringLiteralLike;
  readonly use: "import" | "export" | "type" | "dynamic" | "require";
}

export interface ImplicitUse {
  readonly member: "iterator" | "asyncIterator" | "dispose" | "asyncDispose";
  readonly expression: ts.Expression;
}

interface Builder {
  mentions: Map<string, MentionNode[]>;
  aliases: [string, string][];
  decorators: ts.Decorator[];
  classes: ts.ClassLikeDeclaration[];
  computed: (ts.ElementAccessExpression | ts.BindingElement)[];
  specifiers: ModuleSpecifier[];
  calls: (ts.CallExpression | ts.NewExpression)[];
  withStatements: ts.WithStatement[];
  annotated: AnnotatedDeclaration[];
  implicit: ImplicitUse[];
}

function addMention(into: Builder, name: string, node: MentionNode): void {
  const list = into.mentions.get(name);
  if (list) list.push(node);
  else into.mentions.set(name, [node]);
}

/** Whether an identifier is the name of something and not a use of it. */
function isDeclarationName(node: ts.Identifier | ts.PrivateIdentifier): boolean {
  const parent = node.parent as ts.Node & { name?: ts.Node; label?: ts.Node; propertyName?: ts.Node };
  if (ts.isPropertyAccessExpression(parent)) return false;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isJsxAttribute(parent) || ts.isMetaProperty(parent)) return true;
  return parent.name === node || parent.label === node || parent.propertyName === node;
}

function isTypeOnlyNode(node: ts.Node): boolean {
  if (ts.isExpressionWithTypeArguments(node)) return false;
  return ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

function visitImport(node: ts.ImportDeclaration, into: Builder): void {
  const clause = node.importClause;
  const typeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (ts.isStringLiteralLike(node.moduleSpecifier)) {
    const use = typeOnly ? "type" : "import";
    into.specifiers.push({ text: node.moduleSpecifier.text, node: node.moduleSpecifier, use });
  }
  if (!clause || typeOnly) return;
  if (clause.name) into.aliases.push(["default", clause.name.text], ["export=", clause.name.text]);
  if (clause.namedBindings && ts.isNamedImports(clause.namedBindings)) {
    for (const element of clause.namedBindings.elements) {
      if (element.propertyName) into.aliases.push([element.propertyName.text, element.name.text]);
    }
  }
}

function visitExport(node: ts.ExportDeclaration, into: Builder): void {
  if (node.moduleSpecifier && ts.isStringLiteralLike(node.moduleSpecifier)) {
    const use = node.isTypeOnly ? "type" : "export";
    into.specifiers.push({ text: node.moduleSpecifier.text, node: node.moduleSpecifier, use });
  }
  if (node.exportClause && ts.isNamedExports(node.exportClause)) {
    for (const element of node.exportClause.elements) {
      if (element.propertyName) into.aliases.push([element.propertyName.text, element.name.text]);
    }
  }
}

function visitCall(node: ts.CallExpression | ts.NewExpression, into: Builder): void {
  into.calls.push(node);
  const first = node.arguments?.[0];
  if (!first || !ts.isStringLiteralLike(first)) return;
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    into.specifiers.push({ text: first.text, node: first, use: "dynamic" });
  } else if (ts.isIdentifier(node.expression) && node.expression.text === "require") {
    into.specifiers.push({ text: first.text, node: first, use: "require" });
  }
}

function visitBinding(node: ts.BindingElement, into: Builder): void {
  if (!ts.isObjectBindingPattern(node.parent) || node.dotDotDotToken) return;
  const key = node.propertyName ?? node.name;
  if (ts.isIdentifier(key) || ts.isStringLiteralLike(key)) addMention(into, key.text, node);
  else if (ts.isComputedPropertyName(key)) {
    if (ts.isStringLiteralLike(key.expression)) addMention(into, key.expression.text, node);
    else into.computed.push(node);
  }
}

function visitVariables(list: ts.VariableDeclarationList, into: Builder): void {
  const flags = list.flags & ts.NodeFlags.BlockScoped;
  if (flags !== ts.NodeFlags.Using && flags !== ts.NodeFlags.AwaitUsing) return;
  for (const { initializer } of list.declarations) {
    if (!initializer) continue;
    into.implicit.push({ member: "dispose", expression: initializer });
    if (flags === ts.NodeFlags.AwaitUsing)
      into.implicit.push({ member: "asyncDispose", expression: initializer });
  }
}

function visitAnnotated(node: AnnotatedDeclaration, into: Builder): void {
  const type = node.type;
  if (!type) return;
  const keyword = type.kind >= ts.SyntaxKind.FirstKeyword && type.kind <= ts.SyntaxKind.LastKeyword;
  if (!keyword && !ts.isArrayTypeNode(type) && !ts.isLiteralTypeNode(type)) into.annotated.push(node);
}

function visitNode(node: ts.Node, into: Builder): void {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
    if (!isDeclarationName(node)) addMention(into, node.text, node);
  } else if (ts.isShorthandPropertyAssignment(node)) {
    addMention(into, node.name.text, node);
  } else if (ts.isPropertyAssignment(node)) {
    if (ts.isIdentifier(node.name) || ts.isStringLiteralLike(node.name)) {
      if (isDestructuringTarget(node.parent)) addMention(into, node.name.text, node);
    }
  } else if (ts.isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    if (ts.isStringLiteralLike(key)) addMention(into, key.text, key);
    else if (!ts.isNumericLiteral(key)) into.computed.push(node);
  } else if (ts.isBindingElement(node)) visitBinding(node, into);
  else if (ts.isImportDeclaration(node)) visitImport(node, into);
  else if (ts.isImportEqualsDeclaration(node)) {
    if (node.isTypeOnly) return;
    into.aliases.push(["export=", node.name.text]);
    if (ts.isExternalModuleReference(node.moduleReference)) {
      const { expression } = node.moduleReference;
      if (ts.isStringLiteralLike(expression))
        into.specifiers.push({ text: expression.text, node: expression, use: "import" });
    } else if (ts.isQualifiedName(node.moduleReference)) {
      into.aliases.push([node.moduleReference.right.text, node.name.text]);
    } else into.aliases.push([node.moduleReference.text, node.name.text]);
  } else if (ts.isExportDeclaration(node)) visitExport(node, into);
  else if (ts.isExportAssignment(node)) {
    if (ts.isIdentifier(node.expression)) {
      into.aliases.push([node.expression.text, node.isExportEquals ? "export=" : "default"]);
    }
  } else if (ts.isDecorator(node)) into.decorators.push(node);
  else if (ts.isCallExpression(node) || ts.isNewExpression(node)) visitCall(node, into);
  else if (ts.isWithStatement(node)) into.withStatements.push(node);
  else if (ts.isVariableDeclarationList(node)) visitVariables(node, into);
  else if (ts.isForOfStatement(node)) {
    into.implicit.push({ member: "iterator", expression: node.expression });
    if (node.awaitModifier) into.implicit.push({ member: "asyncIterator", expression: node.expression });
  } else if (ts.isSpreadElement(node))
    into.implicit.push({ member: "iterator", expression: node.expression });
  else if (ts.isYieldExpression(node) && node.asteriskToken && node.expression) {
    into.implicit.push({ member: "iterator", expression: node.expression });
    into.implicit.push({ member: "asyncIterator", expression: node.expression });
  }
  if (ts.isClassLike(node)) into.classes.push(node);
  if (
    ts.isParameter(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isVariableDeclaration(node)
  )
    visitAnnotated(node, into);
}

/** Whether an object literal stands left of an assignment, or in a pattern that does. */
export function isDestructuringTarget(node: ts.Node): boolean {
  let child = node;
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (ts.isBinaryExpression(parent)) {
      return parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.left === child;
    }
    if (ts.isForOfStatement(parent)) return parent.initializer === child;
    const goesOn =
      ts.isParenthesizedExpression(parent) ||
      ts.isArrayLiteralExpression(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      (ts.isPropertyAssignment(parent) && parent.initializer === child) ||
      ts.isSpreadElement(parent) ||
      ts.isSpreadAssignment(parent);
    if (!goesOn) return false;
  }
  return false;
}

function visitTypeMembers(node: ts.Node, into: Builder): void {
  // Interfaces and type literals hold no values, but their properties may have the type of an API function.
  if (ts.isPropertySignature(node)) visitAnnotated(node, into);
  ts.forEachChild(node, (child) => visitTypeMembers(child, into));
}

/** Walks a file once. */
export function indexFile(file: ts.SourceFile): FileIndex {
  const into: Builder = {
    mentions: new Map(),
    aliases: [],
    decorators: [],
    classes: [],
    computed: [],
    specifiers: [],
    calls: [],
    withStatements: [],
    annotated: [],
    implicit: [],
  };
  const visit = (node: ts.Node): void => {
    if (isTypeOnlyNode(node)) {
      // A decorator may stand, wrongly, on an interface or a type alias too.
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
        for (const modifier of node.modifiers ?? []) if (ts.isDecorator(modifier)) visit(modifier);
      }
      visitTypeMembers(node, into);
      return;
    }
    if (ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ImplementsKeyword) return;
    visitNode(node, into);
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isExportAssignment(node) && ts.isIdentifier(node.expression)) return;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return { file, ...into };
}
