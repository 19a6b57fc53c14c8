// Starts an X server for one display and a window manager on it, and waits for facts: the server names its display
// number, answers a connection, and the window manager announces itself.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
import type { Readable } from "node:stream";
import { systemClock } from "../../../base/clock.js";
import { escapeText } from "../../../base/escape.js";
import { requireValue } from "../../../base/require.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { XConnection } from "../x11/connection.js";
import { writeAuthorityFile } from "./authority-file.js";
import type { KeeperStart } from "./keeper-protocol.js";
import { MARK } from "./leftovers.js";
import { OPENBOX_CONFIG } from "./openbox-config.js";
import { findProgram, requirePrograms } from "./program-path.js";
import { requirePrivate } from "./require-private.js";

const SERVER_MS = 15_000;
const MANAGER_MS = 10_000;
const LOOK_AGAIN_MS = 15;
const STDERR_KEPT = 2000;

/** A process whose standard error is kept, bounded, for messages. */
export class Helper {
  readonly child: ChildProcess;
  readonly name: string;
  readonly ended: Promise<void>;
  #stderr = "";

  constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    this.ended = new Promise((resolve) => {
      child.once("error", (error) => {
        this.#stderr += error.message;
        resolve();
      });
      child.once("exit", () => resolve());
    });
  }

  describeEnd(): string {
    const { exitCode, signalCode } = this.child;
    const how = signalCode === null ? `code ${exitCode}` : signalCode;
    const complaint = escapeText(this.#stderr.trim().replaceAll("\n", " | "));
    return `${this.name} ended (${how})${complaint === "" ? "" : `: ${complaint}`}`;
  }
}

/** A command that dies with the process that starts it, where the system can arrange that. */
export function tied(command: string, args: readonly string[], signal: "TERM" | "KILL"): [string, string[]] {
  const setpriv = findProgram("setpriv");
  return setpriv ? [setpriv, ["--pdeathsig", signal, "--", command, ...args]] : [command, [...args]];
}

export interface DisplayServer {
  readonly display: string;
  readonly server: Helper;
  readonly manager: Helper;
  /** A connection that lives as long as the display. */
  readonly connection: XConnection;
  readonly environment: Readonly<Record<string, string>>;
}

export async function startDisplayServer(start: KeeperStart): Promise<DisplayServer> {
  const layoutPrograms = start.layout === undefined ? [] : ["setxkbmap"];
  const [xvfb = "", openbox = "", setxkbmap = ""] = requirePrograms(["Xvfb", "openbox", ...layoutPrograms]);
  const authority = `${start.folder}/authority`;
  writeAuthorityFile(authority);
  const { server, display } = await startServer(xvfb, start, authority);
  requirePrivate(requireValue(server.child.pid, "a running server has a number"), authority);
  const environment = { DISPLAY: display, XAUTHORITY: authority, [MARK]: start.folder };
  // The connection takes its cookie from the environment of this process.
  process.env["XAUTHORITY"] = authority;
  const connection = await XConnection.open(display);
  if (start.layout !== undefined) await setLayout(setxkbmap, start.layout, environment);
  const manager = await startManager(openbox, start.folder, environment, connection);
  return { display, server, manager, connection, environment };
}

async function startServer(
  xvfb: string,
  start: KeeperStart,
  authority: string,
): Promise<{ server: Helper; display: string }> {
  const { width, height } = start.size;
  const [command, args] = tied(
    xvfb,
    [
      ...["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-auth", authority],
      ...["-nolisten", "tcp", "-noreset", "-dpi", "96", "+extension", "RECORD", "+extension", "XTEST"],
    ],
    // TERM lets the server remove its own lock and socket.
    "TERM",
  );
  const child = spawn(command, args, {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin", HOME: start.folder, [MARK]: start.folder },
    cwd: "/",
    detached: true,
  });
  const server = new Helper("Xvfb", child);
  const numbers = requireValue(child.stdio[3], "descriptor 3 is a pipe") as Readable;
  const named = new Promise<string>((resolve) => {
    let text = "";
    numbers.setEncoding("latin1").on("data", (part: string) => {
      text += part;
      const [, number] = /^(\d{1,5})\n/.exec(text) ?? [];
      if (number !== undefined) resolve(`:${number}`);
    });
  });
  const display = await Promise.race([
    named,
    server.ended.then(() => undefined),
    systemClock.sleep(SERVER_MS).then(() => undefined),
  ]);
  if (display === undefined) {
    const over = child.exitCode !== null || child.signalCode !== null;
    throw new DriverError(
      "E_BACKEND",
      over ? server.describeEnd() : `Xvfb named no display within ${SERVER_MS} ms`,
      0,
    );
  }
  return { server, display };
}

async function setLayout(
  setxkbmap: string,
  layout: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const variants = layout.split(",").map((part) => /\((.*)\)/.exec(part)?.[1] ?? "");
  const layouts = layout.replace(/\([^)]*\)/g, "");
  const child = spawn(setxkbmap, ["-layout", layouts, "-variant", variants.join(",")], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: "/usr/bin:/bin", ...environment },
    cwd: "/",
  });
  const helper = new Helper("setxkbmap", child);
  await helper.ended;
  if (child.exitCode !== 0) throw new DriverError("E_BACKEND", helper.describeEnd(), 0);
}

async function startManager(
  openbox: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  connection: XConnection,
): Promise<Helper> {
  const config = `${folder}/rc.xml`;
  writeFileSync(config, OPENBOX_CONFIG, { mode: 0o600, flag: "wx" });
  const [command, args] = tied(openbox, ["--config-file", config, "--sm-disable"], "KILL");
  const child = spawn(command, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: "/usr/bin:/bin",
      LANG: "C.UTF-8",
      // A home of its own: it neither reads nor writes the user's settings.
      HOME: folder,
      XDG_CACHE_HOME: folder,
      // It reads the compose table again at every change of the keyboard map, which takes long for the real one.
      XCOMPOSEFILE: "/dev/null",
      ...environment,
    },
    cwd: "/",
    detached: true,
  });
  const manager = new Helper("openbox", child);
  let over = false;
  void manager.ended.then(() => {
    over = true;
  });
  for (let waited = 0; waited < MANAGER_MS; waited += LOOK_AGAIN_MS) {
    if (over) throw new DriverError("E_BACKEND", manager.describeEnd(), 0);
    if (await connection.property(connection.root, "_NET_SUPPORTING_WM_CHECK")) return manager;
    await systemClock.sleep(LOOK_AGAIN_MS);
  }
  throw new DriverError("E_BACKEND", `openbox did not announce itself within ${MANAGER_MS} ms`, 0);
}
