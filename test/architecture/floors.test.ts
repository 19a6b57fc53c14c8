import { expect, test } from "vitest";
import { CLOCK_FILES, FLOORS, MINT_FILES, SINGLE_PLACE } from "./floors.js";
import { folderOf, IMPORTS, type ImportEdge, SOURCES } from "./sources.js";

function describeEdge({ from, line, to, onUse }: ImportEdge): string {
  return `src/${from}:${line} imports ${onUse ? "on use " : ""}${to}`;
}

test("the sources are seen: a wrong path would make every other test here pass", () => {
  expect(SOURCES.length).toBeGreaterThan(50);
  expect(IMPORTS.length).toBeGreaterThan(200);
  const files = new Set(SOURCES.map(({ path }) => path));
  const lost = IMPORTS.filter((edge) => !edge.bare && !files.has(edge.to));
  expect(lost.map(describeEdge)).toEqual([]);
});

test("every folder stands in the table of floors", () => {
  const folders = [...new Set(SOURCES.map(({ path }) => folderOf(path)))];
  expect(folders.filter((folder) => !Object.hasOwn(FLOORS, folder))).toEqual([]);
});

test("a folder imports only from the folders that the table allows", () => {
  const broken = IMPORTS.filter((edge) => {
    const rule = FLOORS[folderOf(edge.from)];
    const target = folderOf(edge.to);
    if (edge.bare || target === folderOf(edge.from)) return false;
    return !(rule?.folders.includes(target) || (edge.onUse && rule?.onUse?.includes(target)));
  });
  expect(broken.map(describeEdge)).toEqual([]);
});

test("a folder imports only the packages that the table allows", () => {
  const broken = IMPORTS.filter((edge) => {
    if (!edge.bare) return false;
    const allowed = FLOORS[folderOf(edge.from)]?.packages ?? [];
    const name = packageOf(edge.to);
    const anyBuiltin = allowed.includes("node:*") && name !== "node:child_process";
    return !(allowed.includes(name) || (anyBuiltin && name.startsWith("node:")));
  });
  expect(broken.map(describeEdge)).toEqual([]);
});

test("what belongs in one place is imported in that place only", () => {
  const broken = IMPORTS.filter((edge) => {
    const places = edge.bare ? SINGLE_PLACE[packageOf(edge.to)] : undefined;
    return places !== undefined && !places.includes(folderOf(edge.from));
  });
  expect(broken.map(describeEdge)).toEqual([]);
});

test("the table holds no circle", () => {
  const visit = (folder: string, trail: readonly string[]): void => {
    expect(trail, `circle: ${[...trail, folder].join(" → ")}`).not.toContain(folder);
    for (const next of FLOORS[folder]?.folders ?? []) visit(next, [...trail, folder]);
  };
  for (const folder of Object.keys(FLOORS)) visit(folder, []);
});

test("the root entry reaches neither the checker nor a driver without import()", () => {
  const reached = reachedFrom("index.ts");
  expect(reached.size).toBeGreaterThan(20);
  const folders = new Set([...reached].map(folderOf));
  expect(folders).not.toContain("transformer");
  expect(folders).not.toContain("runtime/drivers");
  const packages = IMPORTS.filter((edge) => edge.bare && isLoaded(edge) && reached.has(edge.from)).map(
    (edge) => packageOf(edge.to),
  );
  for (const name of ["ts-morph", "x11", "@nut-tree-fork/nut-js", "sharp", "commander"])
    expect(packages).not.toContain(name);
});

test("transformer and runtime do not meet below the command line", () => {
  const mixed = IMPORTS.filter(({ from, to, bare }) => {
    const sides = [from, to].map((path) => path.split("/")[0]);
    return !bare && sides.includes("transformer") && sides.includes("runtime");
  });
  expect(mixed.map(describeEdge)).toEqual([]);
});

test("clocks, timers and chance live in one file", () => {
  const pattern =
    /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|process\.hrtime|setTimeout|setInterval|setImmediate)\b/;
  const found = SOURCES.filter(({ path }) => !CLOCK_FILES.includes(path)).flatMap(({ path, file }) =>
    codeLines(file.getFullText()).flatMap((line, index) =>
      pattern.test(line) ? [`src/${path}:${index + 1} ${line.trim()}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

test("only the gate mints what a driver accepts", () => {
  const found = SOURCES.filter(
    ({ path, file }) => file.getFullText().includes("mintPermitted") && !MINT_FILES.includes(path),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
  expect(SOURCES.map(({ path }) => path)).toEqual(expect.arrayContaining([...MINT_FILES]));
});

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

function isLoaded(edge: ImportEdge): boolean {
  return !edge.onUse && !edge.typeOnly;
}

function reachedFrom(entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const edge of IMPORTS) {
      if (edge.from === path && !edge.bare && isLoaded(edge)) reached.add(edge.to);
    }
  }
  return reached;
}

/** The lines without comments and string contents, so that a rule named in a sentence is no breach. */
function codeLines(text: string): string[] {
  return text.split("\n").map((line) =>
    line
      .replace(/^\s*(\/\/|\/?\*).*$/, "")
      .replace(/\s\/\/.*$/, "")
      .replace(/"(?:[^"\\]|\\.)*"/g, '""'),
  );
}
