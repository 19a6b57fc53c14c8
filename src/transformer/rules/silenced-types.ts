// CU6031 for `@ts-ignore`, `@ts-expect-error` and `@ts-nocheck` where the handle stands: what the compiler was told
// not to look at is not proved.
import { ts } from "ts-morph";
import { createFinding, type Finding } from "../finding.js";
import type { RuleContext } from "./context.js";

const DIRECTIVE = /@ts-(ignore|expect-error|nocheck)\b/g;

/** The line that a directive at an offset covers: the next one that holds code. */
function coveredLine(file: ts.SourceFile, offset: number): number {
  const lines = file.text.split(/\r\n|\n|\r/);
  let line = ts.getLineAndCharacterOfPosition(file, offset).line + 1;
  while (line < lines.length && /^\s*(\/\/.*|\/?\*.*)?$/.test(lines[line] ?? "")) line++;
  return line;
}

/** The first use of the handle on a line, or in the whole file when no line is given. */
function findHandle(
  context: RuleContext,
  file: ts.SourceFile,
  line: number | undefined,
): ts.Node | undefined {
  const { api, checker } = context;
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return undefined;
    if (line !== undefined) {
      const first = ts.getLineAndCharacterOfPosition(file, node.getStart(file)).line;
      const last = ts.getLineAndCharacterOfPosition(file, node.getEnd()).line;
      if (line < first || line > last) return undefined;
    }
    const isOnLine =
      line === undefined || ts.getLineAndCharacterOfPosition(file, node.getStart(file)).line === line;
    if (ts.isIdentifier(node) && isOnLine) {
      const type = checker.getTypeAtLocation(node);
      const symbol = checker.getSymbolAtLocation(node);
      if (api.isHandleType(type) || (symbol && api.functionOf(symbol) !== undefined)) return node;
    }
    return ts.forEachChild(node, visit);
  };
  return ts.forEachChild(file, visit);
}

/** The findings about silenced lines. */
export function findSilencedTypes(context: RuleContext): Finding[] {
  const found: Finding[] = [];
  for (const { file } of context.index.files) {
    for (const match of file.text.matchAll(DIRECTIVE)) {
      const isComment = /\/\/|\/\*|^\s*\*/.test(
        file.text.slice(file.text.lastIndexOf("\n", match.index) + 1, match.index),
      );
      if (!isComment) continue;
      const node = findHandle(
        context,
        file,
        match[1] === "nocheck" ? undefined : coveredLine(file, match.index),
      );
      if (!node) continue;
      const symbol = context.checker.getSymbolAtLocation(node);
      const name = (symbol && context.api.functionOf(symbol)) ?? "*";
      const reason = `${match[0]} keeps the compiler from looking at the handle here`;
      const advice = "correct the types and delete the comment";
      found.push(createFinding("CU6031", { function: name, reason, advice }, node));
    }
  }
  return found;
}
