// `capuchin explain`: what a code means and what to do about it; without a code, the list of all.
import type { Command } from "commander";
import { closestName } from "../base/closest.js";
import { quoteText } from "../base/escape.js";
import { BUILD_CODE_LIST } from "../diagnostics/build-codes.js";
import { explain } from "../diagnostics/explanations/explain.js";
import { RUN_CODE_LIST } from "../diagnostics/run-codes.js";
import { addHelp } from "./help.js";
import type { CliIo } from "./io.js";
import { EXIT_OK } from "./io.js";
import { UsageError } from "./usage-error.js";

async function printPage(code: string | undefined, io: CliIo): Promise<number> {
  const page = explain(code);
  if (page === undefined) {
    const close = closestName(code ?? "", [...BUILD_CODE_LIST, ...RUN_CODE_LIST]);
    throw new UsageError(
      `${quoteText(code ?? "")} is no code${close ? `; did you mean ${close}?` : ""} (capuchin explain lists them all)`,
    );
  }
  await io.stdout.write(page);
  return EXIT_OK;
}

export function registerExplain(program: Command, io: CliIo, finish: (code: number) => void): void {
  const command = program
    .command("explain")
    .description("what a code means and what to do about it; without a code, the list of all")
    .argument("[code]", "such as CU6030, MT6017 or E_BOUNDS; without one, all are listed")
    .action(async (code: string | undefined) => finish(await printPage(code, io)));
  addHelp(command, {
    examples: ["capuchin explain", "capuchin explain CU6030", "capuchin explain E_BOUNDS"],
    exits: { 0: "printed" },
  });
}
