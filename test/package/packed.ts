// The tarball that `npm pack` makes of the built package, and projects that install it as a user would.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll } from "vitest";

export const ROOT = resolve(import.meta.dirname, "../..");
const BIN = join(ROOT, "node_modules/.bin");

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `capuchin-${purpose}-`));
  made.push(folder);
  return folder;
}

/** Packs the built package into a folder of its own and returns the tarball's path. */
export function pack(): string {
  if (!existsSync(join(ROOT, "dist/index.js")))
    throw new Error("dist/ is missing: run `npm run build` first");
  const folder = temporaryFolder("pack");
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: ROOT });
  const [name] = readdirSync(folder);
  if (name === undefined) throw new Error("npm pack made no tarball");
  return join(folder, name);
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project folder outside the repository. */
export class Project {
  readonly folder: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.folder = temporaryFolder("user");
    this.write({ "package.json": JSON.stringify({ name: "user", private: true, type: "module" }), ...files });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  /** `npm install` of the tarball. */
  install(tarball: string, ...flags: string[]): void {
    const done = this.run("npm", [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      ...flags,
      tarball,
    ]);
    if (done.code !== 0) throw new Error(`npm install failed: ${done.stderr}`);
  }

  /** Makes a package of the repository's own development tools available here. */
  borrow(...names: string[]): void {
    for (const name of names) {
      const link = join(this.folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(name === "capuchin" ? ROOT : join(ROOT, "node_modules", name), link);
    }
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  run(
    command: string,
    args: readonly string[],
    more: { input?: string; env?: NodeJS.ProcessEnv } = {},
  ): Outcome {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: this.folder,
      encoding: "utf8",
      input: more.input ?? "",
      env: { ...process.env, NODE_OPTIONS: "", ...more.env },
      maxBuffer: 64 * 1024 * 1024,
    });
    if (error) throw error;
    return { code: status ?? -1, stdout, stderr };
  }

  node(args: readonly string[], more: { input?: string; env?: NodeJS.ProcessEnv } = {}): Outcome {
    return this.run(process.execPath, args, more);
  }

  /** An executable of the repository's development tools, such as `tsc`. */
  tool(name: string, args: readonly string[], more: { env?: NodeJS.ProcessEnv } = {}): Outcome {
    return this.run(join(BIN, name), args, more);
  }
}
