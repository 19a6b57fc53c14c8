// A user's project in a folder of its own, whose node_modules holds the built package, and the built command line.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { distFolder } from "../../tools/built.js";

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** Resolves once standard error or output holds the text. */
  saw(text: string): Promise<void>;
}

export class Project {
  readonly folder: string;

  /** Writes the files; with `capuchin: false` the project has no package to resolve. */
  constructor(files: Readonly<Record<string, string>>, options: { readonly capuchin?: boolean } = {}) {
    this.folder = mkdtempSync(join(tmpdir(), "capuchin-project-"));
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    if (options.capuchin !== false) {
      mkdirSync(join(this.folder, "node_modules"), { recursive: true });
      symlinkSync(dirname(distFolder), join(this.folder, "node_modules", "capuchin"));
    }
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** Starts the command line in the project's folder, with nothing of this process's environment but the PATH. */
  start(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
    const child = spawn(process.execPath, [join(distFolder, "cli", "main.js"), ...argv], {
      cwd: this.folder,
      env: { PATH: process.env["PATH"], HOME: this.folder, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    const watchers = new Set<() => void>();
    const notify = () => {
      for (const watcher of watchers) watcher();
    };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      notify();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      notify();
    });
    const ended = new Promise<Ran>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    const saw = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if ((stdout + stderr).includes(text)) resolve();
        };
        watchers.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended without ${text}:\n${stdout}\n${stderr}`)), reject);
      });
    return { child, ended, saw };
  }

  run(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran> {
    return this.start(argv, env).ended;
  }
}

/** A tsconfig as `capuchin` projects have them. */
export function tsconfig(options: object = {}): string {
  return JSON.stringify({
    compilerOptions: {
      target: "es2022",
      module: "nodenext",
      types: [],
      lib: ["es2023", "esnext.disposable"],
      strict: true,
      skipLibCheck: true,
      ...options,
    },
    include: ["src"],
  });
}

export const PACKAGE = JSON.stringify({ name: "project", type: "module" });

/** An agent that hands its goal to the model loop. */
export const AGENT = `
import { computer, computerUse } from "capuchin";

@computerUse({ cap: "computer.screen + computer.input", width: 320, height: 200 })
export class Operator {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
`;

let calls = 0;

/** A script's turn: words, and calls of toolset members. */
export function turn(text: string, ...members: readonly (readonly [name: string, input: object])[]): object {
  return {
    content: [
      { type: "text", text },
      ...members.map(([name, input]) => ({
        type: "tool_use",
        id: `toolu_${++calls}`,
        name,
        toolset_name: "computer",
        input,
      })),
    ],
    stop_reason: members.length > 0 ? "tool_use" : "end_turn",
  };
}
