// Entry of the keeper: the process that owns a virtual display's X server, window manager and programs. Its input is
// a pipe from the run; when that ends, for whatever reason, or at a signal, everything it owns ends before it does.
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { systemClock } from "../../../base/clock.js";
import { escapeText } from "../../../base/escape.js";
import { descendsFrom, findProcess, untilAtRest } from "../x11/client-process.js";
import type { XConnection } from "../x11/connection.js";
import { core } from "../x11/requests.js";
import { type DisplayServer, startDisplayServer, tied } from "./display-server.js";
import {
  type KeeperReply,
  type KeeperRequest,
  type KeeperStart,
  keeperRequestSchema,
  keeperStartSchema,
} from "./keeper-protocol.js";
import { findMarked, noteOwner, removeSocket, type SocketFile, signalAll, socketOf } from "./leftovers.js";
import { outputTo } from "./program-output.js";

/** The descriptor where programs write; the parent chose what it is. */
const APP_OUTPUT = 3;
const LOOK_AGAIN_MS = 25;
/** A program that never rests, such as one with an animation, is taken for ready after this. */
const READY_MS = 3000;
/** When a program is long without a new window, one with a reused id is looked for. */
const REUSED_ID_MS = 1500;
const GRACE_MS = 300;
const KILL_ROUNDS = 40;

type CopyOutput = ReturnType<typeof outputTo>;

function reply(message: KeeperReply): void {
  if (process.stdout.writable) process.stdout.write(`${JSON.stringify(message)}\n`);
}

let folder: string | undefined;
let display: DisplayServer | undefined;
let socket: SocketFile | undefined;
let ending = false;
/** Children not yet reaped: left behind they would stay as zombies where nobody reaps orphans. */
const children = new Set<ChildProcess>();

/** Ends everything and then this process. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  if (folder !== undefined) {
    const server = display?.server.child.pid;
    // Programs first get the chance to end by themselves; the server removes its own lock and socket on TERM.
    signalAll(findMarked(folder), "SIGTERM");
    for (let waited = 0; waited < GRACE_MS && findMarked(folder).length > 0; waited += LOOK_AGAIN_MS) {
      await systemClock.sleep(LOOK_AGAIN_MS);
    }
    for (let round = 0; round < KILL_ROUNDS; round++) {
      const left = findMarked(folder);
      if (left.length === 0 && children.size === 0) break;
      signalAll(left, "SIGKILL");
      await systemClock.sleep(LOOK_AGAIN_MS);
    }
    if (socket && server !== undefined) removeSocket(socket, server);
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(code);
}

function own(child: ChildProcess): void {
  children.add(child);
  child.once("exit", () => children.delete(child));
}

function parse<T>(schema: { parse(value: unknown): T }, line: string): T {
  return schema.parse(JSON.parse(line));
}

async function start(wanted: KeeperStart): Promise<DisplayServer> {
  folder = wanted.folder;
  noteOwner(folder, process.pid);
  const started = await startDisplayServer(wanted);
  display = started;
  socket = socketOf(started.display);
  for (const helper of [started.server, started.manager]) {
    own(helper.child);
    void helper.ended.then(() => {
      if (ending) return;
      reply({ type: "lost", message: helper.describeEnd() });
      void end(1);
    });
  }
  reply({ type: "ready", display: started.display, server: started.server.child.pid ?? 1, socket });
  return started;
}

function startApp(request: KeeperRequest, on: DisplayServer, copyOutput: CopyOutput | undefined): void {
  const [program = "", ...args] = request.argv;
  const [command, tiedArgs] = tied(program, args, "KILL");
  const child = spawn(command, tiedArgs, {
    stdio: copyOutput ? ["ignore", "pipe", "pipe"] : ["ignore", APP_OUTPUT, APP_OUTPUT],
    env: { ...request.env, ...on.environment },
    cwd: request.cwd,
    detached: true,
  });
  for (const output of [child.stdout, child.stderr]) if (output) copyOutput?.(output);
  child.once("spawn", () => own(child));
  let over: { code: number | null; signal: string | null } | undefined;
  child.once("error", (error) => {
    over ??= { code: null, signal: null };
    reply({ type: "appFailed", id: request.id, message: escapeText(error.message) });
  });
  child.once("exit", (code, signal) => {
    over ??= { code, signal };
    reply({ type: "appEnded", id: request.id, code, signal });
  });
  child.once("spawn", () => void announce(request, child, on.connection, () => over !== undefined));
}

/** Answers that the program runs, as soon as it shows a window. */
async function announce(
  request: KeeperRequest,
  child: ChildProcess,
  connection: XConnection,
  isOver: () => boolean,
): Promise<void> {
  const pid = child.pid ?? 1;
  const before = new Set(await clientWindows(connection));
  for (let waited = 0; waited < request.windowMs; waited += LOOK_AGAIN_MS) {
    if (await showsNewWindow(before, connection)) break;
    if (waited >= REUSED_ID_MS && (await ownsWindow(pid, connection))) break;
    if (isOver()) {
      reply({ type: "appFailed", id: request.id, message: "it ended before it showed a window" });
      return;
    }
    if (waited + LOOK_AGAIN_MS >= request.windowMs) {
      reply({
        type: "appFailed",
        id: request.id,
        message: `it showed no window within ${request.windowMs} ms`,
      });
      return;
    }
    await systemClock.sleep(LOOK_AGAIN_MS);
  }
  // A window is there before its program is ready for input.
  if (request.windowMs > 0 && folder !== undefined) {
    await untilAtRest(findMarked(folder), READY_MS, systemClock.sleep);
    // Again, with what the program has started meanwhile.
    await untilAtRest(findMarked(folder), READY_MS, systemClock.sleep);
  }
  reply({ type: "app", id: request.id, pid });
}

