// The secrets of a run as the command line knows them: one a line in a file, never in an argument, which every
// program of the machine can read; and the API key. Outputs of the command are masked like everything else.
import { resolve } from "node:path";
import { quoteText } from "../../base/escape.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import { Redactor } from "../../runtime/control/redaction.js";
import { FileRefusal, readRegularFile } from "../../runtime/store/regular-file.js";
import type { CliIo } from "../io.js";
import { withMaskedOutputs } from "../masked-output.js";
import type { RunFlags } from "./flags.js";

const FILE_MAX_BYTES = 1024 * 1024;

export interface RunSecrets {
  /** Declared ones; the API key is known to the model's port. */
  readonly declared: readonly string[];
  readonly redactor: Redactor;
  /** The process, its outputs masked, those of the agent's own code too. */
  readonly io: CliIo;
  /** Writes what of the agent's own output was held back, since it might have become a secret. */
  flush(): Promise<void>;
}

function linesOf(bytes: Uint8Array): string[] {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  return text.split(/\r?\n/).filter((line) => line !== "");
}

function readSecretsFile(path: string): readonly string[] {
  const refuse = (reason: string, cause?: unknown) =>
    new ConfigurationError("E_CONFIG", `the secrets file ${quoteText(path, 300)} ${reason}`, { cause });
  try {
    const secrets = linesOf(readRegularFile(path, FILE_MAX_BYTES));
    if (secrets.length === 0) throw refuse("holds no secret: write one a line");
    return secrets;
  } catch (error) {
    if (error instanceof FileRefusal) throw refuse(error.message, error);
    if (error instanceof TypeError) throw refuse("is not UTF-8", error);
    throw error;
  }
}

/** @throws ConfigurationError for a file that cannot be read or holds what cannot be a secret; no message holds one. */
export function readRunSecrets(flags: RunFlags, io: CliIo): RunSecrets {
  const declared = flags.secretsFile === undefined ? [] : readSecretsFile(resolve(io.cwd, flags.secretsFile));
  const redactor = new Redactor(declared);
  const key = io.env["ANTHROPIC_API_KEY"];
  if (key !== undefined) redactor.addSecrets([key]);
  const foreign = redactor.stream();
  return {
    declared,
    redactor,
    io: withMaskedOutputs(
      io,
      (text) => redactor.text(text),
      (piece) => foreign.push(piece),
    ),
    flush: () => io.stderr.write(foreign.flush()),
  };
}
