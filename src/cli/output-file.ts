// Writing a result file: whole or not at all, and only where a regular file or nothing stands. A device, a link, a
// folder or a pipe in its place is refused before anything is touched.
import { closeSync, constants, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { randomId } from "../base/digest.js";
import { quoteText } from "../base/escape.js";
import { describeSystemError, kindOfFile } from "../runtime/store/regular-file.js";
import { UsageError } from "./usage-error.js";

function refuse(path: string, reason: string): UsageError {
  return new UsageError(`${quoteText(path, 300)} ${reason}`);
}

/** Whether a file may be written there. @throws UsageError with what stands in its place. */
export function requireWritablePlace(path: string): void {
  let stats: ReturnType<typeof lstatSync>;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw refuse(path, describeSystemError(error));
  }
  if (stats && !stats.isFile()) throw refuse(path, `is ${kindOfFile(stats)}, not a regular file`);
}

/**
 * A file that is written piece by piece beside its place and takes it when it is finished. `mode` as chmod takes it.
 * @throws UsageError when it cannot be written; nothing is left behind then.
 */
export class OutputFile {
  readonly name: string;
  readonly #path: string;
  readonly #temporary: string;
  #fd: number | undefined;
  #bytes = 0;

  constructor(path: string, mode = 0o644) {
    requireWritablePlace(path);
    this.name = quoteText(path, 300);
    this.#path = path;
    this.#temporary = join(dirname(path), `.${basename(path)}.${randomId("new")}`);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    try {
      this.#fd = openSync(this.#temporary, flags, mode);
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  write(text: string): void {
    const fd = this.#fd;
    if (fd === undefined) throw new Error("internal: the output file is closed");
    try {
      const bytes = Buffer.from(text, "utf8");
      let offset = 0;
      while (offset < bytes.length) offset += writeSync(fd, bytes, offset);
      this.#bytes += bytes.length;
    } catch (error) {
      this.discard();
      throw this.#refusal(error);
    }
  }

  /** The file takes its place, whole and on disk. */
  finish(): void {
    const fd = this.#fd;
    if (fd === undefined) throw new Error("internal: the output file is closed");
    try {
      fsyncSync(fd);
      closeSync(fd);
      this.#fd = undefined;
      renameSync(this.#temporary, this.#path);
    } catch (error) {
      this.discard();
      rmSync(this.#temporary, { force: true });
      throw this.#refusal(error);
    }
  }

  /** Leaves nothing behind, unless the file is finished. */
  discard(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    rmSync(this.#temporary, { force: true });
  }

  #refusal(error: unknown): UsageError {
    return refuse(this.#path, `cannot be written: its folder ${describeSystemError(error)}`);
  }
}

/** Writes a file by a new one that takes its name. @throws UsageError when it cannot be written. */
export function writeOutputFile(path: string, text: string): void {
  const file = new OutputFile(path);
  file.write(text);
  file.finish();
}
