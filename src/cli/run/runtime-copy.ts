// The copy of capuchin that a module itself resolves: the run is started by that one, so that the module's classes,
// its declarations and the gate belong to one copy.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { VERSION } from "../../base/version.js";
import { ConfigurationError } from "../../diagnostics/errors.js";

export type Runtime = typeof import("../../runtime/index.js");

export interface RuntimeCopy {
  readonly runtime: Runtime;
  /** What people should know about the choice; undefined when it is the plain case. */
  readonly note: string | undefined;
}

/** What is called on the copy; a copy that lacks one is too old for this command line. */
const NEEDED = [
  "launch",
  "findDeclaration",
  "fakeDesktop",
  "virtualDesktop",
  "hostDesktop",
  "anthropicFromEnvironment",
  "scriptFile",
  "replay",
  "recordTo",
] as const satisfies readonly (keyof Runtime)[];

const OWN_PACKAGE = fileURLToPath(new URL("../../../package.json", import.meta.url));

function findPackage(modulePath: string): string | undefined {
  try {
    return createRequire(modulePath).resolve("capuchin/package.json");
  } catch {
    return undefined;
  }
}

function versionOf(packageFile: string): string {
  return String((JSON.parse(readFileSync(packageFile, "utf8")) as { version?: unknown }).version);
}

async function importRuntime(packageFile: string): Promise<Record<string, unknown>> {
  const entry = createRequire(packageFile).resolve("capuchin/runtime");
  return (await import(pathToFileURL(entry).href)) as Record<string, unknown>;
}

/** Loads the runtime that a module resolves, or this copy's where it resolves none. */
export async function loadRuntimeOf(modulePath: string): Promise<RuntimeCopy> {
  const found = findPackage(modulePath);
  const packageFile = found ?? OWN_PACKAGE;
  const runtime = await importRuntime(packageFile);
  const missing = NEEDED.find((name) => typeof runtime[name] !== "function");
  if (missing !== undefined) {
    throw new ConfigurationError(
      "E_SPEC",
      `the capuchin ${versionOf(packageFile)} in ${dirname(packageFile)}, which the module resolves, has no ${missing}; this command line is ${VERSION}: install one version`,
    );
  }
  return { runtime: runtime as unknown as Runtime, note: noteOn(found) };
}

function noteOn(found: string | undefined): string | undefined {
  if (found === undefined) {
    return `the module resolves no capuchin; this copy is used (${VERSION}, ${dirname(OWN_PACKAGE)})`;
  }
  const version = versionOf(found);
  if (version === VERSION) return undefined;
  return `the module resolves capuchin ${version} (${join(dirname(found))}); this command line is ${VERSION}`;
}
