// Calls of the built command line, as a user would type them.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { command } from "./terminal.js";

const MAIN = resolve("dist/cli/main.js");

/** Runs `capuchin …` in the terminal and returns its exit code. */
export function capuchin(...words: string[]): number {
  return capuchinOn({}, ...words);
}

/** The same with more in its environment, such as a display. */
export function capuchinOn(more: Readonly<Record<string, string>>, ...words: string[]): number {
  command([...Object.entries(more).map(([name, value]) => `${name}=${value}`), "capuchin", ...words]);
  const env = { ...process.env, ...more };
  return (
    spawnSync(process.execPath, [MAIN, ...words], { stdio: ["ignore", "inherit", "inherit"], env }).status ??
    -1
  );
}

/** Runs `capuchin …` quietly and returns what it printed. */
export function askCapuchin(...words: string[]): { code: number; stdout: string; stderr: string } {
  return askCapuchinIn(".", ...words);
}

/** The same in another folder. */
export function askCapuchinIn(
  cwd: string,
  ...words: string[]
): { code: number; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status ?? -1, stdout, stderr };
}
