// The built package, as a user of it gets it: driver processes can only be started from compiled files. Types come
// from the sources; the code comes from dist/, which `npm run build` makes.
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The folder of the compiled package; another one may be named for a build kept apart. */
export const distFolder = process.env["CAPUCHIN_TEST_DIST"] ?? `${root}dist`;

async function load<T>(path: string): Promise<T> {
  const file = `${distFolder}/${path}`;
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first`);
  return (await import(pathToFileURL(file).href)) as T;
}

export const builtDrivers = () =>
  load<typeof import("../../src/runtime/drivers/index.js")>("runtime/drivers/index.js");

export const builtPermitted = () =>
  load<typeof import("../../src/runtime/cap/permitted.js")>("runtime/cap/permitted.js");

export const builtConformance = () =>
  load<typeof import("../../src/runtime/testing/driver-conformance.js")>(
    "runtime/testing/driver-conformance.js",
  );
