// Commands and flags of the design that this version does not have. They are known by name, so that asking for one
// is answered with that, and never with a guess or silence. All of them exit 2.
import type { Command } from "commander";
import { UsageError } from "./usage-error.js";

const LATER_COMMANDS = [
  "lock",
  "approvals",
  "stop",
  "policy",
  "doctor",
  "mcp",
  "serve",
  "contract",
  "runs",
  "a2a",
  "lsp",
  "worker",
  "fleet",
] as const;

function notYet(what: string): UsageError {
  return new UsageError(`${what} is not in this version of capuchin`);
}

/** Knows the commands that come later, without listing them in the help. */
export function registerLaterCommands(parent: Command, names: readonly string[] = LATER_COMMANDS): void {
  for (const name of names) {
    parent
      .command(name, { hidden: true })
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw notYet(parent.parent ? `capuchin ${parent.name()} ${name}` : `capuchin ${name}`);
      });
  }
}

/** Knows flags that come later, such as `--watch` or `--state <dir>`, without listing them in the help. */
export function registerLaterFlags(command: Command, flags: readonly string[]): void {
  for (const flag of flags) {
    const option = command.createOption(flag).hideHelp();
    command.addOption(option);
    command.on(`option:${option.name()}`, () => {
      throw notYet(`capuchin ${command.name()} --${option.name()}`);
    });
  }
}
