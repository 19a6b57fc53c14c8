import { MessageChannel } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import {
  type CompilerAnswer,
  type CompilerQuestion,
  serveCompiler,
} from "../../../src/cli/module-loader/compiler-port.js";

function ask(question: CompilerQuestion, checked: ReadonlyMap<string, string>): Promise<CompilerAnswer> {
  const { port1, port2 } = new MessageChannel();
  serveCompiler(port1, {}, checked);
  onTestFinished(() => port1.close());
  return new Promise((resolve) => {
    port2.once("message", resolve);
    port2.postMessage(question);
  });
}

const question = {
  id: 7,
  kind: "compile",
  path: "/p/a.ts",
  text: "\ufeffexport const x: number = 1;",
} as const;

it("compiles a file that is what was checked, or that was not checked", async () => {
  for (const checked of [
    new Map([["/p/a.ts", "export const x: number = 1;"]]),
    new Map([["/p/b.ts", "other"]]),
    new Map<string, string>(),
  ]) {
    const answer = await ask(question, checked);
    expect(answer).toMatchObject({ id: 7, text: expect.stringContaining("export const x = 1;") });
  }
});

it("does not compile a file that was changed after it was checked", async () => {
  const answer = await ask(question, new Map([["/p/a.ts", "export const x: number = 2;"]]));
  expect(answer.text).toBeUndefined();
  expect(answer.problem).toMatch(/^\/p\/a\.ts was changed after it was checked/);
});

it("confirms JavaScript that is what was checked, and only that", async () => {
  const script = { ...question, kind: "confirm", path: "/p/a.js" } as const;
  expect((await ask(script, new Map([["/p/a.js", question.text]]))).problem).toBeUndefined();
  expect((await ask(script, new Map([["/p/a.js", "other"]]))).problem).toMatch(/changed/);
});

it("answers with the problem when a file cannot be parsed", async () => {
  const answer = await ask({ ...question, text: "const = 1" }, new Map());
  expect(answer.problem).toMatch(/^\/p\/a\.ts:1:7: /);
});
