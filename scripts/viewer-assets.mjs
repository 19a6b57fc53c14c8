// Makes src/viewer/ui/assets.ts, the scripts and the style that every report carries, from src/viewer/client. With
// --check it writes nothing and exits 1 when the file is not what it would write.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** @param {string} path below src/viewer */
const at = (path) => fileURLToPath(new URL(`../src/viewer/${path}`, import.meta.url));
const target = at("ui/assets.ts");

/** The text of assets.ts. Names stay, so that a reader of a report can read its script. */
export async function makeAssets() {
  /** @param {string} path below src/viewer */
  const scriptOf = (path) =>
    build({
      bundle: true,
      write: false,
      charset: "ascii",
      legalComments: "none",
      logLevel: "error",
      entryPoints: [at(path)],
      format: "iife",
      target: "es2022",
      minifyWhitespace: true,
      minifySyntax: true,
    });
  const start = await scriptOf("client/start.ts");
  const script = await scriptOf("client/main.ts");
  const style = await build({
    bundle: true,
    write: false,
    charset: "ascii",
    legalComments: "none",
    logLevel: "error",
    entryPoints: [at("client/report.css")],
    minifyWhitespace: true,
  });
  /** @param {{ outputFiles: { text: string }[] }} result */
  const textOf = (result) => JSON.stringify((result.outputFiles[0]?.text ?? "").trim());
  return [
    "// Made by scripts/viewer-assets.mjs from src/viewer/client; change it there. One line each, as a report holds them.",
    "",
    `export const START =\n  ${textOf(start)};`,
    "",
    `export const SCRIPT =\n  ${textOf(script)};`,
    "",
    `export const STYLE =\n  ${textOf(style)};`,
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await makeAssets();
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error("src/viewer/ui/assets.ts is not what scripts/viewer-assets.mjs makes: run it");
    process.exit(1);
  }
}
