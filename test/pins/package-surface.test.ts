// What `npm install capuchin` promises: the entries, what the root entry exports, the executable.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import * as root from "../../src/index.js";

const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"));

test("the entries of the package, each with types and a default condition", () => {
  expect(manifest.exports).toEqual({
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./transformer": { types: "./dist/transformer/index.d.ts", default: "./dist/transformer/index.js" },
    "./runtime": { types: "./dist/runtime/index.d.ts", default: "./dist/runtime/index.js" },
    "./testing": { types: "./dist/runtime/testing/index.d.ts", default: "./dist/runtime/testing/index.js" },
    "./package.json": "./package.json",
  });
  expect(manifest.type).toBe("module");
  expect(manifest.engines).toEqual({ node: ">=20.19" });
  expect(manifest.bin).toEqual({ capuchin: "./dist/cli/main.js" });
});

test("native and desktop packages are optional", () => {
  expect(Object.keys(manifest.optionalDependencies).sort()).toEqual([
    "@nut-tree-fork/nut-js",
    "sharp",
    "x11",
  ]);
  for (const name of ["@nut-tree-fork/nut-js", "sharp", "x11"])
    expect(manifest.dependencies).not.toHaveProperty(name);
});

test("the values that the root entry exports", () => {
  expect(Object.keys(root).sort()).toEqual([
    "CapuchinError",
    "ComputerCap",
    "ConfigurationError",
    "DriverError",
    "MissingCapError",
    "NoRunError",
    "SandboxViolation",
    "Tainted",
    "computer",
    "computerUse",
    "launch",
  ]);
});

test("the functions of the handle", () => {
  const names = Object.entries(root.computer).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : Object.keys(value).map((inner) => `${name}.${inner}`),
  );
  expect(names.sort()).toEqual([
    "cap",
    "click",
    "clipboard.read",
    "clipboard.write",
    "cursorPosition",
    "doubleClick",
    "drag",
    "holdKey",
    "key",
    "middleClick",
    "mouseDown",
    "mouseUp",
    "move",
    "observe",
    "rightClick",
    "run",
    "screenshot",
    "scroll",
    "spawn",
    "tripleClick",
    "type",
    "verify",
    "wait",
    "windows.activate",
    "windows.invokeMenu",
    "windows.list",
    "windows.setFrame",
    "zoom",
  ]);
});
