// A helper process of ours that speaks one JSON value a line over its standard input and output. It gets a session
// of its own, so that Ctrl-C in a terminal reaches only the parent, and an environment by allow-list. It keeps this
// process alive only while something is awaited from it.
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { escapeText } from "../../../base/escape.js";
import { requireValue } from "../../../base/require.js";

/** The last bytes of standard error that are kept. */
const STDERR_KEPT = 4000;
const LINE_MAX = 256 * 1024 * 1024;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface LineProcessOptions {
  readonly entry: URL;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What descriptor 3 of the process is: a descriptor of ours, or nothing. */
  readonly extra?: number | "ignore";
  readonly onLine: (line: string) => void;
}

export class LineProcess {
  readonly pid: number | undefined;
  /** Settles when the process has ended and everything it wrote was read. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #stdin: Writable;
  #stderr = "";
  #holds = 0;

  constructor(options: LineProcessOptions) {
    this.#child = spawn(process.execPath, [fileURLToPath(options.entry), ...(options.args ?? [])], {
      stdio: ["pipe", "pipe", "pipe", options.extra ?? "ignore"],
      env: { ...options.env },
      cwd: "/",
      detached: true,
      windowsHide: true,
    });
    this.pid = this.#child.pid;
    this.#stdin = requireValue(this.#child.stdin, "stdin is a pipe");
    const stdout = requireValue(this.#child.stdout, "stdout is a pipe");
    const stderr = requireValue(this.#child.stderr, "stderr is a pipe");
    // Writing to a process that has just died is no error of its own: its end is reported.
    this.#stdin.on("error", () => {});
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    const lines = createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on("line", (line) => {
      if (line.length <= LINE_MAX) options.onLine(line);
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#stderr = (this.#stderr + error.message).slice(-STDERR_KEPT);
        resolve({ code: null, signal: null });
      });
      this.#child.once("close", (code, signal) => resolve({ code, signal }));
    });
    for (const part of this.#parts()) part.unref?.();
  }

  #parts(): { ref?(): void; unref?(): void }[] {
    const { stdin, stdout, stderr } = this.#child;
    return [this.#child, stdin, stdout, stderr].filter((part) => part !== null) as (ChildProcess &
      Readable &
      Writable)[];
  }

  /** What it last wrote to standard error, escaped; for messages. */
  get complaint(): string {
    return escapeText(this.#stderr.trim().replaceAll("\n", " | "));
  }

  /** Keeps this process alive until the promise settles. */
  async holding<T>(promise: Promise<T>): Promise<T> {
    if (this.#holds++ === 0) for (const part of this.#parts()) part.ref?.();
    try {
      return await promise;
    } finally {
      if (--this.#holds === 0) for (const part of this.#parts()) part.unref?.();
    }
  }

  send(message: unknown): void {
    this.#stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends its input, which asks it to finish. */
  finish(): void {
    this.#stdin.end();
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** Without these Windows starts no program. */
const WINDOWS_NEEDS = ["HOME", "USERPROFILE", "SystemRoot", "SystemDrive", "TEMP"];

/** What a helper process of ours may see of the environment. */
export function helperEnvironment(
  extra: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" };
  for (const name of process.platform === "win32" ? WINDOWS_NEEDS : ["HOME"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  for (const [name, value] of Object.entries(extra)) if (value !== undefined) env[name] = value;
  return env;
}
