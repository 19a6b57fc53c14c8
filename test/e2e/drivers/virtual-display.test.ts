// What a virtual display is: a private Xvfb of the declared size, with openbox that keeps out of the way.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { decode } from "fast-png";
import { afterAll, afterEach, expect, test } from "vitest";
import type { DriverAction } from "../../../src/contract/driver-protocol.js";
import type { VirtualDesktopOptions, VirtualSession } from "../../../src/runtime/drivers/index.js";
import { builtDrivers, builtPermitted } from "../../tools/built.js";
import { runOn } from "../../tools/command.js";
import { asking, connect } from "../../tools/x-client.js";

const { hostDesktop, virtualDesktop } = await builtDrivers();
const { mintPermitted } = await builtPermitted();
const folder = mkdtempSync(join(tmpdir(), "display-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(
  options: VirtualDesktopOptions = {},
  size = { width: 640, height: 480 },
): Promise<VirtualSession> {
  const session = await virtualDesktop({ appOutput: "ignore", ...options }).open({ size });
  ends.push(() => session.close());
  return session;
}

const perform = (session: VirtualSession, action: DriverAction) => session.perform(mintPermitted(action));

async function pixels(session: VirtualSession) {
  const frame = await perform(session, { kind: "capture" });
  if (frame.kind !== "frame") throw new Error("no frame");
  return decode(frame.png);
}

function withEnvironment(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  ends.push(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

test("the server is an Xvfb with RECORD and XTEST, its socket in the usual place, and no TCP port", async () => {
  const { processes, display, authority } = await open();
  expect(readFileSync(`/proc/${processes.server}/comm`, "latin1")).toBe("Xvfb\n");
  const args = readFileSync(`/proc/${processes.server}/cmdline`, "latin1").split("\0");
  expect(args[args.indexOf("-auth") + 1]).toBe(authority);
  expect(args).toEqual(expect.arrayContaining(["-noreset", "640x480x24"]));
  expect(statSync(`/tmp/.X11-unix/X${display.slice(1)}`).isSocket()).toBe(true);
  const { client } = await connect({ display, authority });
  const extensions = await asking<string[]>((done) => client.ListExtensions(done));
  client.terminate();
  expect(extensions).toEqual(expect.arrayContaining(["RECORD", "XTEST"]));
  const port = (6000 + Number(display.slice(1))).toString(16).toUpperCase().padStart(4, "0");
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"].filter(existsSync)) {
    expect(readFileSync(table, "latin1")).not.toMatch(new RegExp(`:${port} 0{8,32}:0000 0A`));
  }
});

test("only who has the cookie is let in, and only its owner can read it", async () => {
  const { display, authority } = await open();
  expect(statSync(authority).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(authority)).mode & 0o777).toBe(0o700);
  await expect(runOn({ display }, "env", "-u", "XAUTHORITY", "xdpyinfo")).rejects.toThrow(
    /unable to open display|Authorization required/,
  );
  expect(await runOn({ display, authority }, "xdpyinfo")).toMatch(/dimensions:\s+640x480 pixels/);
});

test.skipIf(process.getuid?.() !== 0)("another user is refused", async () => {
  const { display, authority } = await open();
  const asNobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "xdpyinfo"];
  await expect(runOn({ display, authority }, "env", ...asNobody)).rejects.toThrow(
    /unable to open display|Authorization/,
  );
});

test("a host desktop without the cookie is not let in; with it, it is told who has the display", async () => {
  const { display, authority, size } = await open();
  const without = hostDesktop({ display, authority: join(folder, "none") }).open({ size });
  await expect(without).rejects.toMatchObject({ code: "E_BACKEND" });
  await expect(hostDesktop({ display, authority }).open({ size })).rejects.toMatchObject({ code: "E_LEASE" });
});

test("a lock and a dead socket of others do not matter, and the lock stays", async () => {
  let number = 0;
  while (existsSync(`/tmp/.X11-unix/X${number}`) || existsSync(`/tmp/.X${number}-lock`)) number += 1;
  const lock = `/tmp/.X${number}-lock`;
  writeFileSync(lock, "   4194303\n", { flag: "wx" });
  ends.push(() => rmSync(lock, { force: true }));
  const session = await open();
  expect(await runOn(session, "xdpyinfo")).toMatch(/dimensions/);
  await session.close();
  expect(readFileSync(lock, "latin1")).toBe("   4194303\n");
});

test("two displays at once are two displays", async () => {
  const [a, b] = await Promise.all([open(), open()]);
  expect(a.display).not.toBe(b.display);
  expect(a.serverId).not.toBe(b.serverId);
});

