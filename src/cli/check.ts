// `capuchin check`: the report of the build-time checker, for people or as JSON.
import { resolve } from "node:path";
import type { Command } from "commander";
import type { CheckRequest, CheckResult } from "../transformer/index.js";
import { choiceValue, pathValue } from "./flag-values.js";
import { addHelp } from "./help.js";
import type { CliIo } from "./io.js";
import { EXIT_FAILED, EXIT_OK } from "./io.js";
import { registerLaterFlags } from "./later.js";
import { StatusLine } from "./terminal/status-line.js";
import { canRedraw, usesColour } from "./terminal/style.js";

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

/** Checks; on a terminal, standard error shows meanwhile what is being done, and nothing afterwards. */
export async function checkWithProgress(request: CheckRequest, io: CliIo): Promise<CheckResult> {
  const line = new StatusLine(io.stderr, { colour: usesColour(io.stderr, io.env) });
  const live = canRedraw(io.stderr, io.env);
  if (live) await line.show("starting the checker");
  try {
    const { checkProject } = await import("../transformer/index.js");
    return checkProject(live ? { ...request, onStage: (stage) => void line.show(stage) } : request);
  } finally {
    await line.clear();
  }
}

async function check(flags: CheckFlags, io: CliIo): Promise<number> {
  const checked = await checkWithProgress(projectRequest(flags, io), io);
  if (flags.format === "json") {
    const { formatJson } = await import("./reporters/json.js");
    await io.stdout.write(formatJson(checked));
  } else {
    const { formatPretty } = await import("./reporters/pretty.js");
    await io.stdout.write(formatPretty(checked, { colour: usesColour(io.stdout, io.env) }));
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
    .description("prove that every agent of a project stays within what it declares")
    .option(
      "--format <format>",
      "pretty (default) or json",
      choiceValue(["pretty", "json"], ["sarif", "github"]),
    )
    .option("--no-cache", "check everything anew, as this version always does")
    .action(async (flags: CheckFlags) => finish(await check(flags, io)));
  addHelp(command, {
    examples: [
      "capuchin check",
      "capuchin check -p packages/agents/tsconfig.json",
      "capuchin check --format json > report.json",
    ],
    exits: { 0: "every agent is proved (there may be warnings)", 1: "there is an error" },
  });
  registerLaterFlags(command, ["--watch", "--fix"]);
}
