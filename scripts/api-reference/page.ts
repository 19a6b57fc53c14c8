// One page of the reference: every export of an entry with its comment and its signature. The same declarations give
// the same bytes.
import { type JSDoc, Node, ts } from "ts-morph";
import { type EntryDeclarations, statementOf } from "./declarations.js";

const KINDS = ["Functions", "Classes", "Values", "Types"] as const;
type Kind = (typeof KINDS)[number];

function kindOf(nodes: readonly Node[]): Kind {
  if (nodes.some(Node.isFunctionDeclaration)) return "Functions";
  if (nodes.some(Node.isClassDeclaration)) return "Classes";
  return nodes.some(Node.isVariableDeclaration) ? "Values" : "Types";
}

function docsOf(nodes: readonly Node[]): JSDoc[] {
  return nodes.flatMap((node) => {
    const statement = statementOf(node);
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
export function summaryOf(nodes: readonly Node[]): string {
  return paragraphs(
    docsOf(nodes)
      .map((doc) => doc.getDescription())
      .join("\n\n"),
  );
}

function throwsOf(nodes: readonly Node[]): string[] {
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
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.InTypeAlias |
  ts.TypeFormatFlags.MultilineObjectLiterals |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteArrayAsGenericType;

/** A type that is inferred from a schema is written out: the schema is no part of what users see. */
function isInferred(node: Node): boolean {
  return Node.isTypeAliasDeclaration(node) && /\bz\.(?:infer|input|output)\b/.test(node.getText());
}

function withoutImports(text: string): string {
  return text.replace(/import\("[^"]*"\)\./g, "");
}

function memberText(node: Node): string {
  const comments = Node.isJSDocable(node) ? node.getJsDocs().map((doc) => doc.getText()) : [];
  return [...comments, node.getText()].join("\n");
}

/** Whether a member of a class may be seen: no private one, and not what only the compiler wrote. */
function isSeen(node: Node): boolean {
  if (Node.isModifierable(node) && node.hasModifier(ts.SyntaxKind.PrivateKeyword)) return false;
  return !(Node.isPropertyDeclaration(node) && node.getName().startsWith("#"));
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line.replace(/^\s*(\*)/, " $1").trimEnd()}`.replace(/^ {4} {4}/, "    "))
    .join("\n");
}

function signatureOf(node: Node): string {
  if (Node.isTypeAliasDeclaration(node) && isInferred(node)) {
    return `type ${node.getName()} = ${withoutImports(node.getType().getText(node, WHOLE_TYPE))};`;
  }
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
  return withoutImports(text).replace(
    /^(?:export )?(?:declare )?(?=const|function|class|abstract|interface|type)/,
    "",
  );
}

function section(name: string, nodes: readonly Node[]): string {
  const code = [...new Set(nodes.map((node) => clean(signatureOf(node))))].join("\n");
  const said = [summaryOf(nodes), ...throwsOf(nodes)].filter((part) => part !== "");
  return [`### ${name}`, ...said, `\`\`\`ts\n${code}\n\`\`\``].join("\n\n");
}

function byName(a: string, b: string): number {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x !== y) return x < y ? -1 : 1;
  return a < b ? -1 : 1;
}

/** The page of an entry. */
export function pageOf({ specifier, about, exports }: EntryDeclarations): string {
  const names = [...exports.keys()].sort(byName);
  const parts = KINDS.flatMap((kind) => {
    const members = names.filter((name) => kindOf(exports.get(name) ?? []) === kind);
    if (members.length === 0) return [];
    return [`## ${kind}`, ...members.map((name) => section(name, exports.get(name) ?? []))];
  });
  const head = [
    `# ${specifier}`,
    "<!-- Written by `npm run docs:api` from the types; change the comments in the sources. -->",
    about,
    names.map((name) => `[${name}](#${name.toLowerCase()})`).join(" · "),
  ];
  return `${[...head, ...parts].join("\n\n")}\n`;
}

/** The exports of which nothing is said. */
export function undocumented({ exports }: EntryDeclarations): string[] {
  return [...exports].filter(([, nodes]) => summaryOf(nodes) === "").map(([name]) => name);
}
