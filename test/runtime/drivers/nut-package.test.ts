// Where nut-js can be loaded, and what is said where it cannot.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  NUT_VERSION,
  requireNutInstalled,
  requireNutMachine,
} from "../../../src/runtime/drivers/nut/nut-package.js";

const x64 = { platform: "linux", arch: "x64", glibc: "2.36" };
const refusal = (message: RegExp) =>
  expect.objectContaining({ code: "E_UNSUPPORTED", message: expect.stringMatching(message) as string });

test("Linux on anything but x64 with glibc is refused, and sent to the x11 driver", () => {
  expect(() => requireNutMachine(x64)).not.toThrow();
  expect(() => requireNutMachine({ ...x64, arch: "arm64" })).toThrow(
    refusal(/x64 only, this is arm64; use the x11 driver/),
  );
  expect(() => requireNutMachine({ ...x64, glibc: undefined })).toThrow(refusal(/needs glibc/));
  expect(() => requireNutMachine({ ...x64, platform: "freebsd" })).toThrow(refusal(/no nut-js for freebsd/));
  expect(() => requireNutMachine({ platform: "darwin", arch: "arm64", glibc: undefined })).not.toThrow();
});

test("missing or of another version, the package is named with the line that installs it", () => {
  const install = new RegExp(`npm install @nut-tree-fork/nut-js@${NUT_VERSION}`);
  const missing = () => {
    throw new Error("Cannot find module");
  };
  expect(() => requireNutInstalled(missing)).toThrow(refusal(install));
  const folder = mkdtempSync(join(tmpdir(), "capuchin-nut-"));
  try {
    const file = join(folder, "package.json");
    writeFileSync(file, JSON.stringify({ version: "4.3.0" }));
    expect(() => requireNutInstalled(() => file)).toThrow(refusal(/4\.3\.0 is installed/));
    expect(() => requireNutInstalled(() => file)).toThrow(refusal(install));
    writeFileSync(file, JSON.stringify({ version: NUT_VERSION }));
    expect(() => requireNutInstalled(() => file)).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the version that is proved is the one that package.json asks for", () => {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(optionalDependencies["@nut-tree-fork/nut-js"]).toBe(NUT_VERSION);
});

test("its clipboard, which leaves a process behind, and its own typing, which mistypes, are not used", () => {
  const folder = "src/runtime/drivers/nut";
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) {
    const code = readFileSync(join(folder, file), "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
    expect(code, file).not.toMatch(/clipboard|\.typeString|getKeyboard\(\)\.(type|click)|\.keyTap/i);
  }
});
