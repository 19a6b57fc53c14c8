// docs/api is what the types say now: every export of the four entries, with its comment and its signature.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ENTRIES,
  type EntryDeclarations,
  ROOT,
  readEntries,
} from "../../scripts/api-reference/declarations.js";
import { pageOf, undocumented } from "../../scripts/api-reference/page.js";

const FOLDER = resolve(ROOT, "docs/api");
let entries: readonly EntryDeclarations[] = [];

beforeAll(() => {
  entries = readEntries();
}, 300_000);

test("there is a page for each entry of package.json, and no other", () => {
  const manifest = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8"));
  const named = Object.keys(manifest.exports).filter((path) => path !== "./package.json");
  expect(ENTRIES.map(({ specifier }) => specifier.replace(/^capuchin/, ".")).sort()).toEqual(named.sort());
  expect(readdirSync(FOLDER).sort()).toEqual(ENTRIES.map(({ page }) => page).sort());
});

describe.each(ENTRIES)("$specifier", ({ specifier, page, source }) => {
  const find = () => {
    const entry = entries.find((one) => one.specifier === specifier);
    if (!entry) throw new Error(`${specifier} was not read`);
    return entry;
  };
  const text = () => readFileSync(resolve(FOLDER, page), "utf8");

  test("the page is up to date (npm run docs:api writes it)", () => {
    expect(text()).toBe(pageOf(find()));
  });

  test("every export has a comment", () => {
    expect(undocumented(find())).toEqual([]);
  });

  test("has every value that the module exports", async () => {
    const loaded: object = await import(resolve(ROOT, "src", source));
    const values = text().split("\n## Types")[0] ?? "";
    const headings = [...values.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    expect(headings.sort()).toEqual(Object.keys(loaded).sort());
  });

  test("every link of its contents leads to a heading", () => {
    const links = [...text().matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor ?? "");
    const headings = [...text().matchAll(/^##+ (.+)$/gm)].map(([, name]) => (name ?? "").toLowerCase());
    expect(links.map((anchor) => anchor.replace(/-1$/, "")).sort()).toEqual(
      headings.filter((name) => !["functions", "classes", "values", "types"].includes(name)).sort(),
    );
    expect(new Set(links).size).toBe(links.length);
  });

  test("nothing private is shown", () => {
    expect(text()).not.toMatch(/#private|@internal|\bprivate\b.*;|import\("|node_modules/);
  });
});
