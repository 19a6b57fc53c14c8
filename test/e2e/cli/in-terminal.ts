// Runs a command in a terminal of its own (a pseudo-terminal that util-linux's `script` makes) and gives the raw bytes.
import { spawn } from "node:child_process";

export interface TerminalOptions {
  readonly cwd: string;
  readonly columns: number;
  readonly env?: Readonly<Record<string, string>>;
}

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** What the terminal was sent, carriage returns included, and how the command ended. */
export function runInTerminal(
  argv: readonly string[],
  { cwd, columns, env = {} }: TerminalOptions,
): Promise<{ readonly code: number | null; readonly sent: string }> {
  const command = `stty cols ${columns} rows 24; exec ${argv.map(quote).join(" ")}`;
  const child = spawn("script", ["-q", "-e", "-f", "-c", command, "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, TERM: "xterm", SHELL: "/bin/sh", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let sent = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    sent += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, sent }));
  });
}
