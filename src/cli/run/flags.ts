// The flags of `capuchin run`, read and judged as a whole before anything is loaded or started.
import { type Command, InvalidArgumentError } from "commander";
import { LIMITS } from "../../contract/limits.js";
import {
  choiceValue,
  type FlagReader,
  integerValue,
  once,
  pathValue,
  positionalPath,
  requireValue,
  textValue,
  wordValue,
} from "../flag-values.js";
import { registerLaterFlags } from "../later.js";
import { UsageError } from "../usage-error.js";
import { splitCommand } from "./split-command.js";

export type ModelChoice =
  | { readonly kind: "anthropic"; readonly id: string | undefined }
  | { readonly kind: "script" | "replay"; readonly path: string };

export type DesktopKind = "virtual" | "fake" | "host";

export interface RunFlags {
  readonly goal: string;
  readonly agent?: string;
  readonly method?: string;
  readonly spec?: string;
  readonly desktop?: DesktopKind;
  readonly driver?: "x11" | "nut";
  readonly unproved?: true;
  readonly app?: readonly string[];
  readonly model?: ModelChoice;
  readonly trace?: string;
  readonly record?: string;
  readonly secretsFile?: string;
  readonly traceWords?: true;
  readonly traceFrames?: "kept" | "digest-only";
  readonly maxTurns?: number;
  readonly stream?: true;
  readonly json?: true;
}

const modelValue: FlagReader<ModelChoice> = once((value) => {
  const text = requireValue(value);
  const colon = text.indexOf(":");
  const kind = colon === -1 ? text : text.slice(0, colon);
  const rest = colon === -1 ? undefined : text.slice(colon + 1);
  if (rest !== undefined && /^sk-/.test(rest)) {
    throw new InvalidArgumentError("That looks like an API key; it belongs in ANTHROPIC_API_KEY only.");
  }
  if (kind === "anthropic" && rest !== "") return { kind, id: rest };
  if ((kind === "script" || kind === "replay") && rest !== undefined && rest !== "") {
    return { kind, path: rest };
  }
  throw new InvalidArgumentError("It must be anthropic, anthropic:ID, script:FILE or replay:DIR.");
});

const appValue: FlagReader<readonly string[]> = once((value) => {
  const reading = splitCommand(value);
  if (!reading.ok) throw new InvalidArgumentError(`As a command, ${reading.reason}.`);
  return reading.words;
});

/** Declares the flags on a command. */
export function addRunFlags(command: Command): void {
  command
    .argument("<module>", "the module that exports the agent: .ts, .js or .mjs", positionalPath)
    .option("--goal <text>", "what the agent is to do; required", textValue)
    .option("--agent <name>", "which agent of the module; not needed where there is only one", wordValue)
    .option("--method <name>", "the method that is called with the goal (default: run)", wordValue)
    .option(
      "--spec <file>",
      "the spec to enforce; without it the project is checked and built in memory",
      pathValue,
    )
    .option(
      "--desktop <kind>",
      "virtual (default), fake, or host: the display that you are using",
      choiceValue(["virtual", "fake", "host"]),
    )
    .option(
      "--driver <name>",
      "the driver of a real display: x11 (default), or nut (see docs/platforms.md)",
      choiceValue(["x11", "nut"]),
    )
    .option("--unproved", "allow the nut driver on macOS and Windows, where it was never proved")
    .option(
      "--app <command>",
      "a program to start on the virtual display; split into words, no shell",
      appValue,
    )
    .option(
      "--model <model>",
      "anthropic[:ID] (default), script:FILE or replay:DIR (see docs/scripts.md)",
      modelValue,
    )
    .option(
      "--trace <dir>",
      "where the trace goes; a folder that holds none yet (default: a private one)",
      pathValue,
    )
    .option("--record <dir>", "keep the model's replies, so that --model replay:DIR can play them", pathValue)
    .option(
      "--secrets-file <file>",
      "texts to mask wherever the run writes or tells of something, one a line; the API key always is",
      pathValue,
    )
    .option("--trace-words", "keep the model's words in the trace, without secrets and typed texts")
    .option(
      "--trace-frames <how>",
      "kept (default) or digest-only: no picture of the screen, which nothing masks",
      choiceValue(["kept", "digest-only"]),
    )
    .option("--stream", "receive the model's replies in pieces; each is acted on when it is whole")
    .option(
      "--max-turns <n>",
      "fewer turns than the spec allows (default: those of the spec)",
      integerValue(1, LIMITS.maxTurnsMax),
    )
    .option("--json", "print the result as one JSON document, and nothing else, on standard output");
  registerLaterFlags(command, ["--state <dir>"]);
}

/** Flags that do not go together. @throws UsageError */
export function judgeFlags(flags: RunFlags): void {
  const { desktop = "virtual" } = flags;
  if (flags.app && desktop !== "virtual") {
    throw new UsageError(
      `--app starts a program on the virtual display; it does not go with --desktop ${desktop}`,
    );
  }
  if (flags.stream && flags.model?.kind === "replay") {
    throw new UsageError("--stream receives replies of a server; it does not go with --model replay");
  }
  if (flags.unproved && (flags.driver !== "nut" || desktop !== "host")) {
    throw new UsageError("--unproved is about --desktop host --driver nut");
  }
  if (flags.driver && desktop === "fake") {
    throw new UsageError("--driver drives a real display; it does not go with --desktop fake");
  }
}
