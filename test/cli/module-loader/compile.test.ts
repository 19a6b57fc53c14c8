import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";
import { candidatesFor } from "../../../src/cli/module-loader/candidates.js";
import { compileJson, compileModule, resolveByProject } from "../../../src/cli/module-loader/compile.js";
import { findModuleProject } from "../../../src/cli/module-loader/project-options.js";
import { temporaryFolder } from "../../runtime/store/temporary-folder.js";

async function load(source: string): Promise<Record<string, unknown>> {
  return import(`data:text/javascript,${encodeURIComponent(source)}`);
}

const DECORATED = `
  export const seen: unknown[] = [];
  function note(target: unknown, context?: { kind?: string }) { seen.push(context?.kind ?? "legacy"); }
  @note export class A { field: number = 1; }
`;

describe("compileModule", () => {
  it("compiles in the project's decorator mode", async () => {
    const standard = await load(compileModule(DECORATED, "/a.ts", {}));
    const legacy = await load(compileModule(DECORATED, "/a.ts", { experimentalDecorators: true }));
    expect(standard["seen"]).toEqual(["class"]);
    expect(legacy["seen"]).toEqual(["legacy"]);
  });

  it("defines fields as the project's target says, and as its option says when it is set", async () => {
    const source = `
      class Base { set x(value: number) { (this as any).taken = value; } }
      class Derived extends Base { x = 1; }
      export const taken = (new Derived() as any).taken;`;
    const assigned = { target: ts.ScriptTarget.ES2020 };
    expect((await load(compileModule(source, "/a.ts", assigned)))["taken"]).toBe(1);
    expect((await load(compileModule(source, "/a.ts", {})))["taken"]).toBeUndefined();
    const defined = { ...assigned, useDefineForClassFields: true };
    expect((await load(compileModule(source, "/a.ts", defined)))["taken"]).toBeUndefined();
  });

  it("runs enums, parameter properties and using, which Node alone does not", async () => {
    const source = `
      const enum Colour { Red = 3 }
      class P { constructor(readonly x: number) {} }
      export const closed: string[] = [];
      { using file = { [Symbol.dispose]() { closed.push("file"); } }; void file; }
      export const values = [Colour.Red, new P(4).x];`;
    const loaded = await load(compileModule(source, "/a.ts", {}));
    expect(loaded["values"]).toEqual([3, 4]);
    expect(loaded["closed"]).toEqual(["file"]);
  });

  it("drops imports of types, and carries a map to the TypeScript", () => {
    const output = compileModule('import { T } from "./t.js";\nexport const x: T = 1;\n', "/p/a.ts", {});
    expect(output).not.toContain("./t.js");
    const map = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(output)?.[1] ?? "";
    expect(JSON.parse(Buffer.from(map, "base64").toString()).sources).toEqual(["a.ts"]);
  });

  it("names file, line and column of what cannot be parsed", () => {
    expect(() => compileModule("export const x = 1;\nexport const = 2;\n", "/p/a.ts", {})).toThrow(
      /^\/p\/a\.ts:2:14: /,
    );
  });
});

describe("compileJson", () => {
  it("exports the value, and each member by its name", async () => {
    const loaded = await load(compileJson('{"a":1,"x-y":2,"default":3,"__proto__":4}'));
    expect(loaded["a"]).toBe(1);
    expect(loaded["x-y"]).toBe(2);
    expect(Object.keys(loaded["default"] as object)).toEqual(["a", "x-y", "default", "__proto__"]);
    expect((await load(compileJson("[1]")))["default"]).toEqual([1]);
  });

  it("never runs what stands in the file", async () => {
    await expect(async () => load(compileJson('globalThis.hit = 1, {"a":1}'))).rejects.toThrow(SyntaxError);
    const loaded = await load(compileJson('{"\\";globalThis.hit=1;\\"":"\\u2028"}'));
    expect(loaded["default"]).toEqual({ '";globalThis.hit=1;"': "\u2028" });
    expect(globalThis).not.toHaveProperty("hit");
  });
});

describe("resolution", () => {
  it("tries the sources of a JavaScript name before the name itself, as the checker does", () => {
    expect(candidatesFor("/a/x.js").slice(0, 3)).toEqual(["/a/x.ts", "/a/x.tsx", "/a/x.js"]);
    expect(candidatesFor("/a/x.mjs").slice(0, 2)).toEqual(["/a/x.mts", "/a/x.mjs"]);
    expect(candidatesFor("/a/x")).toContain("/a/x/index.ts");
  });

  it("follows paths of the tsconfig into the project, and leaves the rest alone", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "lib"));
    writeFileSync(join(folder, "lib", "deep.ts"), "export {};");
    writeFileSync(join(folder, "lib", "types.d.ts"), "export {};");
    writeFileSync(join(folder, "a.ts"), "");
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: { module: "esnext", moduleResolution: "bundler", paths: { "@lib/*": ["./lib/*"] } },
      }),
    );
    const { options } = findModuleProject(join(folder, "a.ts"), join(folder, "tsconfig.json"));
    expect(resolveByProject("@lib/deep", join(folder, "a.ts"), options)).toBe(join(folder, "lib", "deep.ts"));
    expect(resolveByProject("@lib/types", join(folder, "a.ts"), options)).toBeUndefined();
    expect(resolveByProject("@lib/absent", join(folder, "a.ts"), options)).toBeUndefined();
    expect(resolveByProject("node:fs", join(folder, "a.ts"), options)).toBeUndefined();
  });

  it("takes the options of the referenced project whose files include the module", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "app"));
    writeFileSync(join(folder, "app", "a.ts"), "");
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ files: [], references: [{ path: "./app" }] }),
    );
    writeFileSync(
      join(folder, "app", "tsconfig.json"),
      JSON.stringify({ compilerOptions: { composite: true, experimentalDecorators: true } }),
    );
    const project = findModuleProject(join(folder, "app", "a.ts"), join(folder, "tsconfig.json"));
    expect(project.tsconfig).toBe(join(folder, "app", "tsconfig.json"));
    expect(project.options.experimentalDecorators).toBe(true);
    expect(() => structuredClone(project.options)).not.toThrow();
    expect(findModuleProject(join(folder, "a.ts"), undefined)).toEqual({ tsconfig: undefined, options: {} });
  });
});
