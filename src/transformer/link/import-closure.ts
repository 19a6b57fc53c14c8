// Which files a file imports, near or far: by import, re-export, require and literal `import()`.
import { ts } from "ts-morph";
import type { ProgramIndex } from "../summarise/program-index.js";
import { moduleAt } from "./api.js";

/** Answers by file, each file's own imports resolved once. */
export class ImportClosures {
  readonly #checker: ts.TypeChecker;
  readonly #index: ProgramIndex;
  readonly #direct = new Map<ts.SourceFile, readonly ts.SourceFile[]>();
  readonly #closures = new Map<ts.SourceFile, ReadonlySet<ts.SourceFile>>();

  constructor(checker: ts.TypeChecker, index: ProgramIndex) {
    this.#checker = checker;
    this.#index = index;
  }

  /** The files that one file asks for itself. */
  directOf(file: ts.SourceFile): readonly ts.SourceFile[] {
    const known = this.#direct.get(file);
    if (known) return known;
    const specifiers = this.#index.byFile.get(file)?.specifiers ?? [];
    const found = specifiers.flatMap((specifier) => {
      const module =
        moduleAt(this.#checker, specifier.node) ?? this.#checker.getSymbolAtLocation(specifier.node);
      return (module?.declarations ?? []).filter(ts.isSourceFile);
    });
    this.#direct.set(file, found);
    return found;
  }

  /** The file itself and all that it imports. */
  of(file: ts.SourceFile): ReadonlySet<ts.SourceFile> {
    const known = this.#closures.get(file);
    if (known) return known;
    const closure = new Set([file]);
    for (const each of closure) for (const next of this.directOf(each)) closure.add(next);
    this.#closures.set(file, closure);
    return closure;
  }
}