/** Whether a window is there that was not there before. */
async function showsNewWindow(before: Set<number>, connection: XConnection): Promise<boolean> {
  const windows = await clientWindows(connection);
  // Window ids are used again: one that went away may come back as another window.
  for (const window of before) if (!windows.includes(window)) before.delete(window);
  return windows.some((window) => !before.has(window));
}

/** Whether a window belongs to the program, for the case that it got the id of one that has just gone. */
async function ownsWindow(pid: number, connection: XConnection): Promise<boolean> {
  for (const window of await clientWindows(connection)) {
    const owner = await findProcess(connection, window);
    if (owner !== undefined && descendsFrom(owner, pid)) return true;
  }
  return false;
}

/** The windows that the window manager lists and that exist: a destroyed one may be listed a moment longer. */
async function clientWindows(connection: XConnection): Promise<number[]> {
  const list = await connection.property(connection.root, "_NET_CLIENT_LIST").catch(() => undefined);
  const windows: number[] = [];
  for (let at = 0; list && at + 4 <= list.length; at += 4) {
    const window = list.readUInt32LE(at);
    const exists = await connection.ask(core.getWindowAttributes(window)).then(
      () => true,
      () => false,
    );
    if (exists) windows.push(window);
  }
  return windows;
}

async function serve(): Promise<void> {
  let started: Promise<DisplayServer> | undefined;
  let copyOutput: CopyOutput | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    if (!started) {
      const wanted = parse(keeperStartSchema, line);
      if (wanted.escapeOutput) copyOutput = outputTo(APP_OUTPUT);
      started = start(wanted);
      started.catch((error: unknown) => {
        const code = error instanceof Error && "code" in error && error.code === "E_UNSUPPORTED";
        reply({
          type: "failed",
          code: code ? "E_UNSUPPORTED" : "E_BACKEND",
          message: error instanceof Error ? error.message : "unknown failure",
        });
        void end(1);
      });
      continue;
    }
    const request = parse(keeperRequestSchema, line);
    started.then(
      (on) => startApp(request, on, copyOutput),
      () => {},
    );
  }
}

// Nobody may read any more; the clean-up matters all the same.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void end(1));
process.on("uncaughtException", (error) => {
  process.stderr.write(`${escapeText(error.message)}\n`);
  void end(1);
});

try {
  await serve();
  await end(0);
} catch (error) {
  process.stderr.write(`${escapeText(error instanceof Error ? error.message : "unknown failure")}\n`);
  await end(2);
}
