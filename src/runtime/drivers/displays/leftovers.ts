// What must not survive a virtual display: its processes, its socket and its private folder. Processes are known by
// the folder's path in their environment, which no other process has; a socket by its inode. (Started with
// `-displayfd`, the server makes no lock file.)
import { appendFileSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** Names the private folder in the environment of every process of a display. */
export const MARK = "CAPUCHIN_DISPLAY_FOLDER";

/** Processes, other than this one, that carry the mark of the folder. */
export function findMarked(folder: string): number[] {
  const mark = `${MARK}=${folder}`;
  let entries: string[];
  try {
    entries = readdirSync("/proc");
  } catch {
    return [];
  }
  return entries
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const environment = readFileSync(`/proc/${name}/environ`, "latin1").split("\0");
        return environment.includes(mark) && Number(name) !== process.pid ? [Number(name)] : [];
      } catch {
        // Ended meanwhile, or another user's.
        return [];
      }
    });
}

export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^\d+ \(.*\) [ZX]/s.test(stat);
  } catch {
    return false;
  }
}

export function signalAll(pids: readonly number[], signal: "SIGTERM" | "SIGKILL"): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended.
    }
  }
}

/** A socket file, told apart from a later one of the same name. */
export interface SocketFile {
  readonly path: string;
  readonly inode: number;
}

/** The socket of a display that has just come up. */
export function socketOf(display: string): SocketFile {
  const path = `/tmp/.X11-unix/X${display.slice(1)}`;
  return { path, inode: statSync(path).ino };
}

/** Removes the socket of a server that is dead, unless another server has put its own in the place. */
export function removeSocket(socket: SocketFile, server: number): void {
  try {
    if (!isAlive(server) && statSync(socket.path).ino === socket.inode) rmSync(socket.path, { force: true });
  } catch {
    // The server removed it itself.
  }
}

const FOLDER_PREFIX = "capuchin-display-";
const OWNERS = "owners";

/** The pid of a process with its start time, which together are never used again. */
function identify(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // State, then 18 more fields, then the start time in clock ticks.
    return fields[0] === "Z" || fields[0] === "X" ? undefined : `${pid} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Makes the private folder of a display; only this user can look into it. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  noteOwner(folder, process.pid);
  return folder;
}

/** Notes a process that will remove the folder. */
export function noteOwner(folder: string, pid: number): void {
  const identity = identify(pid);
  if (identity !== undefined) appendFileSync(join(folder, OWNERS), `${identity}\n`, { mode: 0o600 });
}

/**
 * Ends and removes what earlier runs left behind whose every owner was killed: processes that carry the folder's
 * mark, and the folder.
 */
export function sweepAbandoned(): void {
  const own = process.getuid?.();
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const folder = join(tmpdir(), name);
    try {
      const stat = lstatSync(folder);
      if (!stat.isDirectory() || stat.uid !== own) continue;
      const owners = readFileSync(join(folder, OWNERS), "latin1").trim().split("\n");
      if (owners.some((owner) => identify(Number(owner.split(" ")[0])) === owner)) continue;
      signalAll(findMarked(folder), "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Being made or removed by its owner at this moment.
    }
  }
}
