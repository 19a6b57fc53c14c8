// The program that `--app` names, found before a display is opened for it: in the folders of PATH, as a shell does,
// or where the path says.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { quoteText } from "../../base/escape.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import type { CliIo } from "../io.js";

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The absolute path of the program. @throws ConfigurationError E_CONFIG when there is none. */
export function requireProgram(name: string, io: CliIo): string {
  const isPath = name.includes("/");
  const candidates = isPath
    ? [resolve(io.cwd, name)]
    : (io.env["PATH"] ?? "").split(delimiter).map((folder) => resolve(io.cwd, folder, name));
  const found = candidates.find(isProgram);
  if (found !== undefined) return found;
  throw new ConfigurationError(
    "E_CONFIG",
    isPath
      ? `--app: ${quoteText(name, 300)} is no program that can be run; check the path and its rights`
      : `--app: no folder of PATH holds a program ${quoteText(name, 300)}; install it, or name its path`,
  );
}
