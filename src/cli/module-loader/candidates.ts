// Which files a relative import may mean, in the order in which the checker's own resolution tries them: what runs
// is then what was proved.
import { extname } from "node:path";

const SOURCES_OF: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".js"],
  ".jsx": [".tsx", ".jsx"],
  ".mjs": [".mts", ".mjs"],
  ".cjs": [".cts", ".cjs"],
};

const IMPLIED = [".ts", ".tsx", ".mts", ".js", ".mjs", ".json"] as const;

/** Paths that an import of `path` may mean, first match wins. */
export function candidatesFor(path: string): readonly string[] {
  const extension = extname(path);
  const sources = SOURCES_OF[extension];
  const stem = path.slice(0, path.length - extension.length);
  return [
    ...(sources ? sources.map((source) => stem + source) : [path]),
    ...IMPLIED.map((implied) => path + implied),
    ...IMPLIED.map((implied) => `${path}/index${implied}`),
  ];
}
