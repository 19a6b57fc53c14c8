// The driver process dies, hangs or loses its server: nothing stays held, the error says what is known, Node lives.
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DriverAction } from "../../../src/contract/driver-protocol.js";
import type { VirtualSession } from "../../../src/runtime/drivers/index.js";
import { builtDrivers, builtPermitted } from "../../tools/built.js";
import { runOn } from "../../tools/command.js";
import { readInputState } from "../../tools/input-state.js";
import { startEventRecorder } from "../../tools/recorder.js";

const { virtualDesktop } = await builtDrivers();
const { mintPermitted } = await builtPermitted();

let session: VirtualSession;
beforeEach(async () => {
  session = await virtualDesktop({ appOutput: "ignore" }).open({ size: { width: 400, height: 300 } });
});
afterEach(() => session.close());

const perform = (action: DriverAction, options = {}) => session.perform(mintPermitted(action), options);
const A = { x: 50, y: 60 };
const BUTTONS = 0x1f00;

async function untilHeld(): Promise<void> {
  await expect.poll(async () => (await readInputState(session)).keys.length, { timeout: 5000 }).toBe(2);
}

test("killed with two keys and a button down: all are released, and the session is lost", async () => {
  await perform({ kind: "press", at: A });
  expect((await readInputState(session)).mask & BUTTONS).toBe(0x100);
  const holding = perform({ kind: "hold", modifiers: ["shift"], key: "a", ms: 10_000 });
  holding.catch(() => {});
  await untilHeld();
  process.kill(session.processes.driver, "SIGKILL");
  await expect(holding).rejects.toMatchObject({ code: "E_BACKEND", events: 2 });
  const after = await readInputState(session);
  expect(after.keys).toEqual([]);
  expect(after.mask).toBe(0);
  await expect(session.lost).resolves.toMatch(/driver process ended by SIGKILL/);
  await expect(perform({ kind: "cursor" })).rejects.toMatchObject({ code: "E_BACKEND", events: 0 });
  await expect(session.releaseAll()).resolves.toBeDefined();
});

test("killed while it lends keycodes: the keyboard map is as before", async () => {
  const before = await readInputState(session);
  await session.startApp({ argv: ["xterm", "-e", "cat"] });
  const typing = perform({ kind: "type", text: "日本語テキスト入力".repeat(300) });
  typing.catch(() => {});
  const lentNow = async () => [...(await readInputState(session)).keymap.values()].flat().length;
  const atRest = [...before.keymap.values()].flat().length;
  await expect.poll(lentNow, { timeout: 5000 }).toBeGreaterThan(atRest);
  process.kill(session.processes.driver, "SIGKILL");
  await expect(typing).rejects.toMatchObject({ code: "E_BACKEND" });
  expect((await readInputState(session)).keymap).toEqual(before.keymap);
});

test("no answer by the deadline: killed, released, and unknown because events were sent", async () => {
  const late = perform({ kind: "hold", modifiers: ["ctrl"], key: "b", ms: 10_000 }, { deadlineMs: 600 });
  await expect(late).rejects.toMatchObject({ code: "E_INDETERMINATE", events: 2 });
  expect((await readInputState(session)).keys).toEqual([]);
});

test("stopped driver: the deadline ends it, before any event", async () => {
  process.kill(session.processes.driver, "SIGSTOP");
  await expect(perform({ kind: "move", at: A }, { deadlineMs: 500 })).rejects.toMatchObject({
    code: "E_BACKEND",
    events: 0,
  });
});

test("server killed: the display is lost, at once and for what follows", async () => {
  const holding = perform({ kind: "hold", modifiers: [], key: "c", ms: 10_000 });
  holding.catch(() => {});
  await expect.poll(async () => (await readInputState(session)).keys.length).toBe(1);
  process.kill(session.processes.server, "SIGKILL");
  await expect(holding).rejects.toMatchObject({ code: "E_DISPLAY_LOST" });
  await expect(session.lost).resolves.toEqual(expect.any(String));
  await expect(perform({ kind: "cursor" })).rejects.toMatchObject({ code: "E_DISPLAY_LOST" });
});

test("stopped server: the deadline holds, and closing still ends everything", async () => {
  process.kill(session.processes.server, "SIGSTOP");
  await expect(perform({ kind: "capture" }, { deadlineMs: 500 })).rejects.toMatchObject({
    code: "E_BACKEND",
  });
  process.kill(session.processes.server, "SIGCONT");
});

test("closing with a key and a button down leaves none down", async () => {
  const recorder = await startEventRecorder(session);
  try {
    await perform({ kind: "press", at: A });
    const holding = perform({ kind: "hold", modifiers: ["alt"], key: "d", ms: 10_000 });
    holding.catch(() => {});
    await untilHeld();
    expect((await session.releaseAll()).buttons).toEqual([1]);
    await expect(holding).rejects.toMatchObject({ code: "E_INDETERMINATE", events: 4 });
    const events = await recorder.events();
    const count = (name: string) => events.filter((event) => event.event === name).length;
    expect(count("ButtonPress")).toBe(count("ButtonRelease"));
    const after = await readInputState(session);
    expect([after.keys, after.mask]).toEqual([[], 0]);
  } finally {
    await recorder.stop();
  }
});

test("X errors are failures of one action, not of the driver", async () => {
  const before = session.processes.driver;
  // A window that vanishes while it has the focus makes requests about it fail.
  const app = await session.startApp({ argv: ["xterm", "-e", "cat"] });
  process.kill(app.pid, "SIGKILL");
  await app.ended;
  // The server and the window manager notice it a moment later.
  await expect.poll(() => runOn(session, "wmctrl", "-l"), { timeout: 10_000 }).toBe("");
  await expect(perform({ kind: "type", text: "x" })).rejects.toMatchObject({ code: "E_STATE", events: 0 });
  await perform({ kind: "move", at: A });
  expect(session.processes.driver).toBe(before);
  expect(await runOn(session, "xdotool", "getmouselocation")).toMatch(/^x:50 y:60 /);
});
