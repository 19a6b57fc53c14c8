// `capuchin build`: the whole check, then the spec; with an error nothing is written. `--check` compares what lies
// on disk with what would be written.
import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { escapeText, quoteText } from "../base/escape.js";
import { GENERATOR } from "../base/version.js";
import { serialiseSpec } from "../contract/agent-spec.js";
import { FileRefusal, readRegularFile } from "../runtime/store/regular-file.js";
import { addProjectFlag, checkWithProgress, type ProjectFlags, projectRequest } from "./check.js";
import { pathValue } from "./flag-values.js";
import { addHelp } from "./help.js";
import type { CliIo } from "./io.js";
import { EXIT_FAILED, EXIT_OK } from "./io.js";
import { registerLaterFlags } from "./later.js";
import { requireWritablePlace, writeOutputFile } from "./output-file.js";
import { usesColour } from "./terminal/style.js";
import { UsageError } from "./usage-error.js";

const DEFAULT_OUT = "computer-use.json";
const MODULE_NAME = "computer-use.gen.ts";

/** Longest file that is compared; what a build writes is far below. */
const COMPARED_MAX_BYTES = 64 * 1024 * 1024;

interface BuildFlags extends ProjectFlags {
  readonly out?: string;
  readonly check?: true;
  readonly module?: true;
}

interface Place {
  /** The path as the command line named it. */
  readonly shown: string;
  readonly path: string;
}

interface Output {
  readonly spec: Place;
  readonly module: Place;
}

function outputOf(flags: BuildFlags, io: CliIo): Output {
  const shown = flags.out ?? DEFAULT_OUT;
  const place = (name: string): Place => ({ shown: name, path: resolve(io.cwd, name) });
  return { spec: place(shown), module: place(join(dirname(shown), MODULE_NAME)) };
}

/** What lies on disk; `bytes` is undefined where nothing does. */
function readPlace({ shown, path }: Place): {
  readonly file: string;
  readonly bytes: Uint8Array | undefined;
} {
  requireWritablePlace(path);
  if (!lstatSync(path, { throwIfNoEntry: false })) return { file: shown, bytes: undefined };
  try {
    return { file: shown, bytes: readRegularFile(path, COMPARED_MAX_BYTES) };
  } catch (error) {
    if (error instanceof FileRefusal) throw new UsageError(`${quoteText(shown, 300)} ${error.message}`);
    throw error;
  }
}

async function build(flags: BuildFlags, io: CliIo): Promise<number> {
  const output = outputOf(flags, io);
  // Before the work, so that a place that cannot be written is not found out after it.
  requireWritablePlace(output.spec.path);
  if (flags.module) requireWritablePlace(output.module.path);
  const checked = await checkWithProgress(projectRequest(flags, io), io);
  if (checked.report.diagnostics.length > 0) {
    const { formatPretty } = await import("./reporters/pretty.js");
    await io.stderr.write(formatPretty(checked, { colour: usesColour(io.stderr, io.env) }));
  }
  if (!checked.report.ok) return EXIT_FAILED;
  const { buildModule, buildSpec, compareSpec } = await import("../transformer/index.js");
  const spec = buildSpec(checked, GENERATOR);
  if (flags.check) {
    const module = readPlace(output.module);
    // Where the module was asked for, a missing one is stale; else it counts only if it is there.
    const wanted = flags.module && !module.bytes ? { ...module, bytes: new Uint8Array() } : module;
    const stale = compareSpec(spec, readPlace(output.spec), wanted);
    for (const { code, message } of stale) await io.stderr.write(`error ${code}: ${escapeText(message)}\n`);
    if (stale.length === 0) await io.stdout.write(`${escapeText(output.spec.shown)} is up to date\n`);
    return stale.length === 0 ? EXIT_OK : EXIT_FAILED;
  }
  writeOutputFile(output.spec.path, serialiseSpec(spec));
  const agents = `${spec.agents.length} agent${spec.agents.length === 1 ? "" : "s"}`;
  await io.stdout.write(`wrote ${escapeText(output.spec.shown)} (${agents}, ${spec.digest})\n`);
  if (flags.module) {
    writeOutputFile(output.module.path, buildModule(spec));
    await io.stdout.write(`wrote ${escapeText(output.module.shown)}\n`);
  }
  return EXIT_OK;
}

export function registerBuild(program: Command, io: CliIo, finish: (code: number) => void): void {
  const command = addProjectFlag(program.command("build"))
    .description("check, then write the spec that runs enforce; nothing is written when there is an error")
    .option("--out <file>", `where the spec goes (default: ${DEFAULT_OUT})`, pathValue)
    .option("--check", "write nothing; exit 1 when what lies there differs from what the sources say")
    .option("--module", `also write ${MODULE_NAME} beside it, for bundled programs`)
    .action(async (flags: BuildFlags) => finish(await build(flags, io)));
  addHelp(command, {
    examples: [
      "capuchin build",
      "capuchin build --module --out src/computer-use.json",
      "capuchin build --check                   in CI: is the spec that is committed up to date?",
    ],
    exits: {
      0: "written; with --check, up to date",
      1: "there is an error, and nothing was written; with --check, also when a file is stale",
    },
  });
  registerLaterFlags(command, ["--summary"]);
}
