// The documents name only what is there: every relative link leads to a file and, where it says so, to a heading; every
// page is in the index of the documentation; every file named in code letters exists.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every file of the project that git knows or would add. */
const FILES = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)));
const PAGES = FILES.filter((file) => file.endsWith(".md") && !file.startsWith("test/fixtures/"));

const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");

/** Targets of `[text](target)` and `![text](target)` that are no addresses. */
function linksOf(page: string): readonly string[] {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/g)];
  return links.map((match) => match[1] ?? "").filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

/** The anchors that a page's headings get where repositories are shown. */
function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = textOf(page)
    .replace(/^```[\s\S]*?^```/gm, "")
    .matchAll(/^#{1,6} +(.+?) *$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) => {
      const slug = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-");
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/** What is wrong with a link; undefined when it leads somewhere. */
function problemOf(page: string, link: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), decodeURI(path)));
  if (target.startsWith("..")) return `${link} leads out of the project`;
  if (!existsSync(join(root, target))) return `${link} leads nowhere`;
  if (anchor === undefined || statSync(join(root, target)).isDirectory()) return undefined;
  return target.endsWith(".md") && !anchorsOf(target).has(anchor) ? `${link} has no such heading` : undefined;
}

describe("links", () => {
  it.each(PAGES)("%s: every one leads somewhere", (page) => {
    expect(linksOf(page).flatMap((link) => problemOf(page, link) ?? [])).toEqual([]);
  });

  it("are found, and a wrong one is told", () => {
    expect(PAGES.flatMap(linksOf).length).toBeGreaterThan(50);
    expect(problemOf("README.md", "docs/none.md")).toMatch(/nowhere/);
    expect(problemOf("docs/README.md", "../../etc")).toMatch(/out of the project/);
    expect(problemOf("README.md", "#no-such-heading")).toMatch(/no such heading/);
    expect(problemOf("README.md", "#two-commands")).toBeUndefined();
  });
});

describe("files named in code letters", () => {
  const NAMED = /`((?:src|test|docs|demo|scripts|examples|bench)\/[A-Za-z0-9_./-]+)`/g;
  it.each(PAGES)("%s: every one exists", (page) => {
    const named = [...textOf(page).matchAll(NAMED)].map((match) => match[1] ?? "");
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("the index of the documentation", () => {
  const pages = FILES.filter(
    (file) => /^docs\/(?:[^/]+\/)*[^/]+\.md$/.test(file) && file !== "docs/README.md",
  );

  it("lists every page, in one line each", () => {
    const listed = linksOf("docs/README.md").map((link) => join("docs", link));
    // A folder of pages is listed by its own index, or page by page.
    const missing = pages.filter(
      (page) => !listed.includes(page) && !listed.includes(`${dirname(page)}/README.md`),
    );
    expect(missing).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("is where the README points", () => {
    expect(linksOf("README.md")).toContain("docs/README.md");
  });
});

describe("the threat model", () => {
  it("gives every threat a status, and every enforced one a test", () => {
    const rows = textOf("docs/threat-model.md")
      .split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| (?:threat|---)/.test(line));
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) {
      const [, , , status = "", test = ""] = row
        .replaceAll("\\|", " ")
        .split("|")
        .map((cell) => cell.trim());
      expect(status, row).toMatch(/^(?:enforced|partial|not covered)/);
      if (status.startsWith("enforced")) expect(test, row).toMatch(/\]\(\.\.\/test\/.*\.test\.ts\)/);
    }
  });
});
