// The places where code says that text from a screen or a model may be trusted: calls of `trust` on the package's
// own `Tainted`. They are no findings; the report lists them for the reviewer.
import { ts } from "ts-morph";
import { escapeText } from "../../base/escape.js";
import type { Endorsement } from "../../contract/report.js";
import type { Agent } from "../agents/agents.js";
import type { Places } from "../place.js";
import type { ProgramIndex } from "../summarise/program-index.js";
import type { DeclaredPackages } from "./packages.js";

function enclosingAgent(node: ts.Node, byClass: ReadonlyMap<ts.Node, Agent>): Agent | undefined {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    const agent = byClass.get(at);
    if (agent) return agent;
  }
  return undefined;
}

function reasonOf(call: ts.CallExpression): string {
  const [reason] = call.arguments;
  if (!reason) return "";
  return escapeText(ts.isStringLiteralLike(reason) ? reason.text : reason.getText());
}

/** Every endorsement of the checked files. */
export function findEndorsements(
  checker: ts.TypeChecker,
  index: ProgramIndex,
  byClass: ReadonlyMap<ts.Node, Agent>,
  declared: DeclaredPackages,
  places: Places,
): Endorsement[] {
  const found: Endorsement[] = [];
  for (const mention of index.mentionsOf("trust")) {
    const access = mention.parent;
    if (!ts.isPropertyAccessExpression(access) || !ts.isCallExpression(access.parent)) continue;
    const declarations = checker.getSymbolAtLocation(mention)?.declarations ?? [];
    if (!declarations.some((declaration) => declared.isOwn(declaration))) continue;
    const { file, line, column } = places.site(access, "");
    const agent = enclosingAgent(access, byClass);
    found.push({
      file,
      line,
      column,
      ...(agent ? { agent: agent.id } : {}),
      reason: reasonOf(access.parent),
    });
  }
  return found;
}
