// The process behind a window, as the X server itself knows it, and whether that process is at rest. Only of local
// programs in the same process namespace; for others nothing is known.
import { readdirSync, readFileSync } from "node:fs";
import type { XConnection } from "./connection.js";
import { resources } from "./requests.js";

/** The pid of the program that made the window; undefined when it is not local or not visible here. */
export async function findProcess(connection: XConnection, window: number): Promise<number | undefined> {
  try {
    const { opcode } = await connection.extension("X-Resource");
    await connection.ask(resources.queryVersion(opcode));
    const { body } = await connection.ask(resources.queryClientPid(opcode, window));
    if (body.readUInt32LE(0) === 0 || body.length < 40) return undefined;
    const pid = body.readUInt32LE(36);
    return pid > 0 && readTasks(pid).length > 0 ? pid : undefined;
  } catch {
    // The window may be gone, or the server too old to tell.
    return undefined;
  }
}

function readTasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The fields of a process's or a task's status after its name: state, parent, … */
function readStatus(path: string): string[] | undefined {
  try {
    const stat = readFileSync(`${path}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** The process and all it started, directly or over others. */
export function familyOf(pid: number): number[] {
  const family = new Set([pid]);
  const parents = new Map<number, number>();
  for (const name of readProcesses()) {
    const parent = Number(readStatus(`/proc/${name}`)?.[1] ?? 0);
    parents.set(name, parent);
  }
  for (let grew = true; grew; ) {
    grew = false;
    for (const [child, parent] of parents) {
      if (family.has(parent) && !family.has(child)) {
        family.add(child);
        grew = true;
      }
    }
  }
  return [...family];
}

function readProcesses(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** A thread that waits, with how often it was switched; undefined for one that runs or wants to. */
function restOf(task: string): string | undefined {
  if (readStatus(task)?.[0] !== "S") return undefined;
  try {
    const status = readFileSync(`${task}/status`, "latin1");
    return `${task} ${status.match(/ctxt_switches:\s*\d+/g)?.join(" ") ?? ""}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether the processes are at rest: equal answers at two looks mean that none of their threads ran in between, and
 * so that they have read what had reached them, since unread input would have woken them. Undefined while one runs.
 */
export function restSnapshot(pids: readonly number[]): string | undefined {
  const rests: string[] = [];
  for (const pid of pids) {
    for (const task of readTasks(pid)) {
      const rest = restOf(`/proc/${pid}/task/${task}`);
      if (rest === undefined) return undefined;
      rests.push(rest);
    }
  }
  return rests.join("|");
}

/** Looks in a row that must find everything at rest, unchanged. */
const LOOKS = 3;
const LOOK_MS = 8;

/** Waits until the processes rest, at most `maxMs`; says whether they do. */
export async function untilAtRest(
  pids: readonly number[],
  maxMs: number,
  pause: (ms: number) => Promise<void>,
): Promise<boolean> {
  let last: string | undefined;
  let same = 0;
  for (let waited = 0; waited < maxMs; waited += LOOK_MS) {
    const now = restSnapshot(pids);
    same = now !== undefined && now === last ? same + 1 : 0;
    if (same >= LOOKS) return true;
    last = now;
    await pause(LOOK_MS);
  }
  return false;
}

/** Whether a process is another one, or was started by it, directly or over others. */
export function descendsFrom(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; ) {
    if (at === ancestor) return true;
    const parent = Number(readStatus(`/proc/${at}`)?.[1] ?? 0);
    if (parent === at) return false;
    at = parent;
  }
  return false;
}
