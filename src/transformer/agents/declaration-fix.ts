// Text edits that clear a finding about a declaration, where one edit surely does.
import { ts } from "ts-morph";
import type { DeclarationProblem } from "../../contract/declaration.js";
import type { Fix } from "../../contract/report.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import type { ObjectMember, UnknownValue } from "../evaluate/value.js";
import type { Places } from "../place.js";
import type { Application } from "./discover.js";

const NARROWEST = '"computer.screen"';

function edit(places: Places, node: ts.Node, start: number, end: number, newText: string) {
  return { file: places.fileName(node.getSourceFile()), start, end, newText };
}

function replace(places: Places, node: ts.Node, newText: string, description: string): Fix {
  return { description, edits: [edit(places, node, node.getStart(), node.getEnd(), newText)] };
}

function insertCap(application: Application, places: Places): Fix | undefined {
  const expression = ts.isDecorator(application.site) ? application.site.expression : application.site;
  const description = `declare cap: ${NARROWEST}`;
  if (!ts.isCallExpression(expression)) {
    if (!ts.isDecorator(application.site)) return undefined;
    const end = expression.getEnd();
    return { description, edits: [edit(places, expression, end, end, `({ cap: ${NARROWEST} })`)] };
  }
  const [argument] = expression.arguments;
  if (!argument) {
    const at = expression.getEnd() - 1;
    return { description, edits: [edit(places, expression, at, at, `{ cap: ${NARROWEST} }`)] };
  }
  if (!ts.isObjectLiteralExpression(argument)) return undefined;
  const at = argument.getStart() + 1;
  const text = argument.properties.length === 0 ? ` cap: ${NARROWEST} ` : ` cap: ${NARROWEST},`;
  return { description, edits: [edit(places, argument, at, at, text)] };
}

/** The literal text of a node, or undefined when it is no plain string literal. */
function literalAt(node: ts.Node | undefined): ts.StringLiteralLike | undefined {
  return node && ts.isStringLiteralLike(node) ? node : undefined;
}

function capFix(
  problem: DeclarationProblem,
  member: ObjectMember | undefined,
  places: Places,
): Fix | undefined {
  const literal = literalAt(member?.valueSite);
  if (!literal || problem.suggestion === undefined) return undefined;
  const words = literal.text.split("+").map((word) => word.trim());
  const wrong = words.findIndex((word) => problem.reason.includes(JSON.stringify(word)));
  if (wrong < 0) return undefined;
  words[wrong] = problem.suggestion;
  return replace(places, literal, JSON.stringify(words.join(" + ")), `write ${problem.suggestion}`);
}

/** The edit that clears a problem of the options, or undefined. */
export function declarationFix(
  problem: DeclarationProblem,
  application: Application,
  member: ObjectMember | undefined,
  places: Places,
): Fix | undefined {
  switch (problem.code) {
    case "CU6017": {
      if (!member) return insertCap(application, places);
      const literal = literalAt(member.valueSite);
      return literal && replace(places, literal, NARROWEST, `declare cap: ${NARROWEST}`);
    }
    case "CU6018":
      return capFix(problem, member, places);
    case "CU6022": {
      const key = member?.keySite;
      if (!key || problem.suggestion === undefined) return undefined;
      if (!ts.isIdentifier(key) && !ts.isStringLiteralLike(key)) return undefined;
      if (ts.isShorthandPropertyAssignment(key.parent)) return undefined;
      return replace(places, key, problem.suggestion, `write ${problem.suggestion}`);
    }
    default:
      return undefined;
  }
}

/** `let` to `const`, for a variable that nothing writes to. */
export function mutableFix(
  origin: UnknownValue,
  evaluator: Evaluator,
  checker: ts.TypeChecker,
  places: Places,
): Fix | undefined {
  const { node } = origin;
  if (origin.reason !== "mutable" || !ts.isVariableDeclaration(node) || !node.initializer) return undefined;
  const list = node.parent;
  if (!ts.isVariableDeclarationList(list) || list.declarations.length !== 1 || !ts.isIdentifier(node.name)) {
    return undefined;
  }
  const symbol = checker.getSymbolAtLocation(node.name);
  if (!symbol || evaluator.findWrite(symbol)) return undefined;
  const start = list.getStart();
  const keyword = list.flags & ts.NodeFlags.Let ? "let" : "var";
  return {
    description: `make ${node.name.text} a const`,
    edits: [edit(places, list, start, start + keyword.length, "const")],
  };
}

/** Adds words to a `cap` that is a literal. */
export function addWordsFix(
  capSite: ts.Node | undefined,
  words: readonly string[],
  places: Places,
): Fix | undefined {
  const literal = literalAt(capSite);
  if (!literal) return undefined;
  const all = words.join(" + ");
  const at = literal.getEnd() - 1;
  return { description: `add ${all} to cap`, edits: [edit(places, literal, at, at, ` + ${all}`)] };
}

/** Takes the word at an index of a literal `cap` away. */
export function dropWordFix(
  capSite: ts.Node | undefined,
  word: string,
  occurrence: number,
  places: Places,
): Fix | undefined {
  const literal = literalAt(capSite);
  if (!literal) return undefined;
  const words = literal.text.split("+").map((part) => part.trim());
  const places_ = words.flatMap((part, index) => (part === word ? [index] : []));
  const index = places_[occurrence];
  if (index === undefined || words.length === 1) return undefined;
  words.splice(index, 1);
  return replace(places, literal, JSON.stringify(words.join(" + ")), `drop ${word} from cap`);
}
