// What must be settled before anything of the module runs: that it is a module, which project it belongs to, and
// the spec that its run enforces.
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { closestName } from "../../base/closest.js";
import { quoteText } from "../../base/escape.js";
import { GENERATOR } from "../../base/version.js";
import type { Spec } from "../../contract/agent-spec.js";
import { readSpecFile } from "../../runtime/store/spec-file.js";
import type { CliIo } from "../io.js";
import type { CheckedTexts } from "../module-loader/compiler-port.js";
import { findModuleProject, type ModuleProject } from "../module-loader/project-options.js";
import { usesColour } from "../terminal/style.js";
import { UsageError } from "../usage-error.js";
import type { RunFlags } from "./flags.js";
import type { Teller } from "./teller.js";

const MODULE_KINDS = [".ts", ".mts", ".tsx", ".js", ".mjs"];

/** A module of the same folder whose name is close, for a message. */
function nearbyModule(cwd: string, path: string): string {
  try {
    const folder = dirname(path);
    const names = readdirSync(resolve(cwd, folder)).filter((name) => MODULE_KINDS.includes(extname(name)));
    const close = closestName(basename(path), names);
    return close === undefined ? "" : `; did you mean ${quoteText(join(folder, close), 300)}?`;
  } catch {
    return ": there is no such folder";
  }
}

/** The real path of the module. @throws UsageError when it is no module file. */
export function requireModule(cwd: string, path: string): string {
  const refuse = (reason: string) => new UsageError(`the module ${quoteText(path, 300)} ${reason}`);
  let real: string;
  try {
    real = realpathSync(resolve(cwd, path));
  } catch {
    throw refuse(`does not exist${nearbyModule(cwd, path)}`);
  }
  if (!statSync(real).isFile()) throw refuse("is not a file; name the module that exports the agent");
  if (!MODULE_KINDS.includes(extname(real))) {
    throw refuse(`is no module: its name must end in ${MODULE_KINDS.join(", ")}`);
  }
  return real;
}

export interface Prepared {
  readonly project: ModuleProject;
  /** Undefined when the check found errors, which were printed. */
  readonly spec: Spec | undefined;
  readonly errors: number;
  /** What was checked; empty where a spec was named instead. */
  readonly checkedTexts: CheckedTexts;
}

/** Reads the spec that was named, or checks the module's project and builds one in memory. */
export async function prepareSpec(
  modulePath: string,
  flags: RunFlags,
  io: CliIo,
  teller: Teller,
): Promise<Prepared> {
  const spec = flags.spec === undefined ? undefined : readSpecFile(resolve(io.cwd, flags.spec));
  const { buildSpec, checkProject, findProjectOf } = await import("../../transformer/index.js");
  const tsconfig = findProjectOf(modulePath);
  const project = findModuleProject(modulePath, tsconfig);
  if (spec) return { project, spec, errors: 0, checkedTexts: new Map() };
  const checked = checkProject(tsconfig === undefined ? { files: [modulePath] } : { tsconfig });
  const checkedTexts = new Map(
    [...checked.sources].map(([file, text]) => [resolve(checked.root, file), text]),
  );
  if (checked.report.ok) return { project, spec: buildSpec(checked, GENERATOR), errors: 0, checkedTexts };
  const { formatPretty } = await import("../reporters/pretty.js");
  teller.line(formatPretty(checked, { colour: usesColour(io.stderr, io.env) }).replace(/\n$/, ""));
  return { project, spec: undefined, errors: checked.report.stats.errors, checkedTexts };
}
