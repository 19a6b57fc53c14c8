// What must not survive a virtual display: its processes, its lock, its socket and its private folder. Processes are
// known by the folder's path in their environment, which no other process has; a lock is ours by the pid in it.
import { readdirSync, readFileSync, rmSync } from "node:fs";
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

/** Removes lock and socket of a display, if the lock names the given server and that server is dead. */
export function removeServerFiles(display: string, server: number): void {
  const number = display.slice(1);
  const lock = `/tmp/.X${number}-lock`;
  try {
    if (Number(readFileSync(lock, "latin1").trim()) !== server || isAlive(server)) return;
  } catch {
    return;
  }
  rmSync(lock, { force: true });
  rmSync(`/tmp/.X11-unix/X${number}`, { force: true });
}