test("no secret of ours reaches a program or a process of the display", async () => {
  withEnvironment("ANTHROPIC_API_KEY", "canary-secret-1");
  withEnvironment("NODE_OPTIONS", "--title=canary-secret-2");
  withEnvironment("LD_PRELOAD", "");
  const session = await open();
  const file = join(folder, "environment.txt");
  const app = await session.startApp({
    argv: ["sh", "-c", `env > ${file}`],
    env: { GREETING: "hello" },
    awaitWindow: false,
  });
  expect(await app.ended).toEqual({ code: 0, signal: null });
  const environment = readFileSync(file, "utf8");
  expect(environment).toContain(`DISPLAY=${session.display}\n`);
  expect(environment).toContain("GREETING=hello\n");
  const { keeper, server, driver } = session.processes;
  const all = [
    environment,
    ...[keeper, server, driver].map((pid) => readFileSync(`/proc/${pid}/environ`, "latin1")),
  ];
  for (const text of all) expect(text).not.toMatch(/canary-secret|LD_PRELOAD|NODE_OPTIONS/);
});

test("a program of the same name earlier in PATH is not taken for the server", async () => {
  for (const name of ["Xvfb", "openbox", "setpriv"]) {
    const fake = join(folder, name);
    writeFileSync(fake, `#!/bin/sh\ntouch ${folder}/taken\n`);
    chmodSync(fake, 0o755);
  }
  withEnvironment("PATH", `${folder}:${process.env["PATH"]}`);
  await open();
  expect(existsSync(join(folder, "taken"))).toBe(false);
});

test("what a program writes goes where the caller says", async () => {
  const session = await open({ appOutput: 1 });
  const app = await session.startApp({ argv: ["sh", "-c", "exit 3"], awaitWindow: false });
  expect(await app.ended).toEqual({ code: 3, signal: null });
  await expect(session.startApp({ argv: ["sh", "-c", "exit 4"] })).rejects.toThrow(
    /before it showed a window/,
  );
  await expect(session.startApp({ argv: ["/no/such/program"] })).rejects.toMatchObject({ code: "E_BACKEND" });
});

test("a failing program fails the opening, and nothing is left", async () => {
  const opening = virtualDesktop({ appOutput: "ignore", apps: [{ argv: ["false"] }] }).open({
    size: { width: 100, height: 100 },
  });
  await expect(opening).rejects.toMatchObject({ code: "E_BACKEND" });
});

test("the picture is the screen's, to the pixel", async () => {
  const session = await open();
  const empty = await pixels(session);
  expect([empty.width, empty.height, empty.channels]).toEqual([640, 480, 3]);
  await session.startApp({
    argv: ["xterm", "-geometry", "20x5+100+80", "-bg", "#123456", "-fg", "#123456", "-e", "cat"],
  });
  await session.settle(100, 3000);
  const shown = await pixels(session);
  const geometry = await runOn(session, "sh", "-c", "xwininfo -id $(xdotool getactivewindow)");
  const [x = 0, y = 0] = ["left X", "left Y"].map((name) =>
    Number(new RegExp(`Absolute upper-${name}:\\s+(\\d+)`).exec(geometry)?.[1]),
  );
  const offset = 3 * ((y + 40) * 640 + x + 60);
  expect([...shown.data.subarray(offset, offset + 3)]).toEqual([0x12, 0x34, 0x56]);
  const part = await perform(session, {
    kind: "capture",
    region: { x: x + 60, y: y + 40, width: 1, height: 1 },
  });
  expect(part.kind === "frame" && [...decode(part.png).data]).toEqual([0x12, 0x34, 0x56]);
});

test("settle sees a changing screen and a quiet one", async () => {
  const session = await open();
  await session.startApp({ argv: ["xterm", "-e", "sh", "-c", "while :; do echo tick; sleep 0.02; done"] });
  expect(await session.settle(300, 1000)).toBe(false);
  const still = await open();
  expect(await still.settle(100, 3000)).toBe(true);
});

test("the window manager opens no menu and takes no key", async () => {
  const session = await open();
  const before = await pixels(session);
  for (const button of ["left", "middle", "right"] as const) {
    await perform(session, { kind: "click", at: { x: 300, y: 200 }, button, count: 1, modifiers: [] });
  }
  await perform(session, {
    kind: "scroll",
    at: { x: 300, y: 200 },
    direction: "up",
    amount: 3,
    modifiers: [],
  });
  await perform(session, { kind: "key", modifiers: ["alt"], key: "space", repeat: 1 });
  await session.settle(100, 2000);
  expect(Buffer.compare(Buffer.from(before.data), Buffer.from((await pixels(session)).data))).toBe(0);
  const file = join(folder, "keys.txt");
  const app = await session.startApp({ argv: ["sh", "-c", `exec xev -event keyboard > ${file}`] });
  for (const key of ["Tab", "F4"])
    await perform(session, { kind: "key", modifiers: ["alt"], key, repeat: 1 });
  await expect.poll(() => readFileSync(file, "utf8")).toMatch(/KeyPress[\s\S]*keysym 0xffc1, F4/);
  expect(readFileSync(file, "utf8")).toMatch(/keysym 0xff09, Tab/);
  execFileSync("kill", [String(app.pid)]);
  await app.ended;
});

test("opening is refused once it is aborted", async () => {
  await expect(
    virtualDesktop().open({ size: { width: 100, height: 100 }, signal: AbortSignal.abort() }),
  ).rejects.toThrow();
});
