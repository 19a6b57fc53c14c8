// Declaration files of packages that know nothing of the run API: their interfaces and classes can hold the handle
// only through a type argument. One package that mentions the API is enough to look into all of them.
import type { ts } from "ts-morph";
import { PACKAGE_NAME } from "./api.js";
import type { PackageLookup } from "./packages.js";

/** Whether a file's types need not be looked into. */
export function unrelatedFiles(
  program: ts.Program,
  packages: PackageLookup,
): (file: ts.SourceFile) => boolean {
  const external = program
    .getSourceFiles()
    .filter((file) => file.isDeclarationFile && file.fileName.includes("/node_modules/"))
    .filter((file) => packages.packageOf(file.fileName)?.name !== PACKAGE_NAME);
  if (external.some((file) => file.text.includes(PACKAGE_NAME))) return () => false;
  const unrelated = new Set(external);
  return (file) => unrelated.has(file);
}
