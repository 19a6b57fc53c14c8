// The display that `capuchin run` opens by itself: never the user's, closed to other users, whatever the environment and
// /tmp hold.
import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { startBareDisplay } from "../../tools/bare-display.js";
import { builtDrivers, distFolder } from "../../tools/built.js";
import { runOn } from "../../tools/command.js";
import { startEventRecorder } from "../../tools/recorder.js";
import { AGENT, PACKAGE, Project, tsconfig, turn } from "./project.js";

const { virtualDesktop } = await builtDrivers();
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const SIZE = { width: 320, height: 200 };
const CLICK = turn("I click", ["left_click", { coordinate: [10, 10] }], ["key", { text: "a" }]);

function project(script: unknown = [CLICK, turn("bye")]): Project {
  return new Project({
    "package.json": PACKAGE,
    "tsconfig.json": tsconfig(),
    "src/agent.ts": AGENT,
    "script.json": JSON.stringify(script),
  });
}

const RUN = ["run", "src/agent.ts", "--goal", "g", "--model", "script:script.json", "--trace", "trace"];

async function openPrivate() {
  const session = await virtualDesktop({ appOutput: "ignore" }).open({ size: SIZE });
  ends.push(() => session.close());
  return session;
}

/** A program of another user; rejects with what it complained of. */
function asNobody(env: Record<string, string>, command: string, ...args: string[]): Promise<string> {
  const words = ["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--", command, ...args];
  return new Promise((resolve, reject) => {
    const options = { env: { PATH: "/usr/bin:/bin", ...env }, cwd: "/", timeout: 20_000 };
    execFile("/usr/bin/setpriv", words, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stderr}${stdout}`));
      else resolve(stdout);
    });
  });
}

describe("the user's own display", () => {
  it("C-007 is not touched though DISPLAY names it; only --desktop host drives it", async () => {
    const display = await startBareDisplay(SIZE.width, SIZE.height);
    ends.push(() => display.stop());
    const recorder = await startEventRecorder(display.address);
    ends.push(() => recorder.stop());
    const env = { DISPLAY: display.address.display };
    const at = project();
    expect((await at.run(RUN, env)).code).toBe(0);
    expect(await recorder.events()).toEqual([]);
    expect(readFileSync(at.path("trace/trace.jsonl"), "utf8")).toContain('"kind":"virtual"');
    rmSync(at.path("trace"), { recursive: true });
    expect(await at.run([...RUN, "--desktop", "host"], env)).toMatchObject({ code: 0 });
    const events = (await recorder.events()).map(({ event }) => event);
    expect(events).toEqual(
      expect.arrayContaining(["ButtonPress", "ButtonRelease", "KeyPress", "KeyRelease"]),
    );
  });
});

describe("another user of the machine", () => {
  it.runIf(process.getuid?.() === 0)(
    "C-009 is refused by the private display, with xdpyinfo and xdotool",
    async () => {
      const { display, authority } = await openPrivate();
      for (const env of [{ DISPLAY: display }, { DISPLAY: display, XAUTHORITY: authority }]) {
        await expect(asNobody(env, "xdpyinfo")).rejects.toThrow(/unable to open display/);
        await expect(asNobody(env, "xdotool", "mousemove", "5", "5", "click", "1")).rejects.toThrow(
          /open display|display/,
        );
      }
      // The twins: the owner comes in with the cookie, and nobody comes in where there is none.
      expect(await runOn({ display, authority }, "xdpyinfo")).toContain("320x200 pixels");
      const open = await startBareDisplay(SIZE.width, SIZE.height);
      ends.push(() => open.stop());
      expect(await asNobody({ DISPLAY: open.address.display }, "xdpyinfo")).toContain("320x200 pixels");
    },
  );

  it("C-011 cannot read the cookie, and the server listens on no TCP port", async () => {
    const { requirePrivate, listensOnTcp } = (await import(
      join(distFolder, "runtime/drivers/displays/require-private.js")
    )) as typeof import("../../../src/runtime/drivers/displays/require-private.js");
    const { authority, processes } = await openPrivate();
    expect(() => requirePrivate(processes.server, authority)).not.toThrow();
    expect(readFileSync(`/proc/${processes.server}/cmdline`, "utf8")).toContain("-nolisten\0tcp");
    chmodSync(authority, 0o644);
    expect(() => requirePrivate(processes.server, authority)).toThrow(
      /cookie file can be read by others \(mode 644\)/,
    );
    chmodSync(authority, 0o600);
    // An X server that does listen on TCP is noticed.
    const args = ["-displayfd", "1", "-screen", "0", "100x100x24", "-listen", "tcp"];
    const child = spawn("/usr/bin/Xvfb", args, { stdio: ["ignore", "pipe", "ignore"] });
    ends.push(() => void child.kill("SIGTERM"));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(listensOnTcp(child.pid ?? 0)).toBe(true);
    expect(() => requirePrivate(child.pid ?? 0, authority)).toThrow(/listens on a TCP port/);
  });
});

describe("display numbers and locks in /tmp", () => {
  const numberOf = (display: string) => Number(display.slice(1));
  const lockOf = (number: number) => `/tmp/.X${number}-lock`;

  it("C-010 a number that is taken is passed over, two starts at once get two numbers, locks of others stay", async () => {
    const taken = await startBareDisplay(SIZE.width, SIZE.height);
    ends.push(() => taken.stop());
    let free = 0;
    while (existsSync(`/tmp/.X11-unix/X${free}`) || existsSync(lockOf(free))) free += 1;
    const folder = mkdtempSync(join(tmpdir(), "capuchin-lock-"));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const target = join(folder, "target");
    writeFileSync(target, "mine\n");
    const { symlinkSync, lstatSync } = await import("node:fs");
    writeFileSync(lockOf(free), "   4194303\n", { flag: "wx" });
    symlinkSync(target, lockOf(free + 1));
    ends.push(() => {
      for (const number of [free, free + 1]) rmSync(lockOf(number), { force: true });
    });
    const opened = await Promise.all([openPrivate(), openPrivate()]);
    const numbers = opened.map(({ display }) => numberOf(display));
    expect(new Set([...numbers, numberOf(taken.address.display)]).size).toBe(3);
    for (const session of opened) expect(await runOn(session, "xdpyinfo")).toContain("320x200 pixels");
    for (const session of opened) await session.close();
    expect(readFileSync(lockOf(free), "latin1")).toBe("   4194303\n");
    expect(lstatSync(lockOf(free + 1)).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("mine\n");
    expect(await runOn(taken.address, "xdpyinfo")).toContain("320x200 pixels");
  });
});

describe("a hostile environment", () => {
  it("C-012 reaches no helper and no program: NODE_OPTIONS, LD_PRELOAD, LD_LIBRARY_PATH, a PATH that begins in the folder", async () => {
    const at = project([turn("I wait", ["wait", { duration: 3 }]), turn("bye")]);
    mkdirSync(at.path("first"));
    for (const name of ["Xvfb", "openbox", "setpriv", "xdotool", "setxkbmap", "xauth", "node"]) {
      at.write(`first/${name}`, `#!/bin/sh\necho ${name} >> "${at.path("taken")}"\nexit 1\n`);
      chmodSync(at.path(`first/${name}`), 0o755);
    }
    at.write(
      "evil.cjs",
      `require("node:fs").appendFileSync(${JSON.stringify(at.path("loaded"))}, process.pid + "\\n");`,
    );
    const started = at.start([...RUN, "--app", "xterm -e sleep 60"], {
      NODE_OPTIONS: `--require=${at.path("evil.cjs")}`,
      LD_PRELOAD: at.path("evil.so"),
      LD_LIBRARY_PATH: at.path("first"),
      ANTHROPIC_API_KEY: "sk-CANARY-KEY",
      PATH: `${at.path("first")}:${process.env["PATH"]}`,
    });
    await started.saw("turn 1");
    const environments = descendantsOf(started.child.pid ?? 0).map(environmentOf);
    expect(environments.length).toBeGreaterThanOrEqual(5);
    for (const { name, environment } of environments) {
      expect(environment, name).not.toMatch(/NODE_OPTIONS|LD_|CANARY|evil/);
    }
    expect((await started.ended).code).toBe(0);
    expect(existsSync(at.path("taken"))).toBe(false);
    // Node itself honours it for the command line's own process, before any of its code runs; for no other one.
    expect([...new Set(readFileSync(at.path("loaded"), "utf8").trim().split("\n"))]).toEqual([
      String(started.child.pid),
    ]);
  });
});

/** All processes below one. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent = ""] =
        /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, "latin1")) ?? [];
      return [[Number(name), Number(parent)] as const];
    } catch {
      return [];
    }
  });
  const below = parents.filter(([, parent]) => parent === pid).map(([child]) => child);
  return below.flatMap((child) => [child, ...descendantsOf(child)]);
}

function environmentOf(pid: number): { readonly name: string; readonly environment: string } {
  try {
    return {
      name: readFileSync(`/proc/${pid}/comm`, "utf8").trim(),
      environment: readFileSync(`/proc/${pid}/environ`, "utf8"),
    };
  } catch {
    return { name: "ended", environment: "" };
  }
}
