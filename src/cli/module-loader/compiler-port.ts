// The main thread's side of the module hooks: compiles and resolves for them. Loaded before the hooks are turned
// on, since what it imports would otherwise wait for itself.
import type { MessagePort } from "node:worker_threads";
import type { ts } from "ts-morph";
import { compileJson, compileModule, resolveByProject } from "./compile.js";

export type CompilerQuestion =
  | {
      readonly id: number;
      readonly kind: "compile" | "json" | "confirm";
      readonly path: string;
      readonly text: string;
    }
  | { readonly id: number; readonly kind: "resolve"; readonly specifier: string; readonly parent: string };

export interface CompilerAnswer {
  readonly id: number;
  readonly text?: string | undefined;
  readonly problem?: string;
}

/** Texts that were checked, by absolute path; what runs must be what was checked. */
export type CheckedTexts = ReadonlyMap<string, string>;

function requireUnchanged(path: string, text: string, checked: CheckedTexts): void {
  const before = checked.get(path);
  if (before === undefined || before.replace(/^\uFEFF/, "") === text.replace(/^\uFEFF/, "")) return;
  throw new Error(`${path} was changed after it was checked; start the run again`);
}

function answer(
  question: CompilerQuestion,
  options: ts.CompilerOptions,
  checked: CheckedTexts,
): string | undefined {
  switch (question.kind) {
    case "compile":
      requireUnchanged(question.path, question.text, checked);
      return compileModule(question.text, question.path, options);
    case "confirm":
      requireUnchanged(question.path, question.text, checked);
      return undefined;
    case "json":
      return compileJson(question.text);
    case "resolve":
      return resolveByProject(question.specifier, question.parent, options);
  }
}

/** Answers the hooks' questions for as long as the process lives. */
export function serveCompiler(port: MessagePort, options: ts.CompilerOptions, checked: CheckedTexts): void {
  port.on("message", (question: CompilerQuestion) => {
    const { id } = question;
    let reply: CompilerAnswer;
    try {
      reply = { id, text: answer(question, options, checked) };
    } catch (error) {
      reply = { id, problem: error instanceof Error ? error.message : String(error) };
    }
    port.postMessage(reply);
  });
}
