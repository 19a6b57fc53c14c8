// Uses of what a file imports from a path at which there is no file: what they lead to is not known.
import { ts } from "ts-morph";
import { describeValue } from "../../base/escape.js";
import { accessOf } from "../link/mention.js";
import type { UnresolvedLeaf } from "../reach/leaf.js";
import type { FileIndex } from "../summarise/file-index.js";
import type { ProgramIndex } from "../summarise/program-index.js";

function importedNames(clause: ts.ImportClause | undefined): readonly string[] {
  if (!clause) return [];
  const { name, namedBindings } = clause;
  const own = name ? [name.text] : [];
  if (!namedBindings) return own;
  if (ts.isNamespaceImport(namedBindings)) return [...own, namedBindings.name.text];
  return [...own, ...namedBindings.elements.filter((each) => !each.isTypeOnly).map((each) => each.name.text)];
}

function leavesOf(file: FileIndex, checker: ts.TypeChecker): UnresolvedLeaf[] {
  return file.specifiers.flatMap(({ text, node, use }) => {
    if (use !== "import" || !/^\.{1,2}\//.test(text) || checker.getSymbolAtLocation(node)) return [];
    const { parent } = node;
    const names = ts.isImportDeclaration(parent) ? importedNames(parent.importClause) : [];
    const reason = `there is no file ${describeValue(text)}, so that what it does is not known`;
    return names.flatMap((name) =>
      (file.mentions.get(name) ?? [])
        .filter((mention) => ts.isIdentifier(mention) && accessOf(mention) === mention)
        .map((place): UnresolvedLeaf => ({ kind: "unresolved", reason, place })),
    );
  });
}

/** The leaves of all files. */
export function findUnresolvedImports(checker: ts.TypeChecker, index: ProgramIndex): UnresolvedLeaf[] {
  return index.files.flatMap((file) => leavesOf(file, checker));
}
