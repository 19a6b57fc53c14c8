// The explanation pages that `capuchin explain` prints, for the codes of both tables.
import { BUILD_CODE_LIST, BUILD_CODES, type BuildCodeName, isBuildCode } from "../build-codes.js";
import { type Consequence, isRunCode, RUN_CODE_LIST, RUN_CODES, type RunCodeName } from "../run-codes.js";
import { DECLARATION_EXPLANATIONS } from "./declaration.js";
import type { ExampleFiles, Explanation } from "./explanation.js";
import { PROOF_EXPLANATIONS } from "./proof.js";
import { RUN_ADVICE } from "./run-advice.js";

/** The explanation of each build code; a code without one does not compile. */
export const BUILD_EXPLANATIONS: Readonly<Record<BuildCodeName, Explanation>> = {
  ...DECLARATION_EXPLANATIONS,
  ...PROOF_EXPLANATIONS,
};

const AFTER: Readonly<Record<Consequence, string>> = {
  refuse: 'The action is refused; `onViolation` says whether the run goes on ("refuse") or ends ("abort").',
  stop: "The run ends.",
  ask: "A person is asked.",
  retry: "It is tried again, a few times at most.",
};

/** The build code behind a name; Mighty's MT6017 to MT6020 are carried on under our numbers. */
export function findCode(name: string): BuildCodeName | RunCodeName | undefined {
  const upper = name.toUpperCase();
  const own = /^MT60(?:17|18|19|20)$/.test(upper) ? upper.replace("MT", "CU") : upper;
  return isBuildCode(own) || isRunCode(own) ? own : undefined;
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n");
}

function formatExample(files: ExampleFiles): string {
  if (typeof files === "string") return indent(files);
  return Object.entries(files)
    .map(([path, text]) => `${indent(`// ${path}`)}\n${indent(text)}`)
    .join("\n\n");
}

function explainBuild(code: BuildCodeName): string {
  const { title, severity } = BUILD_CODES[code];
  const { cause, wrong, right, fix, source } = BUILD_EXPLANATIONS[code];
  return [
    `${code} (${severity}): ${title}`,
    `Cause\n${indent(cause)}`,
    `Refused\n${formatExample(wrong)}`,
    `Accepted\n${formatExample(right)}`,
    `Fix\n${indent(fix)}`,
    `Source\n${indent(source)}`,
    "",
  ].join("\n\n");
}

function explainRun(code: RunCodeName): string {
  const { title, next, effect, toModel } = RUN_CODES[code];
  const done =
    effect === "none"
      ? "Nothing reached the display."
      : "Events may have reached the display; the action is not tried again by itself.";
  return [
    `${code}: ${title}`,
    `What happens\n${indent(`${AFTER[next]}\n${done}`)}`,
    `What to do\n${indent(RUN_ADVICE[code])}`,
    `What the model reads\n${indent(toModel)}`,
    `Source\n${indent("the trace of the run has the full reason")}`,
    "",
  ].join("\n\n");
}

function listCodes(): string {
  const build = BUILD_CODE_LIST.map((code) => `${code}  ${BUILD_CODES[code].title}`);
  const width = Math.max(...RUN_CODE_LIST.map((code) => code.length));
  const run = RUN_CODE_LIST.map((code) => `${code.padEnd(width)}  ${RUN_CODES[code].title}`);
  return ["Build codes", "", ...build, "", "Run codes", "", ...run, ""].join("\n");
}

/** The page of a code, the list of all without one, or undefined for a name that is no code. */
export function explain(name?: string): string | undefined {
  if (name === undefined) return listCodes();
  const code = findCode(name);
  if (code === undefined) return undefined;
  return isBuildCode(code) ? explainBuild(code) : explainRun(code);
}
