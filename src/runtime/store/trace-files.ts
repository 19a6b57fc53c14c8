// The files of a trace that is being written. The folder is really a folder, ours, and closed to others; every
// file in it is created by us and never opened a second time; a byte counts as kept only after fsync.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { quoteText } from "../../base/escape.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import { describeSystemError, kindOfFile } from "./regular-file.js";

export const TRACE_FILE = "trace.jsonl";
export const FRAMES_FOLDER = "frames";
export const DOCUMENTS_FOLDER = "documents";

/** The calls that write; a test hands in failing ones. */
export interface WritingCalls {
  write(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  sync(fd: number): void;
}

const systemCalls: WritingCalls = {
  write: (fd, bytes, offset, length) => writeSync(fd, bytes, offset, length),
  sync: fsyncSync,
};

function refuse(path: string, reason: string, cause?: unknown): CapuchinError {
  return new CapuchinError("E_AUDIT", `the trace folder ${quoteText(path, 300)} ${reason}`, { cause });
}

function requirePrivateFolder(path: string, stats: Stats): void {
  if (!stats.isDirectory()) throw refuse(path, `is ${kindOfFile(stats)}, not a folder`);
  const uid = process.getuid?.();
  if (uid === undefined) return;
  if (stats.uid !== uid) throw refuse(path, `belongs to another user (uid ${stats.uid})`);
  if ((stats.mode & 0o022) !== 0)
    throw refuse(path, "can be written by others; take that away with chmod go-w");
}

/** Opens the folder itself, creating it (and what is above it) for this user alone where it is absent. */
function openFolder(path: string): number {
  // Looked at first for a message that says what stands there; the opened folder is what counts.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found) requirePrivateFolder(path, found);
  else mkdirSync(path, { recursive: true, mode: 0o700 });
  const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const fd = openSync(path, flags);
  try {
    requirePrivateFolder(path, fstatSync(fd));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return fd;
}

const CREATE =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_EXCL |
  constants.O_APPEND |
  (constants.O_NOFOLLOW ?? 0);

export class TraceFiles {
  readonly folder: string;
  readonly #calls: WritingCalls;
  readonly #folderFd: number;
  readonly #traceFd: number;
  #open = true;

  /** @throws CapuchinError E_AUDIT when the folder or a file in it is not as it must be. */
  constructor(folder: string, calls: WritingCalls = systemCalls) {
    this.folder = resolve(folder);
    this.#calls = calls;
    const opened: number[] = [];
    try {
      opened.push(openFolder(this.folder));
      opened.push(openSync(join(this.folder, TRACE_FILE), CREATE, 0o600));
      mkdirSync(join(this.folder, FRAMES_FOLDER), { mode: 0o700 });
      mkdirSync(join(this.folder, DOCUMENTS_FOLDER), { mode: 0o700 });
      const [folderFd = -1, traceFd = -1] = opened;
      this.#folderFd = folderFd;
      this.#traceFd = traceFd;
      this.#requireSameFolder();
      calls.sync(folderFd);
    } catch (error) {
      for (const fd of opened) closeSync(fd);
      throw this.#asAudit(error);
    }
  }

  /** Appends bytes to trace.jsonl; returns once they are on disk. */
  append(bytes: Uint8Array): void {
    this.#writeAll(this.#traceFd, bytes);
  }

  /** Keeps a frame under a name; returns once it and its entry in the folder are on disk. */
  createFrame(name: string, bytes: Uint8Array): void {
    this.#create(FRAMES_FOLDER, name, bytes);
  }

  /** Keeps a document under a name; returns once it and its entry in the folder are on disk. */
  createDocument(name: string, bytes: Uint8Array): void {
    this.#create(DOCUMENTS_FOLDER, name, bytes);
  }

  #create(inner: string, name: string, bytes: Uint8Array): void {
    const folder = join(this.folder, inner);
    const fd = openSync(join(folder, name), CREATE, 0o600);
    try {
      this.#writeAll(fd, bytes);
    } finally {
      closeSync(fd);
    }
    const folderFd = openSync(folder, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      this.#calls.sync(folderFd);
    } finally {
      closeSync(folderFd);
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#traceFd);
    closeSync(this.#folderFd);
  }

  #writeAll(fd: number, bytes: Uint8Array): void {
    let offset = 0;
    while (offset < bytes.length) offset += this.#calls.write(fd, bytes, offset, bytes.length - offset);
    this.#calls.sync(fd);
  }

  /** The path still leads to the folder that was opened and checked. */
  #requireSameFolder(): void {
    const held = fstatSync(this.#folderFd);
    const named = lstatSync(this.folder);
    if (held.dev !== named.dev || held.ino !== named.ino) {
      throw refuse(this.folder, "was exchanged while it was opened");
    }
  }

  #asAudit(error: unknown): CapuchinError {
    if (error instanceof CapuchinError) return error;
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") {
      const what = path ?? this.folder;
      return refuse(
        this.folder,
        `cannot take a new trace: ${quoteText(what, 300)} already exists; name a new folder`,
        error,
      );
    }
    return refuse(this.folder, describeSystemError(error), error);
  }
}
