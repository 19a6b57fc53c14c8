// `capuchin check`: the report of the build-time checker, for people or as JSON.
import { resolve } from "node:path";
import type { Command } from "commander";
import { choiceValue, pathValue } from "./flag-values.js";
import type { CliIo } from "./io.js";
import { EXIT_FAILED, EXIT_OK } from "./io.js";
import { registerLaterFlags } from "./later.js";

export interface ProjectFlags {
  readonly project?: string;
}

interface CheckFlags extends ProjectFlags {
  readonly format?: "pretty" | "json";
}

/** The check request for what `-p` names. */
export function projectRequest(flags: ProjectFlags, io: CliIo) {
  return {
    cwd: io.cwd,
    ...(flags.project === undefined ? {} : { tsconfig: resolve(io.cwd, flags.project) }),
  };
}

async function check(flags: CheckFlags, io: CliIo): Promise<number> {
  const { checkProject } = await import("../transformer/index.js");
  const checked = checkProject(projectRequest(flags, io));
  if (flags.format === "json") {
    const { formatJson } = await import("./reporters/json.js");
    await io.stdout.write(formatJson(checked));
  } else {
    const { formatPretty } = await import("./reporters/pretty.js");
    await io.stdout.write(formatPretty(checked, { colour: io.stdout.isTerminal }));
  }
  return checked.report.ok ? EXIT_OK : EXIT_FAILED;
}

/** `-p`, which `check` and `build` share. */
export function addProjectFlag(command: Command): Command {
  return command.option(
    "-p, --project <tsconfig>",
    "the tsconfig of the project, or its folder (default: tsconfig.json)",
    pathValue,
  );
}

export function registerCheck(program: Command, io: CliIo, finish: (code: number) => void): void {
  const command = addProjectFlag(program.command("check"))
    .description("prove that every agent stays within what it declares")
    .option(
      "--format <format>",
      "pretty (default) or json",
      choiceValue(["pretty", "json"], ["sarif", "github"]),
    )
    .option("--no-cache", "check everything anew, as this version always does")
    .action(async (flags: CheckFlags) => finish(await check(flags, io)));
  registerLaterFlags(command, ["--watch", "--fix"]);
}
