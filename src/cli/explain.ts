// `capuchin explain`: what a code means and what to do about it; without a code, the list of all.
import type { Command } from "commander";
import { closestName } from "../base/closest.js";
import { quoteText } from "../base/escape.js";
import { BUILD_CODE_LIST, BUILD_CODES, isBuildCode } from "../diagnostics/build-codes.js";
import { isRunCode, RUN_CODE_LIST, RUN_CODES, type RunCodeName } from "../diagnostics/run-codes.js";
import { isViolation } from "../runtime/cap/refusal.js";
import type { CliIo } from "./io.js";
import { EXIT_OK } from "./io.js";
import { UsageError } from "./usage-error.js";

/** Mighty's numbers for the same rules: CU6017 to CU6020 carry them on. */
function ownCode(code: string): string {
  const upper = code.toUpperCase();
  return /^MT60(?:17|18|19|20)$/.test(upper) ? upper.replace("MT", "CU") : upper;
}

const NEXT = {
  refuse: "the action is refused, and the run goes on",
  stop: "the run ends",
  ask: "a person is asked",
  retry: "the model is asked again, a few times at most",
} as const;

function explainRunCode(code: RunCodeName): string {
  const { title, next, effect, toModel } = RUN_CODES[code];
  const what = isViolation(code)
    ? 'the action is refused; onViolation says whether the run goes on ("refuse") or ends ("abort", the default)'
    : NEXT[next];
  const happened =
    effect === "none"
      ? "nothing reached the display"
      : "events may have reached the display; it is not tried again";
  return [
    `${code}: ${title}`,
    "",
    `What happens: ${what}.`,
    `Effect: ${happened}.`,
    `The model reads: “${toModel}” The trace has the full reason.`,
    "",
  ].join("\n");
}

function listCodes(): string {
  const build = BUILD_CODE_LIST.map(
    (code) => `  ${code}  ${BUILD_CODES[code].severity.padEnd(7)}  ${BUILD_CODES[code].title}`,
  );
  const width = Math.max(...RUN_CODE_LIST.map((code) => code.length));
  const run = RUN_CODE_LIST.map((code) => `  ${code.padEnd(width)}  ${RUN_CODES[code].title}`);
  return ["Codes of check and build:", ...build, "", "Codes of a run:", ...run, ""].join("\n");
}

async function explain(given: string | undefined, io: CliIo): Promise<number> {
  if (given === undefined) {
    await io.stdout.write(listCodes());
    return EXIT_OK;
  }
  const code = ownCode(given);
  if (isRunCode(code)) {
    await io.stdout.write(explainRunCode(code));
    return EXIT_OK;
  }
  if (isBuildCode(code)) {
    const { title, severity, message } = BUILD_CODES[code];
    await io.stdout.write(`${code} (${severity}): ${title}\n\n${message}\n`);
    return EXIT_OK;
  }
  const close = closestName(code, [...BUILD_CODE_LIST, ...RUN_CODE_LIST]);
  throw new UsageError(
    `${quoteText(given)} is no code${close ? `; did you mean ${close}?` : ""} (capuchin explain lists them all)`,
  );
}

export function registerExplain(program: Command, io: CliIo, finish: (code: number) => void): void {
  program
    .command("explain")
    .description("what a code means and what to do about it; without a code, the list of all")
    .argument("[code]", "such as CU6030, MT6017 or E_BOUNDS")
    .action(async (code: string | undefined) => finish(await explain(code, io)));
}
