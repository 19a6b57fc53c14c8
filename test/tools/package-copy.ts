// A copy of the built package in which a layer can be taken out, to show which test notices. The copy lies inside this
// repository, so that it finds the installed dependencies and resolves `capuchin` to itself.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { distFolder } from "./built.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class PackageCopy {
  readonly folder: string;

  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(join(root, "out"), { recursive: true });
    this.folder = mkdtempSync(join(root, "out", "copy-"));
    cpSync(distFolder, join(this.folder, "dist"), { recursive: true });
    cpSync(join(root, "package.json"), join(this.folder, "package.json"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Replaces a text of a compiled file that stands there exactly once; a patch that no longer fits fails. */
  patch(file: string, from: string, to: string): void {
    const text = this.read(join("dist", file));
    const found = text.split(from).length - 1;
    if (found !== 1) throw new Error(`${file} holds the text to replace ${found} times: ${from}`);
    this.write(
      join("dist", file),
      text.replace(from, () => to),
    );
  }

  /** Runs the copy's command line in its folder. */
  run(args: readonly string[]): Ran {
    return this.node([join(this.folder, "dist/cli/main.js"), ...args]);
  }

  /** Runs Node.js in the copy's folder. */
  node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
    const ran = spawnSync(process.execPath, args, {
      cwd: this.folder,
      env: { PATH: process.env["PATH"], HOME: this.folder, ...env },
      encoding: "utf8",
      timeout: 90_000,
    });
    return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
