// Projects without the types of Node: what the host gives is used freely, and opens no way around the checker.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, TSCONFIG } from "./support/project.js";

/** The findings of an agent with this body, in a project that knows nothing of Node. */
function findings(body: string, imports = "", extra: Record<string, string> = {}): string[] {
  const project = createProject({
    "tsconfig.json": JSON.stringify(TSCONFIG),
    ...extra,
    "agent.ts": `import { computer, computerUse } from "capuchin";
${imports}
@computerUse({ cap: "computer.screen" })
export class A {
  async run() {
    await computer.screenshot(this);
    ${body}
  }
}
`,
  });
  try {
    rmSync(join(project.folder, "node_modules/@types"), { force: true });
    return project.check().report.diagnostics.map((each) => each.code);
  } finally {
    project.remove();
  }
}

const MADE_REQUIRE =
  'import { createRequire } from "node:module";\nconst load = createRequire(import.meta.url);';

test.each([
  ["a stream of the process", 'process.stdout.write("x"); process.stderr.write("y");'],
  ["a buffer", 'Buffer.from("x").write("y");'],
  ["a constant of a global", 'const r = await fetch("http://localhost/"); r.body.read();'],
  [
    "a built-in module",
    'const h = await fs.open("/f"); await h.write("x"); fs.read();',
    'import * as fs from "fs";',
  ],
  ["a named import", 'stdout.write("x");', 'import { stdout } from "node:process";'],
  ["a pattern", 'const { write } = fs; write("x");', 'import fs from "node:fs";'],
  ["a module loaded late", 'const fs = await import("node:fs"); fs.write(1, "x");'],
])("%s may have members of any name", (_name, body, imports = "") => {
  expect(findings(body, imports)).toEqual([]);
});

test.each([
  ["a value that nobody declares", "nobody.click(this);"],
  ["a package that is not there", "thing.click(this);", 'import { thing } from "not-there";'],
  ["a file that is not there", "thing.click(this);", 'import { thing } from "./not-there.js";'],
  ["a require that is made", 'const c = load("capuchin").computer; c.click(this);', MADE_REQUIRE],
  ["what the process loads", 'process.mainModule.require("capuchin").computer.click(this);'],
  ["a variable that is set anew", 'let b = Buffer.from("x"); b = other(); b.click(this);'],
])("%s is not proved", (_name, body, imports = "") => {
  expect(findings(body, imports)).not.toEqual([]);
});

test("the handle cannot be put where the host's values are", () => {
  for (const body of ["console.hold = computer;", "fs.hold(computer);", 'fs["hold"] = computer;']) {
    expect(findings(body, 'import * as fs from "node:fs";')).toContain("CU6032");
  }
});
