// The nut driver on real displays: what it finds, what dies under it, and that none of it reaches our own process.
import { readFileSync } from "node:fs";
import process from "node:process";
import { afterEach, describe, expect, test } from "vitest";
import type { DriverAction } from "../../../src/contract/driver-protocol.js";
import type { DesktopSession } from "../../../src/runtime/cap/desktop-port.js";
import { type BareDisplay, startBareDisplay } from "../../tools/bare-display.js";
import { builtDrivers, builtPermitted } from "../../tools/built.js";
import { runOn } from "../../tools/command.js";
import { readInputState } from "../../tools/input-state.js";
import { type EventRecorder, startEventRecorder } from "../../tools/recorder.js";
import type { DisplayAddress } from "../../tools/x-client.js";

const { hostDesktop, virtualDesktop } = await builtDrivers();
const { mintPermitted } = await builtPermitted();

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const size = { width: 400, height: 300 };
const at = { x: 200, y: 100 };
const perform = (session: DesktopSession, action: DriverAction, options = {}) =>
  session.perform(mintPermitted(action), options);

async function bare(): Promise<BareDisplay> {
  const display = await startBareDisplay(size.width, size.height);
  ends.push(() => display.stop());
  return display;
}

async function host(display: string | undefined, declared = size): Promise<DesktopSession> {
  const options = display === undefined ? {} : { display };
  const session = await hostDesktop({ ...options, driver: "nut" }).open({ size: declared });
  ends.push(() => session.close());
  return session;
}

async function virtual() {
  const session = await virtualDesktop({ driver: "nut", appOutput: "ignore" }).open({ size });
  ends.push(() => session.close());
  return session;
}

async function recording(address: DisplayAddress): Promise<EventRecorder> {
  const recorder = await startEventRecorder(address);
  ends.push(() => recorder.stop());
  return recorder;
}

async function untilHeld(address: DisplayAddress, count: number): Promise<void> {
  await expect.poll(async () => (await readInputState(address)).keys.length, { timeout: 10_000 }).toBe(count);
}

describe("at the start", () => {
  test("no display, or a dead one, is told before nut-js is loaded, which would die of it", async () => {
    const before = process.env["DISPLAY"];
    delete process.env["DISPLAY"];
    try {
      await expect(host(undefined)).rejects.toMatchObject({ code: "E_UNSUPPORTED" });
      for (const dead of [":4321", ":64321"]) {
        await expect(host(dead)).rejects.toMatchObject({
          code: "E_BACKEND",
          message: expect.stringContaining(`cannot open display ${dead}`) as string,
        });
      }
    } finally {
      if (before !== undefined) process.env["DISPLAY"] = before;
    }
  });

  test("what is held or locked is let go and reported", async () => {
    const { address } = await bare();
    await runOn(address, "xdotool", "keydown", "ctrl", "mousedown", "1", "key", "Caps_Lock");
    const session = await host(address.display);
    expect(session.released).toEqual({ keys: ["ctrl", "Caps_Lock"], buttons: [1] });
    const state = await readInputState(address);
    expect([state.keys, state.mask]).toEqual([[], 0]);
  });

  test("one driver for a display, of whichever kind", async () => {
    const { address } = await bare();
    await host(address.display);
    await expect(host(address.display)).rejects.toMatchObject({ code: "E_LEASE" });
    await expect(hostDesktop({ display: address.display }).open({ size })).rejects.toMatchObject({
      code: "E_LEASE",
    });
  });

  test("another size than declared is drift", async () => {
    const { address } = await bare();
    await expect(host(address.display, { width: 800, height: 600 })).rejects.toMatchObject({
      code: "E_ENV_DRIFT",
    });
  });

  test("its native part is in the driver's process and not in ours", async () => {
    const session = await virtual();
    const mapsOf = (pid: number | "self") => readFileSync(`/proc/${pid}/maps`, "utf8");
    expect(mapsOf(session.processes.driver)).toContain("libnut.node");
    expect(mapsOf("self")).not.toContain("libnut.node");
  });
});

