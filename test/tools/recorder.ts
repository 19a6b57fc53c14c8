// Starts the event recorder for a test, and reads what it recorded.
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DisplayAddress } from "./x-client.js";

export interface RecordedEvent {
  readonly event: "KeyPress" | "KeyRelease" | "ButtonPress" | "ButtonRelease" | "MotionNotify";
  /** The core state before the event: bit 0 Shift, 1 Lock, 2 Control, 3 Mod1, … 8 button 1, … */
  readonly state: number;
  readonly x: number;
  readonly y: number;
  readonly button?: number;
  readonly keycode?: number;
  /** The keysym that the keyboard map of that moment gives, with the state's Shift. */
  readonly keysym?: number;
}

export interface EventRecorder {
  /** Everything recorded so far; what was sent before the call is in it. */
  events(): Promise<readonly RecordedEvent[]>;
  /** Forgets what was recorded so far. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export async function startEventRecorder(address: DisplayAddress): Promise<EventRecorder> {
  const file = fileURLToPath(new URL("./event-recorder.ts", import.meta.url));
  const args = ["--import", "tsx", file, address.display, ...(address.authority ? [address.authority] : [])];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  let events: RecordedEvent[] = [];
  const answers: (() => void)[] = [];
  const answered = () =>
    new Promise<void>((resolve, reject) => {
      answers.push(resolve);
      void exited.then(() => reject(new Error("the event recorder ended")));
    });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as RecordedEvent | { ready: true } | { synced: true };
    if ("event" in message) events.push(message);
    else answers.shift()?.();
  });
  await answered();
  const sync = () => {
    child.stdin.write("sync\n");
    return answered();
  };
  return {
    async events() {
      await sync();
      return events;
    },
    async clear() {
      await sync();
      events = [];
    },
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
