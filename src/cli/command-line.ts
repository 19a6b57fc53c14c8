// The command line as a function: arguments and a process in, an exit code out. What a command throws is turned
// into a message and a code here, in one place.
import { Command, CommanderError } from "commander";
import { VERSION } from "../base/version.js";
import { CapuchinError, ConfigurationError } from "../diagnostics/errors.js";
import { registerBuild } from "./build.js";
import { registerCheck } from "./check.js";
import { registerExplain } from "./explain.js";
import { describeFault, escapeLines } from "./fault.js";
import { registerGate } from "./gate.js";
import { addHelp, registerHelp, SIGNAL_EXITS } from "./help.js";
import type { CliIo, Output } from "./io.js";
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE } from "./io.js";
import { registerLaterCommands } from "./later.js";
import { KEY_LEAST_CHARACTERS, KEY_PATTERN, withMaskedOutputs } from "./masked-output.js";
import { registerRun } from "./run.js";
import { registerTrace } from "./trace.js";
import { UsageError } from "./usage-error.js";

/**
 * What commander says, without what may be a secret: the value that was glued to an unknown flag, anything that
 * looks like an API key, and the key of the environment.
 */
function withoutSecrets(text: string, io: CliIo): string {
  const key = io.env["ANTHROPIC_API_KEY"];
  const shown = text
    .replace(/(unknown option '[^'=]*)=[^\n]*'/g, "$1'")
    .replace(/\bsk-[A-Za-z0-9_-]+/g, "[key]");
  return key ? shown.replaceAll(key, "[key]") : shown;
}

/** @throws UsageError when an argument holds an API key: every process of the machine can read it there. */
function requireNoKey(argv: readonly string[], io: CliIo): void {
  const key = io.env["ANTHROPIC_API_KEY"] ?? "";
  const holdsKey = (argument: string) =>
    KEY_PATTERN.test(argument) || (key.length >= KEY_LEAST_CHARACTERS && argument.includes(key));
  if (argv.some(holdsKey)) {
    throw new UsageError(
      "an argument holds an API key, which other programs can read there: take it out, and set ANTHROPIC_API_KEY",
    );
  }
}

const HELP_COLUMNS = 100;
/** Below this, the descriptions of flags are columns of single words. */
const HELP_LEAST_COLUMNS = 60;

function helpWidth(output: Output): number {
  return Math.max(HELP_LEAST_COLUMNS, Math.min(HELP_COLUMNS, output.columns ?? HELP_COLUMNS));
}

function createProgram(io: CliIo, pending: Promise<void>[], finish: (code: number) => void): Command {
  const program = new Command("capuchin");
  program
    .description("Agents that see a screen and move a mouse and keyboard: checked, built, run and gated.")
    .version(VERSION, "--version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => pending.push(io.stdout.write(text)),
      writeErr: (text) => pending.push(io.stderr.write(text)),
      outputError: (text, write) =>
        write(escapeLines(withoutSecrets(text.replace(/^error: /, "capuchin: "), io))),
      getOutHelpWidth: () => helpWidth(io.stdout),
      getErrHelpWidth: () => helpWidth(io.stderr),
    });
  addHelp(program, {
    examples: [
      "capuchin check                           prove what the agents of this project can reach",
      "capuchin build                           write computer-use.json, which runs enforce",
      'capuchin run agent.ts --goal "…"         run an agent on a display of its own',
      "capuchin help run                        a command's flags, examples and exit codes",
    ],
    exits: {
      0: "fine",
      1: "what was checked or run failed; capuchin explain CODE says what to do",
      ...SIGNAL_EXITS,
    },
  });
  registerCheck(program, io, finish);
  registerBuild(program, io, finish);
  registerExplain(program, io, finish);
  registerRun(program, io, finish);
  registerGate(program, io, finish);
  registerTrace(program, io, finish);
  registerHelp(program);
  registerLaterCommands(program);
  return program;
}

/** Help and version that were asked for are no failure; everything else that commander refuses is usage. */
function exitCodeOf(error: CommanderError): number {
  return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
}

/** The message and exit code for what a command threw. */
function describeFailure(error: unknown, debug: boolean): { readonly text: string; readonly code: number } {
  const stack = debug && error instanceof Error ? `\n${error.stack ?? ""}` : "";
  if (error instanceof UsageError) return { text: error.message, code: EXIT_USAGE };
  if (error instanceof ConfigurationError) {
    return { text: `${error.code}: ${error.message}${stack}`, code: EXIT_USAGE };
  }
  if (error instanceof CapuchinError) {
    return { text: `${error.code}: ${error.message}${stack}`, code: EXIT_FAILED };
  }
  return { text: describeFault(error, debug), code: EXIT_USAGE };
}

/** Runs one command line (without node and script) and returns its exit code. Never rejects. */
export async function runCommandLine(argv: readonly string[], given: CliIo): Promise<number> {
  const io = withMaskedOutputs(given);
  const pending: Promise<void>[] = [];
  let code = EXIT_OK;
  try {
    requireNoKey(argv, io);
    const program = createProgram(io, pending, (finished) => {
      code = finished;
    });
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      code = exitCodeOf(error);
    } else {
      const failure = describeFailure(error, io.env["CAPUCHIN_DEBUG"] === "1");
      code = failure.code;
      await io.stderr.write(`capuchin: ${escapeLines(failure.text)}\n`);
    }
  }
  await Promise.all(pending);
  if (io.stdout.failure === undefined) return code;
  await io.stderr.write(`capuchin: standard output cannot be written (${io.stdout.failure})\n`);
  return EXIT_USAGE;
}
