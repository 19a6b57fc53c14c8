// Reads a file that must be exactly that: no link, device, pipe or folder in its place, ours or root's, and not
// writable by everyone. Opening never blocks and never follows a link; what is checked is what was opened.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

/** Why a file was refused, in words that follow its path: "is a folder". */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ELOOP: "is a symbolic link; name the file itself",
  ENXIO: "is a socket or a pipe, not a regular file",
  EACCES: "is closed to this user (permission denied)",
  EPERM: "is closed to this user (operation not permitted)",
  EROFS: "lies on a read-only file system",
  ENOSPC: "has no space left on its disk",
  EDQUOT: "is over the disk quota",
  EFBIG: "is over the limit of file sizes",
  EIO: "lies on a disk that reports an input/output error",
  ENOTDIR: "lies below something that is no folder",
  ENAMETOOLONG: "has too long a name",
  EMFILE: "cannot be opened: too many open files",
  ENFILE: "cannot be opened: too many open files",
  ERR_INVALID_ARG_VALUE: "is no valid path",
};

/** The reason of a system error, in words that follow a path. */
export function describeSystemError(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "unknown error";
  return REASONS[code] ?? `cannot be used (${code})`;
}

/** What stands in the place of a regular file. */
export function kindOfFile(stats: Stats): string {
  if (stats.isFile()) return "a regular file";
  if (stats.isDirectory()) return "a folder";
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

/** Whether a file belongs to this user or to root. Where the system has no users, everything does. */
export function isTrustedOwner(stats: Stats): boolean {
  const uid = process.getuid?.();
  return uid === undefined || stats.uid === uid || stats.uid === 0;
}

/** Opens a regular file for reading. @throws FileRefusal; the file is closed then. */
export function openRegularFile(path: string): { readonly fd: number; readonly stats: Stats } {
  let fd: number;
  try {
    // Windows has neither flag; there the check of the opened file is what holds.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    throw new FileRefusal(describeSystemError(error), { cause: error });
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new FileRefusal(`is ${kindOfFile(stats)}, not a regular file`);
    if (!isTrustedOwner(stats)) {
      throw new FileRefusal(`belongs to another user (uid ${stats.uid}); it must be yours or root's`);
    }
    if (process.getuid !== undefined && (stats.mode & 0o002) !== 0) {
      throw new FileRefusal("can be written by everyone; take that away with chmod o-w");
    }
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The whole content of a regular file of at most `maxBytes`. @throws FileRefusal */
export function readRegularFile(path: string, maxBytes: number): Uint8Array {
  const { fd, stats } = openRegularFile(path);
  try {
    if (stats.size > maxBytes) throw new FileRefusal(`has ${stats.size} bytes, more than ${maxBytes}`);
    // One byte more than promised, so that a file that grows meanwhile is noticed.
    const buffer = Buffer.alloc(stats.size + 1);
    let length = 0;
    while (length < buffer.length) {
      const read = readSync(fd, buffer, length, buffer.length - length, null);
      if (read === 0) break;
      length += read;
    }
    if (length > stats.size) throw new FileRefusal("changed while it was read");
    return buffer.subarray(0, length);
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    throw new FileRefusal(describeSystemError(error), { cause: error });
  } finally {
    closeSync(fd);
  }
}
