// The script and style that every report carries are what their sources make, and the sources type-check.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

it("assets.ts is what its generator makes", () => {
  execFileSync(process.execPath, ["scripts/viewer-assets.mjs", "--check"], { cwd: ROOT, stdio: "pipe" });
});

it("the page's script type-checks against the browser's own types", () => {
  const tsc = resolve(ROOT, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", "src/viewer/client/tsconfig.json", "--noEmit"], {
    cwd: ROOT,
    stdio: "pipe",
  });
});

it("the page's script makes no markup from text and reaches nothing", () => {
  const script = readFileSync(resolve(ROOT, "src/viewer/ui/assets.ts"), "utf8");
  expect(script.length).toBeGreaterThan(10_000);
  const risky =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser|fetch\(|XMLHttp|WebSocket|sendBeacon|localStorage|new RegExp|https?:\/\/(?!www\.w3\.org\/2000\/svg)/;
  expect(script.match(risky)).toBeNull();
});