describe("during a run", () => {
  test("it stays with its display, whatever DISPLAY says later", async () => {
    const [first, second] = [await bare(), await bare()];
    const session = await host(first.address.display);
    const recorders = [await recording(first.address), await recording(second.address)];
    const before = process.env["DISPLAY"];
    process.env["DISPLAY"] = second.address.display;
    try {
      await runOn(first.address, "xsetroot", "-solid", "#ff0000");
      await perform(session, { kind: "move", at });
      const frame = await perform(session, { kind: "capture" });
      expect(frame.kind === "frame" && (await topLeft(frame.png))).toEqual([255, 0, 0]);
    } finally {
      if (before === undefined) delete process.env["DISPLAY"];
      else process.env["DISPLAY"] = before;
    }
    const counts = await Promise.all(recorders.map(async (recorder) => (await recorder.events()).length));
    expect(counts).toEqual([1, 0]);
  });

  test("a keyboard map, lock or key changed by somebody else stops keys and text before any event", async () => {
    const session = await virtual();
    await perform(session, { kind: "key", modifiers: [], key: "z", repeat: 1 });
    const recorder = await recording(session);
    const refused = async (code: string) => {
      await recorder.clear();
      for (const action of [
        { kind: "key", modifiers: [], key: "z", repeat: 1 },
        { kind: "type", text: "z" },
      ] satisfies DriverAction[]) {
        await expect(perform(session, action)).rejects.toMatchObject({ code, events: 0 });
      }
      expect(await recorder.events()).toEqual([]);
    };
    await runOn(session, "xdotool", "keydown", "shift");
    await refused("E_STATE");
    await runOn(session, "xdotool", "keyup", "shift", "key", "Caps_Lock");
    await refused("E_ENV_DRIFT");
    await runOn(session, "xdotool", "key", "Caps_Lock");
    await perform(session, { kind: "key", modifiers: [], key: "z", repeat: 1 });
    await runOn(session, "setxkbmap", "de");
    await refused("E_ENV_DRIFT");
  });

  test("a scroll is paced and can be stopped between two turns", async () => {
    const session = await virtual();
    const recorder = await recording(session);
    const controller = new AbortController();
    const scrolling = perform(
      session,
      { kind: "scroll", at, direction: "down", amount: 100, modifiers: [] },
      { signal: controller.signal },
    );
    scrolling.catch(() => {});
    const turns = async () => (await recorder.events()).filter(({ event }) => event === "ButtonPress").length;
    await expect.poll(turns).toBeGreaterThan(2);
    controller.abort();
    await expect(scrolling).rejects.toMatchObject({ code: "E_INDETERMINATE" });
    const events = await recorder.events();
    const count = (name: string) => events.filter(({ event }) => event === name).length;
    expect(count("ButtonPress")).toBeLessThan(100);
    expect(count("ButtonPress")).toBe(count("ButtonRelease"));
    await expect(scrolling).rejects.toMatchObject({ events: events.length });
  });
});

describe("when it dies", () => {
  test("killed with two keys and a button down: all are released, and the session is lost", async () => {
    const session = await virtual();
    await perform(session, { kind: "press", at });
    const holding = perform(session, { kind: "hold", modifiers: ["shift"], key: "a", ms: 10_000 });
    holding.catch(() => {});
    await untilHeld(session, 2);
    process.kill(session.processes.driver, "SIGKILL");
    await expect(holding).rejects.toMatchObject({ code: "E_BACKEND", events: 2 });
    const after = await readInputState(session);
    expect([after.keys, after.mask]).toEqual([[], 0]);
    await expect(session.lost).resolves.toMatch(/driver process ended by SIGKILL/);
  });

  test("X server killed: the display is lost, at once and for what follows", async () => {
    const session = await virtual();
    const holding = perform(session, { kind: "hold", modifiers: [], key: "c", ms: 10_000 });
    holding.catch(() => {});
    await untilHeld(session, 1);
    process.kill(session.processes.server, "SIGKILL");
    await expect(holding).rejects.toMatchObject({ code: "E_DISPLAY_LOST" });
    await expect(session.lost).resolves.toEqual(expect.any(String));
    await expect(perform(session, { kind: "cursor" })).rejects.toMatchObject({ code: "E_DISPLAY_LOST" });
  });

  test("X server stopped: the deadline ends it", async () => {
    const session = await virtual();
    process.kill(session.processes.server, "SIGSTOP");
    await expect(perform(session, { kind: "move", at }, { deadlineMs: 500 })).rejects.toMatchObject({
      code: "E_BACKEND",
      events: 0,
    });
    process.kill(session.processes.server, "SIGCONT");
  });

  test("stopped itself in a chord: killed at the deadline, released, and unknown because events were sent", async () => {
    const session = await virtual();
    const late = perform(
      session,
      { kind: "hold", modifiers: ["ctrl"], key: "b", ms: 10_000 },
      { deadlineMs: 900 },
    );
    await expect(late).rejects.toMatchObject({ code: "E_INDETERMINATE", events: 2 });
    expect((await readInputState(session)).keys).toEqual([]);
  });
});

async function topLeft(png: Uint8Array): Promise<number[]> {
  const { decode } = await import("fast-png");
  return [...decode(png).data].slice(0, 3);
}
