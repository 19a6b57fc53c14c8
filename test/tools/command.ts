// Runs an outside program on a display, and gives what it printed.
import { execFile } from "node:child_process";
import process from "node:process";
import type { DisplayAddress } from "./x-client.js";

export function environmentOf({ display, authority }: DisplayAddress): NodeJS.ProcessEnv {
  return { ...process.env, DISPLAY: display, ...(authority ? { XAUTHORITY: authority } : {}) };
}

export function runOn(address: DisplayAddress, command: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { env: environmentOf(address), timeout: 20_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} ${args.join(" ")}: ${error.message} ${stderr}`));
      else resolve(stdout);
    });
  });
}
