// An X server of the test's own, without the framework: what a run leaves behind on it can be looked at afterwards.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { DisplayAddress } from "./x-client.js";

export interface BareDisplay {
  readonly address: DisplayAddress;
  stop(): Promise<void>;
}

function firstLine(stream: Readable, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: stream }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    child.once("error", reject);
  });
}

export async function startBareDisplay(width: number, height: number): Promise<BareDisplay> {
  const args = ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-noreset"];
  const child = spawn("/usr/bin/Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const number = await firstLine(child.stdio[3] as Readable, child);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    address: { display: `:${number.trim()}` },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
