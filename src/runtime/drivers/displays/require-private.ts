// That a display of ours is private is looked at when it has started, not assumed: its cookie file is readable by its
// owner alone, and its server listens on no TCP port.
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { DriverError } from "../../../diagnostics/errors.js";

const LISTEN = "0A";

/** The inodes of all TCP sockets that listen, as the kernel lists them. */
function listeningInodes(pid: number): ReadonlySet<string> {
  const rows = ["tcp", "tcp6"].flatMap((name) => {
    try {
      return readFileSync(`/proc/${pid}/net/${name}`, "latin1").split("\n").slice(1);
    } catch {
      // A kernel without IPv6 has no such list.
      return [];
    }
  });
  const fields = rows.map((row) => row.trim().split(/\s+/));
  return new Set(fields.flatMap((row) => (row[3] === LISTEN && row[9] !== undefined ? [row[9]] : [])));
}

/** Whether a process of ours holds a TCP socket that listens. */
export function listensOnTcp(pid: number): boolean {
  const listening = listeningInodes(pid);
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode !== undefined && listening.has(inode);
    } catch {
      // Closed meanwhile.
      return false;
    }
  });
}

/** @throws DriverError E_ENV_DRIFT when somebody else could come in. */
export function requirePrivate(serverPid: number, authority: string): void {
  const mode = statSync(authority).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    throw new DriverError(
      "E_ENV_DRIFT",
      `the display's cookie file can be read by others (mode ${mode.toString(8)}): its folder's file system keeps no rights`,
      0,
    );
  }
  if (listensOnTcp(serverPid)) {
    throw new DriverError(
      "E_ENV_DRIFT",
      "the display's server listens on a TCP port, in spite of -nolisten",
      0,
    );
  }
}
