// One page of the reference: every export of an entry with its comment and its signature. The same declarations give
// the same bytes.
import { type JSDoc, Node, type TypeAliasDeclaration, ts } from "ts-morph";
import { type EntryDeclarations, type Exported, statementOf } from "./declarations.js";

const KINDS = ["Functions", "Classes", "Values", "Types"] as const;
type Kind = (typeof KINDS)[number];

function kindOf(exported: readonly Exported[]): Kind {
  const nodes = exported.filter(({ typeOnly }) => !typeOnly).map(({ shown }) => shown);
  if (nodes.some(Node.isFunctionDeclaration)) return "Functions";
  if (nodes.some(Node.isClassDeclaration)) return "Classes";
  return nodes.some(Node.isVariableDeclaration) ? "Values" : "Types";
}

function docsOf(exported: readonly Exported[]): JSDoc[] {
  return exported.flatMap(({ shown }) => {
    const statement = statementOf(shown);
    return Node.isJSDocable(statement) ? statement.getJsDocs() : [];
  });
}

/** Lines that belong together as one; a blank line parts paragraphs, a list keeps its lines. */
function paragraphs(text: string): string {
  return text
    .replace(/\{@link ([^}]+)\}/g, "`$1`")
    .trim()
    .split(/\n\s*\n/)
    .map((part) => part.trim().replace(/\n(?!\s*[-*|] )\s*/g, " "))
    .join("\n\n");
}

/** What is said of an export, without its tags; empty for one of which nothing is said. */
export function summaryOf(nodes: readonly Exported[]): string {
  return paragraphs(
    docsOf(nodes)
      .map((doc) => doc.getDescription())
      .join("\n\n"),
  );
}

function throwsOf(nodes: readonly Exported[]): string[] {
  return docsOf(nodes)
    .flatMap((doc) => doc.getTags())
    .filter((tag) => tag.getTagName() === "throws")
    .map(
      (tag) =>
        `Throws ${paragraphs(
          tag
            .getText()
            .replace(/^@throws\s*/, "")
            .replace(/^\s*\*\s?/gm, ""),
        )}`,
    );
}

const WHOLE_TYPE =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals |
  ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope |
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/** A type that is made of a schema or of a table is written out: those are no part of what users see. */
function isInferred(node: Node): node is TypeAliasDeclaration {
  return (
    Node.isTypeAliasDeclaration(node) &&
    /\bz\.(?:infer|input|output)\b|\bkeyof typeof\b/.test(node.getTypeNode()?.getText() ?? "")
  );
}

/** Literals in the order of the alphabet: the compiler's own order follows what else it happens to read first. */
function sorted(line: string): string {
  return line.replace(/"[^"]*"(?: \| "[^"]*")+/g, (union) => union.split(" | ").sort().join(" | "));
}

/** A long union with a line for each of its members. */
function wrapped(line: string): string {
  if (line.length <= 110 || !line.includes(" | ")) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  return line.replaceAll(" | ", `\n${indent}    | `);
}

/** The whole type, as the compiler would write it. */
function writtenOut(node: TypeAliasDeclaration): string {
  const checker = node.getProject().getTypeChecker().compilerObject;
  const written = checker.typeToTypeNode(node.getType().compilerType, node.compilerNode, WHOLE_TYPE);
  if (!written) throw new Error(`the type ${node.getName()} cannot be written`);
  const file = node.getSourceFile().compilerNode;
  const text = ts.createPrinter().printNode(ts.EmitHint.Unspecified, written, file);
  return `type ${node.getName()} = ${text.replaceAll("'", '"')};`
    .split("\n")
    .map(sorted)
    .map(wrapped)
    .join("\n");
}

function memberText(node: Node): string {
  const comments = Node.isJSDocable(node) ? node.getJsDocs().map((doc) => doc.getText()) : [];
  return [...comments, node.getText()].join("\n");
}

/** Whether users may know of a member of a class: it is not private, and not named by a symbol of our own. */
function isSeen(node: Node): boolean {
  if (Node.isModifierable(node) && node.hasModifier(ts.SyntaxKind.PrivateKeyword)) return false;
  const name = Node.hasName(node) ? node.getName() : "";
  return !name.startsWith("#") && (!name.startsWith("[") || name.startsWith("[Symbol."));
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line.replace(/^\s*(\*)/, " $1").trimEnd()}`.replace(/^ {4} {4}/, "    "))
    .join("\n");
}

function signatureOf({ shown: node, source }: Exported): string {
  if (isInferred(source)) return writtenOut(source);
  if (Node.isClassDeclaration(node)) {
    const head = node.getText().slice(0, node.getText().indexOf("{")).trim();
    const members = node
      .getMembers()
      .filter(isSeen)
      .map((member) => indented(memberText(member)));
    return [`${head} {`, ...members, "}"].join("\n");
  }
  return statementOf(node).getText();
}

function clean(text: string): string {
  return text.replace(/^(?:export )?(?:declare )?(?=const|function|class|abstract|interface|type)/, "");
}

function section(name: string, nodes: readonly Exported[]): string {
  const code = [...new Set(nodes.map((node) => clean(signatureOf(node))))].join("\n");
  const isClosed = nodes.some(({ shown, typeOnly }) => typeOnly && Node.isClassDeclaration(shown));
  const note = isClosed ? "Exported as a type: it is handed out, not made." : "";
  const said = [summaryOf(nodes), note, ...throwsOf(nodes)].filter((part) => part !== "");
  return [`### ${name}`, ...said, `\`\`\`ts\n${code}\n\`\`\``].join("\n\n");
}

function byName(a: string, b: string): number {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x !== y) return x < y ? -1 : 1;
  return a < b ? -1 : 1;
}

/** The anchor of each heading in turn, as GitHub makes them: two of one spelling are numbered. */
function anchors(headings: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const base = heading.toLowerCase();
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  });
}

/** The page of an entry. */
export function pageOf({ specifier, about, exports }: EntryDeclarations): string {
  const names = [...exports.keys()].sort(byName);
  const groups = KINDS.map((kind) => ({
    kind,
    members: names.filter((name) => kindOf(exports.get(name) ?? []) === kind),
  })).filter(({ members }) => members.length > 0);
  const headings = groups.flatMap(({ kind, members }) => [kind, ...members]);
  const links = anchors(headings);
  const contents = groups.map(({ kind, members }) => {
    const linked = members.map((name) => `[${name}](#${links[headings.indexOf(name)]})`);
    return `- ${kind}: ${linked.join(", ")}`;
  });
  const parts = groups.flatMap(({ kind, members }) => [
    `## ${kind}`,
    ...members.map((name) => section(name, exports.get(name) ?? [])),
  ]);
  const head = [
    `# ${specifier}`,
    "<!-- Written by `npm run docs:api` from the types; change the comments in the sources. -->",
    about,
    contents.join("\n"),
  ];
  return `${[...head, ...parts].join("\n\n")}\n`;
}

/** The exports of which nothing is said. */
export function undocumented({ exports }: EntryDeclarations): string[] {
  return [...exports].filter(([, nodes]) => summaryOf(nodes) === "").map(([name]) => name);
}
