// No API key reaches an output of the command line, whoever put it into a message: that of the environment, and what
// looks like one.
import { Mask } from "../base/mask.js";
import type { CliIo, Output } from "./io.js";

/** What looks like a key of the API. */
export const KEY_PATTERN = /\bsk-ant-[A-Za-z0-9_-]{16,}/;
const EVERY_KEY = new RegExp(KEY_PATTERN, "g");
/** A shorter key is one of a test, and may stand in a text by chance. */
export const KEY_LEAST_CHARACTERS = 12;

type Environment = Readonly<Record<string, string | undefined>>;

/** Takes every key out of texts. */
export function keyMask(env: Environment): (text: string) => string {
  const key = env["ANTHROPIC_API_KEY"] ?? "";
  const mask = new Mask("[key]", key.length >= KEY_LEAST_CHARACTERS ? [key] : []);
  return (text) => mask.apply(text).replace(EVERY_KEY, "[key]");
}

class MaskedOutput implements Output {
  readonly #output: Output;
  readonly #mask: (text: string) => string;

  constructor(output: Output, mask: (text: string) => string) {
    this.#output = output;
    this.#mask = mask;
  }

  write(text: string): Promise<void> {
    return this.#output.write(this.#mask(text));
  }

  get isTerminal(): boolean {
    return this.#output.isTerminal;
  }

  get columns(): number | undefined {
    return this.#output.columns;
  }

  get isClosed(): boolean {
    return this.#output.isClosed;
  }

  get failure(): string | undefined {
    return this.#output.failure;
  }
}

/** The same process, its outputs masked: `foreign` masks what other code writes, piece by piece. */
export function withMaskedOutputs(
  io: CliIo,
  mask: (text: string) => string = keyMask(io.env),
  foreign?: (piece: string) => string,
): CliIo {
  return {
    stdin: io.stdin,
    stdout: new MaskedOutput(io.stdout, mask),
    stderr: new MaskedOutput(io.stderr, mask),
    env: io.env,
    cwd: io.cwd,
    home: io.home,
    divertForeignOutput: (around, inner) => io.divertForeignOutput(around, inner ?? foreign),
    onSignal: (handler) => io.onSignal(handler),
    onUncaught: (handler) => io.onUncaught(handler),
    onForeignExit: (handler) => io.onForeignExit(handler),
  };
}
