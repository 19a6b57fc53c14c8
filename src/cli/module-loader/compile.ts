// One TypeScript file to JavaScript that this Node runs, in the project's decorator mode. Types are not judged here;
// the check did that. The inline source map makes stacks point at the TypeScript.
import { ts } from "ts-morph";

/** What a project says about how code runs, made runnable: everything about output files is dropped. */
function runnableOptions(project: ts.CompilerOptions): ts.CompilerOptions {
  const target = project.target ?? ts.ScriptTarget.ESNext;
  return {
    ...(project.experimentalDecorators === undefined
      ? {}
      : { experimentalDecorators: project.experimentalDecorators }),
    ...(project.emitDecoratorMetadata === undefined
      ? {}
      : { emitDecoratorMetadata: project.emitDecoratorMetadata }),
    ...(project.verbatimModuleSyntax === undefined
      ? {}
      : { verbatimModuleSyntax: project.verbatimModuleSyntax }),
    ...(project.jsx === undefined || project.jsx === ts.JsxEmit.Preserve ? {} : { jsx: project.jsx }),
    ...(project.jsxImportSource === undefined ? {} : { jsxImportSource: project.jsxImportSource }),
    ...(project.jsxFactory === undefined ? {} : { jsxFactory: project.jsxFactory }),
    ...(project.jsxFragmentFactory === undefined ? {} : { jsxFragmentFactory: project.jsxFragmentFactory }),
    // The project's own target decides how fields are defined; what is written is what this Node can run.
    useDefineForClassFields: project.useDefineForClassFields ?? target >= ts.ScriptTarget.ES2022,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    isolatedModules: true,
    esModuleInterop: true,
    inlineSourceMap: true,
    inlineSources: true,
  };
}

/**
 * Compiles one file.
 * @throws SyntaxError naming file, line and column when it cannot be parsed.
 */
export function compileModule(source: string, fileName: string, project: ts.CompilerOptions): string {
  const output = ts.transpileModule(source, {
    fileName,
    compilerOptions: runnableOptions(project),
    reportDiagnostics: true,
  });
  const [problem] = output.diagnostics ?? [];
  if (problem) {
    const at = problem.file?.getLineAndCharacterOfPosition(problem.start ?? 0);
    const place = at ? `:${at.line + 1}:${at.character + 1}` : "";
    throw new SyntaxError(
      `${fileName}${place}: ${ts.flattenDiagnosticMessageText(problem.messageText, " ")}`,
    );
  }
  return output.outputText;
}

/** A JSON file as a module: the value is the default export, and each of its members a named one. */
export function compileJson(source: string): string {
  const value: unknown = JSON.parse(source);
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const named = members
    // An export's name must be well-formed text; a lone surrogate stays reachable on the default export.
    .filter((name) => name !== "default" && !/\p{Surrogate}/u.test(name))
    .map(
      (name, index) =>
        `const member${index} = value[${JSON.stringify(name)}];\nexport { member${index} as ${JSON.stringify(name)} };\n`,
    );
  // JSON.parse, so that a member named __proto__ is a member here as well.
  return `const value = JSON.parse(${JSON.stringify(source)});\nexport default value;\n${named.join("")}`;
}

/** Where a specifier leads by the project's own rules (`paths`, `baseUrl`); undefined outside the project's files. */
export function resolveByProject(
  specifier: string,
  containingFile: string,
  project: ts.CompilerOptions,
): string | undefined {
  const { resolvedModule } = ts.resolveModuleName(specifier, containingFile, project, ts.sys);
  if (!resolvedModule || resolvedModule.isExternalLibraryImport) return undefined;
  const file = resolvedModule.resolvedFileName;
  return /\.d\.[cm]?ts$/.test(file) ? undefined : file;
}
