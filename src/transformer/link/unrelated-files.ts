// Declaration files of packages that know nothing of the run API: their interfaces and classes can hold the handle
// only through a type argument. One package that mentions the API, or leads to a file of anyone but a package, is
// enough to look into all of them. What counts is where a specifier leads, not how it is spelled.
import type { ts } from "ts-morph";
import { importsOf, moduleAt, PACKAGE_NAME } from "./api.js";
import type { PackageLookup } from "./packages.js";

/** Whether a file's types need not be looked into. */
export function unrelatedFiles(
  program: ts.Program,
  checker: ts.TypeChecker,
  packages: PackageLookup,
): (file: ts.SourceFile) => boolean {
  const external = program
    .getSourceFiles()
    .filter((file) => file.isDeclarationFile && file.fileName.includes("/node_modules/"))
    .filter((file) => packages.packageOf(file.fileName)?.name !== PACKAGE_NAME);
  const unrelated = new Set(external);
  const leadsElsewhere = (specifier: ts.StringLiteralLike) =>
    moduleAt(checker, specifier)?.declarations?.some((each) => !unrelated.has(each.getSourceFile())) ?? false;
  const isRelated = (file: ts.SourceFile) =>
    file.text.includes(PACKAGE_NAME) || importsOf(file).some(leadsElsewhere);
  return external.some(isRelated) ? () => false : (file) => unrelated.has(file);
}
