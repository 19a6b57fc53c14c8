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

/** Writes a file by a new one that takes its name. @throws UsageError when it cannot be written. */
export function writeOutputFile(path: string, text: string): void {
  requireWritablePlace(path);
  const temporary = join(dirname(path), `.${basename(path)}.${randomId("new")}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  let fd: number | undefined;
  try {
    fd = openSync(temporary, flags, 0o644);
    const bytes = Buffer.from(text, "utf8");
    let offset = 0;
    while (offset < bytes.length) offset += writeSync(fd, bytes, offset);
    fsyncSync(fd);
    closeSync(fd);
    fd = undefined;
    renameSync(temporary, path);
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    rmSync(temporary, { force: true });
    throw refuse(path, `cannot be written: its folder ${describeSystemError(error)}`);
  }
}
