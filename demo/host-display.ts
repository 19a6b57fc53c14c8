// A display that stands in for the one a person uses: the demo never touches that. An X server with a cookie, a window
// manager, the form, and xinput, a program of the X distribution, which records what really reaches the display.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

export interface HostDisplay {
  readonly env: { readonly DISPLAY: string; readonly XAUTHORITY: string };
  /** Opens the form at a place that follows from the seed. */
  openForm(seed: number, answer: string): void;
  /** How many keys were pressed on the display so far, as xinput saw it. */
  keyPresses(): number;
  close(): Promise<void>;
}

/** An authority file in X's own format: any host, no name, any display, one cookie. */
function cookieFile(folder: string): string {
  const file = join(folder, "Xauthority");
  const name = Buffer.from("MIT-MAGIC-COOKIE-1");
  const cookie = randomBytes(16);
  const counted = (data: Buffer) => Buffer.concat([Buffer.from([0, data.length]), data]);
  const none = Buffer.alloc(0);
  const entry = [Buffer.from([0xff, 0xff]), counted(none), counted(none), counted(name), counted(cookie)];
  writeFileSync(file, Buffer.concat(entry), { mode: 0o600 });
  return file;
}

export async function openHostDisplay({
  width,
  height,
}: {
  width: number;
  height: number;
}): Promise<HostDisplay> {
  const folder = mkdtempSync(join(tmpdir(), "capuchin-demo-"));
  const authority = cookieFile(folder);
  const programs: ChildProcess[] = [];
  const flags = ["-auth", authority, "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-noreset"];
  const server = spawn("Xvfb", ["-displayfd", "3", ...flags], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise<string>((found, failed) => {
    createInterface({ input: server.stdio[3] as Readable }).once("line", found);
    server.once("error", failed);
    server.once("exit", () => failed(new Error("Xvfb did not start")));
  });
  const env = { DISPLAY: `:${number.trim()}`, XAUTHORITY: authority };
  const log = join(folder, "events.txt");
  const start = (program: string, args: readonly string[], output: number | "ignore" = "ignore") => {
    const started = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", output, "ignore"],
    });
    started.once("error", () => {});
    programs.push(started);
  };
  start("openbox", []);
  start("stdbuf", ["-oL", "xinput", "test-xi2", "--root"], openSync(log, "w"));
  // The list of devices is its first output: from then on it sees everything.
  while (readFileSync(log, "utf8") === "" && server.exitCode === null) await sleep(50);
  return {
    env,
    openForm: (seed, answer) =>
      start(resolve("demo/form-app"), ["--seed", String(seed), "--out", resolve(answer)]),
    keyPresses: () => (existsSync(log) ? readFileSync(log, "utf8").split("(RawKeyPress)").length - 1 : 0),
    async close() {
      const gone = new Promise((done) => server.once("exit", done));
      for (const program of programs) program.kill();
      server.kill();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
