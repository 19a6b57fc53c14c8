// Values that the host gives: globals of Node and the web, and what Node's built-in modules export. A project without
// their types knows nothing about them, and needs to know nothing: they are not the handle, and every flow of the
// handle out of its own types is a finding of its own. So a member of such a value is no more than one of `any`.
import { isBuiltin } from "node:module";
import { ts } from "ts-morph";

const HOST_GLOBALS: ReadonlySet<string> = new Set([
  "AbortController",
  "AbortSignal",
  "Blob",
  "BroadcastChannel",
  "Buffer",
  "CompressionStream",
  "DecompressionStream",
  "Event",
  "EventTarget",
  "File",
  "FormData",
  "Headers",
  "MessageChannel",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "TransformStream",
  "URL",
  "URLSearchParams",
  "WebSocket",
  "WritableStream",
  "atob",
  "btoa",
  "console",
  "crypto",
  "fetch",
  "navigator",
  "performance",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "structuredClone",
]);

/** The only members of `process` that count: others, such as `getBuiltinModule`, load code. */
const PROCESS_MEMBERS: ReadonlySet<string> = new Set(["stdin", "stdout", "stderr"]);
/** Built-in modules that load or make code, and so may give anything. */
const LOADING_MODULES: ReadonlySet<string> = new Set(["module", "vm"]);

/** How far the constants between a value and where it comes from are followed. */
const STEPS_MAX = 8;

function isBuiltinName(node: ts.Node | undefined): boolean {
  if (node === undefined || !ts.isStringLiteralLike(node) || !isBuiltin(node.text)) return false;
  return !LOADING_MODULES.has(node.text.replace(/^node:/, ""));
}

/** `import("node:fs")`, `require("fs")`. */
function isBuiltinLoad(call: ts.CallExpression): boolean {
  const { expression } = call;
  const isLoad =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === "require");
  return isLoad && isBuiltinName(call.arguments[0]);
}

/** `process.stdout`, of a `process` that nobody declares. */
function isProcessStream(node: ts.Node, checker: ts.TypeChecker): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    PROCESS_MEMBERS.has(node.name.text) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === "process" &&
    !checker.getSymbolAtLocation(node.expression)?.declarations
  );
}

/** The expression that one step of member access, call or wrapping was made on. */
function stepDown(node: ts.Expression): ts.Expression | undefined {
  if (ts.isTaggedTemplateExpression(node)) return node.tag;
  const isStep =
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node);
  return isStep ? node.expression : undefined;
}

function isImportOfBuiltin(declaration: ts.Declaration): boolean {
  const from = ts.findAncestor(declaration, ts.isImportDeclaration);
  return isBuiltinName(from?.moduleSpecifier);
}

/** What a constant was set to, patterns included. */
function initialiserOf(declaration: ts.Declaration): ts.Expression | undefined {
  let outer: ts.Node = declaration;
  while (ts.isBindingElement(outer) || ts.isBindingName(outer)) outer = outer.parent;
  if (!ts.isVariableDeclaration(outer)) return undefined;
  return ts.getCombinedNodeFlags(outer) & ts.NodeFlags.Const ? outer.initializer : undefined;
}

/** Whether the value comes from the host and nothing else. */
export function isHostValue(value: ts.Expression, checker: ts.TypeChecker, steps = STEPS_MAX): boolean {
  let root = value;
  for (let next: ts.Expression | undefined = root; next; next = stepDown(root)) {
    root = next;
    if (ts.isCallExpression(root) && isBuiltinLoad(root)) return true;
    if (isProcessStream(root, checker)) return true;
  }
  if (!ts.isIdentifier(root)) return false;
  const declarations = checker.getSymbolAtLocation(root)?.declarations ?? [];
  if (declarations.length === 0) return HOST_GLOBALS.has(root.text);
  return declarations.every((declaration) => {
    if (isImportOfBuiltin(declaration)) return true;
    const initialiser = initialiserOf(declaration);
    return initialiser !== undefined && steps > 0 && isHostValue(initialiser, checker, steps - 1);
  });
}

/** The value that a member is taken of, by a dot or by a pattern. */
export function valueOfMember(
  mention: ts.Node,
  receiver: ts.Expression | undefined,
): ts.Expression | undefined {
  return receiver ?? (ts.isBindingElement(mention) ? initialiserOf(mention) : undefined);
}
