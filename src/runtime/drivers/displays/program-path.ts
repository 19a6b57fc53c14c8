// Where the system's own programs are looked for: fixed folders, in a fixed order, never the PATH of the caller.
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { ConfigurationError } from "../../../diagnostics/errors.js";

const FOLDERS = ["/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/opt/X11/bin"];

export function findProgram(name: string): string | undefined {
  for (const folder of FOLDERS) {
    const path = `${folder}/${name}`;
    try {
      accessSync(path, constants.X_OK);
      if (statSync(realpathSync(path)).isFile()) return path;
    } catch {
      // Not here; the next folder may have it.
    }
  }
  return undefined;
}

/** Debian packages of the programs that a virtual display needs. */
const PACKAGES: Readonly<Record<string, string>> = {
  Xvfb: "xvfb",
  openbox: "openbox",
  setxkbmap: "x11-xkb-utils",
};

/** @throws ConfigurationError E_UNSUPPORTED with the line that installs what is missing. */
export function requirePrograms(names: readonly string[]): string[] {
  const found = names.map((name) => findProgram(name));
  const missing = names.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) {
    const packages = missing.map((name) => PACKAGES[name] ?? name).join(" ");
    throw new ConfigurationError(
      "E_UNSUPPORTED",
      `the virtual desktop needs ${missing.join(" and ")}: install with \`apt-get install -y --no-install-recommends ${packages}\`, or use the fake desktop`,
    );
  }
  return found.filter((path) => path !== undefined);
}
