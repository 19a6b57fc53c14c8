// What the compiler says of `cap`: a wrong literal is an error that lists the words, whatever cannot be known passes.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CAPABILITY_WORD_LIST } from "../../src/contract/capability.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

const GOOD = [
  `@computerUse({ cap: "computer.screen" }) export class A1 {}`,
  `@computerUse({ cap: " computer.screen  +\\n computer.input.pointer " }) export class A2 {}`,
  `@computerUse({ cap: \`computer.input\` }) export class A3 {}`,
  `const CAP = "computer.screen + computer.spawn"; @computerUse({ cap: CAP }) export class A4 {}`,
  `declare const text: string; @computerUse({ cap: text }) export class A5 {}`,
  `declare const word: string; @computerUse({ cap: \`computer.screen + $\{word}\` as const }) export class A6 {}`,
  `export const A7 = computerUse({ cap: "computer.screen", width: 5 })(class Inner { run(goal: string) { return goal; } });`,
  `@computerUse({ cap: "computer.screen" }) export class A8 { readonly #a: number; constructor(a: number, protected_: string) { this.#a = a + protected_.length; } c() { return this.#a; } }`,
  `@computerUse({ cap: "computer.screen" }) export class A9<T> { value?: T; }`,
  `const options = { cap: "computer.screen", width: 1 } as const; @computerUse(options) export class B1 {}`,
];

/** Sources with an error, and what its text must hold. */
const BAD: readonly (readonly [source: string, holds: readonly string[]])[] = [
  [
    `@computerUse({ cap: "computer.inptu" }) export class A {}`,
    CAPABILITY_WORD_LIST.map((word) => `"${word}"`),
  ],
  [
    `@computerUse({ cap: "computer.screen + computer.inptu" }) export class A {}`,
    ['"computer.screen + computer.input"', '"computer.screen + computer.spawn"'],
  ],
  [`@computerUse({ cap: "" }) export class A {}`, ['"computer.screen"']],
  [`@computerUse({ cap: "computer.screen +" }) export class A {}`, ['"computer.screen + computer.input"']],
  [`@computerUse({ cap: "computer" }) export class A {}`, ['"computer.screen"']],
  [`@computerUse({ cap: ["computer.screen"] }) export class A {}`, ["string"]],
  [`@computerUse({ width: 5 }) export class A {}`, ["cap"]],
  [`@computerUse({ cap: "computer.screen", widht: 5 }) export class A {}`, ["widht"]],
  [`@computerUse({ cap: "computer.screen", width: "5" }) export class A {}`, ["number"]],
  [`@computerUse({ cap: "computer.screen", onViolation: "never" }) export class A {}`, ["refuse"]],
  [`@computerUse({ cap: "computer.screen" }) export function a() {}`, ["Decorators are not valid here"]],
  [`export class A { @computerUse({ cap: "computer.screen" }) run() {} }`, ["decorator"]],
];

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(root, "test/decorators/compile-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Compiles one file for each source in a decorator mode; the compiler's text by file name. */
async function compile(sources: readonly string[], legacy: boolean): Promise<ReadonlyMap<string, string>> {
  const name = (index: number) => `${legacy ? "legacy" : "standard"}-${index}.ts`;
  const imports = `import { computerUse } from "../../../src/decorators/index.js";\n`;
  await Promise.all(
    sources.map((source, index) => writeFile(join(folder, name(index)), `${imports}${source}\n`)),
  );
  const config = join(folder, "tsconfig.json");
  const compilerOptions = { experimentalDecorators: legacy, noEmit: true, noUnusedLocals: false };
  const files = sources.map((_, index) => name(index));
  await writeFile(
    config,
    JSON.stringify({ extends: "../../../tsconfig.json", compilerOptions, files, include: [] }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const ran = await run(process.execPath, [tsc, "-p", config, "--pretty", "false", "--noErrorTruncation"], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  const said = new Map<string, string>();
  let file = "";
  for (const line of ran.stdout.split("\n")) {
    file = /^(\S+?\.ts)\(/.exec(line)?.[1] ?? file;
    if (line !== "") said.set(file, `${said.get(file) ?? ""}${line}\n`);
  }
  return new Map(sources.map((source, index) => [source, said.get(name(index)) ?? ""]));
}

it.each([
  ["standard", false],
  ["legacy", true],
])("%s decorators: every good cap compiles, every bad one is an error that helps", async (_mode, legacy) => {
  const said = await compile([...GOOD, ...BAD.map(([source]) => source)], legacy);
  for (const source of GOOD) expect(said.get(source), source).toBe("");
  for (const [source, holds] of BAD) {
    expect(said.get(source), source).toMatch(/error TS\d+/);
    for (const part of holds) expect(said.get(source), source).toContain(part);
  }
});
