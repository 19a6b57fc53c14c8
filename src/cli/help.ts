// What `--help` adds to each command beyond its flags: examples to copy, and what its exit codes mean. One form for
// all commands; `capuchin help COMMAND…` prints the same as `capuchin COMMAND… --help`.
import type { Command } from "commander";
import { closestName } from "../base/closest.js";
import { quoteText } from "../base/escape.js";
import { UsageError } from "./usage-error.js";

export interface HelpSections {
  /** Whole command lines; one that begins with a blank goes on with the line before it. */
  readonly examples: readonly string[];
  /** What each exit code means for this command; those of usage are added. */
  readonly exits: Readonly<Record<number, string>>;
}

/** What a run that is told to end exits with. */
export const SIGNAL_EXITS: HelpSections["exits"] = {
  129: "after SIGHUP: the terminal is gone",
  130: "after SIGINT: ctrl+c",
  143: "after SIGTERM",
};

const USAGE_EXIT = "usage or configuration, or a fault of capuchin itself";

function section(title: string, lines: readonly string[]): string {
  return `\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/** Adds examples and exit codes to a command's help, and to its usage errors where to read on. */
export function addHelp(command: Command, { examples, exits }: HelpSections): Command {
  const codes = Object.entries({ 2: USAGE_EXIT, ...exits }).map(
    ([code, meaning]) => `${code.padEnd(5)}${meaning}`,
  );
  return command
    .addHelpText("after", `${section("Examples:", examples)}\n${section("Exit codes:", codes)}`)
    .showHelpAfterError(`(${pathOf(command)} --help lists what it takes)`);
}

/** The words by which a command is called: `capuchin trace show`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** `capuchin help COMMAND…`, for commands of any depth. */
export function registerHelp(program: Command): void {
  program
    .command("help")
    .description("show the help of a command")
    .argument("[command...]", "such as run, or trace show")
    .action((words: readonly string[]) => {
      let command = program;
      for (const word of words) command = requireSubcommand(command, word);
      command.help();
    });
}

function requireSubcommand(command: Command, word: string): Command {
  const found = command.commands.find((each) => each.name() === word);
  if (found) return found;
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  const close = closestName(word, names);
  const hint = close === undefined ? listOf(names) : `; did you mean ${close}?`;
  throw new UsageError(`${pathOf(command)} has no command ${quoteText(word)}${hint}`);
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "" : `; it has ${names.join(", ")}`;
}
