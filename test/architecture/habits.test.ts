import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { ROOT, SOURCES } from "./sources.js";

const TEXT = /\.(ts|mjs|js|json|md|sh|yml|txt)$|^scripts\/|^demo\//;
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
  .split("\0")
  .filter((path) => path !== "" && path !== "package-lock.json" && TEXT.test(path));

test("exports are explicit", () => {
  const stars = SOURCES.filter(({ file }) =>
    file.getExportDeclarations().some((declaration) => declaration.isNamespaceExport()),
  );
  expect(stars.map(({ path }) => path)).toEqual([]);
});

test("index.ts only re-exports", () => {
  const busy = SOURCES.filter(
    ({ path, file }) =>
      /(^|\/)index\.ts$/.test(path) && (file.getFunctions().length > 0 || file.getClasses().length > 0),
  );
  expect(busy.map(({ path }) => path)).toEqual([]);
});

test("file names are kebab-case and say what the file is", () => {
  const vague = /(^|[-/])(utils?|helpers?|common|managers?|impl|misc|stuff|shared)(?=[-./])/;
  const wrong = SOURCES.filter(
    ({ path }) =>
      vague.test(path) || !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.rule)?\.ts$/.test(path),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("a source file begins by saying what it holds", () => {
  const silent = SOURCES.filter(
    ({ path, file }) => !/(^|\/)index\.ts$/.test(path) && !/^(#!.*\n)?\/[/*]/.test(file.getFullText()),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test("no compiler check is switched off", () => {
  const off = SOURCES.filter(({ file }) =>
    /^\s*(\/\/|\/\*)\s*@ts-(ignore|nocheck|expect-error)/m.test(file.getFullText()),
  );
  expect(off.map(({ path }) => path)).toEqual([]);
});

test("no file speaks of unfinished work or of one person's machine", () => {
  // Written in pieces, so that this file does not find itself.
  const words = new RegExp(
    ["TO" + "DO", "FIX" + "ME", "/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/"].join("|"),
  );
  const found = tracked.filter((path) => words.test(read(path)));
  expect(tracked.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

function read(path: string): string {
  try {
    return readFileSync(resolve(ROOT, path), "utf8");
  } catch {
    return "";
  }
}
