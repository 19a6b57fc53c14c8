// Nothing of a virtual display survives the process that opened it, however that ends.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { startBareDisplay } from "../../tools/bare-display.js";
import { distFolder } from "../../tools/built.js";
import { environmentOf } from "../../tools/command.js";
import { readInputState } from "../../tools/input-state.js";

interface Opened {
  readonly display: string;
  readonly authority: string;
  readonly processes: { readonly keeper: number; readonly server: number; readonly driver: number };
}

const program = fileURLToPath(new URL("../../fixtures/drivers/open-display.mjs", import.meta.url));

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function open(way: string): Promise<{ child: ChildProcess; opened: Opened }> {
  const child = spawn(process.execPath, [program, distFolder, way], { stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  const opened = await new Promise<Opened>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line) as Opened));
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it opened a display`)));
  });
  return { child, opened };
}

function ended(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve(child.exitCode ?? child.signalCode);
  }
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal));
  });
}

/** A zombie has ended; that nobody reaped it is not the display's affair. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Everything of the display that is still there, looked up without the package's help. */
function remains({ display, authority, processes }: Opened): string[] {
  const number = display.slice(1);
  const files = [`/tmp/.X${number}-lock`, `/tmp/.X11-unix/X${number}`, authority, dirname(authority)];
  const strangers = readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || !isRunning(Number(name))) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, "latin1").includes(authority);
    } catch {
      return false;
    }
  });
  return [
    ...files.filter((file) => existsSync(file)),
    ...Object.entries(processes)
      .filter(([, pid]) => isRunning(pid))
      .map(([name]) => name),
    ...strangers.map((pid) => `process ${pid}`),
  ];
}

async function expectNothingLeft(opened: Opened): Promise<void> {
  await expect.poll(() => remains(opened), { timeout: 15_000, interval: 50 }).toEqual([]);
}

function expectEverythingThere(opened: Opened): void {
  const found = remains(opened);
  // The server is started with -displayfd, which makes no lock file.
  expect(found.slice(0, 6)).toEqual([
    `/tmp/.X11-unix/X${opened.display.slice(1)}`,
    opened.authority,
    dirname(opened.authority),
    "keeper",
    "server",
    "driver",
  ]);
  expect(
    found.filter((name) => name.startsWith("process")).length,
    "the programs run",
  ).toBeGreaterThanOrEqual(3);
}

describe("the parent ends", () => {
  test.each([
    ["close", 0],
    ["return", 0],
    ["throw", 1],
    ["reject", 1],
    ["exit", 7],
  ])("by %s", async (way, code) => {
    const { child, opened } = await open(way);
    expect(await ended(child)).toBe(code);
    await expectNothingLeft(opened);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const)("by %s", async (signal) => {
    const { child, opened } = await open("wait");
    expectEverythingThere(opened);
    child.kill(signal);
    expect(await ended(child)).toBe(signal);
    await expectNothingLeft(opened);
  });

  test("with its keeper killed at the same moment: the next run removes what is left", async () => {
    const { child, opened } = await open("wait");
    process.kill(opened.processes.keeper, "SIGKILL");
    child.kill("SIGKILL");
    await ended(child);
    // The server and what hangs on it go by themselves; a program in a session of its own and the folder stay.
    await expect.poll(() => isRunning(opened.processes.server), { timeout: 15_000 }).toBe(false);
    expect(existsSync(`/tmp/.X11-unix/X${opened.display.slice(1)}`)).toBe(false);
    const next = await open("close");
    await expectNothingLeft(opened);
    await expectNothingLeft(next.opened);
  });
});

test("the keeper killed: the parent cleans up and lives", async () => {
  const { child, opened } = await open("wait");
  process.kill(opened.processes.keeper, "SIGKILL");
  await expectNothingLeft(opened);
  expect(child.exitCode).toBe(null);
});

test("the server killed: its socket goes too, and the parent lives", async () => {
  const { child, opened } = await open("wait");
  process.kill(opened.processes.server, "SIGKILL");
  await expectNothingLeft(opened);
  expect(child.exitCode).toBe(null);
});

describe("a host desktop, whose display outlives the run", () => {
  const holder = fileURLToPath(new URL("../../fixtures/drivers/hold-on-host.mjs", import.meta.url));

  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
    "the parent ends by %s: nothing stays held",
    async (signal) => {
      const { address, stop } = await startBareDisplay(400, 300);
      try {
        const child = spawn(process.execPath, [holder, distFolder], {
          stdio: ["ignore", "pipe", "inherit"],
          env: environmentOf(address),
        });
        started.push(child);
        const held = async () => {
          const { keys, mask } = await readInputState(address);
          return [keys.length, mask & 0x1f00];
        };
        await expect.poll(held, { timeout: 20_000 }).toEqual([2, 0x100]);
        child.kill(signal);
        expect(await ended(child)).toBe(signal);
        await expect.poll(held, { timeout: 10_000 }).toEqual([0, 0]);
      } finally {
        await stop();
      }
    },
  );
});
