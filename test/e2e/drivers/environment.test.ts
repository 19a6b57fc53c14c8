// What a driver finds on a display, and what changes under its hands: neutral state, ownership, drift, rivals.
import process from "node:process";
import { afterEach, describe, expect, test } from "vitest";
import type { DriverAction } from "../../../src/contract/driver-protocol.js";
import type { DesktopSession } from "../../../src/runtime/cap/desktop-port.js";
import { startBareDisplay } from "../../tools/bare-display.js";
import { builtDrivers, builtPermitted } from "../../tools/built.js";
import { runOn } from "../../tools/command.js";
import { readInputState } from "../../tools/input-state.js";
import { type EventRecorder, startEventRecorder } from "../../tools/recorder.js";
import { asking, connect, type DisplayAddress, type XConnected } from "../../tools/x-client.js";

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

async function bare(): Promise<DisplayAddress> {
  const display = await startBareDisplay(size.width, size.height);
  ends.push(() => display.stop());
  return display.address;
}

async function host(
  options: Parameters<typeof hostDesktop>[0] = {},
  declared = size,
): Promise<DesktopSession> {
  const session = await hostDesktop(options).open({ size: declared });
  ends.push(() => session.close());
  return session;
}

async function virtual() {
  const session = await virtualDesktop({ appOutput: "ignore" }).open({ size });
  ends.push(() => session.close());
  return session;
}

async function recording(address: DisplayAddress): Promise<EventRecorder> {
  const recorder = await startEventRecorder(address);
  ends.push(() => recorder.stop());
  return recorder;
}

const count = async (recorder: EventRecorder, prefix: string) =>
  (await recorder.events()).filter((event) => event.event.startsWith(prefix)).length;

describe("at the start", () => {
  test("what is held or locked is let go and reported, and text comes out as it is", async () => {
    const display = await bare();
    await runOn(display, "xdotool", "keydown", "ctrl", "keydown", "Delete", "mousedown", "1");
    await runOn(display, "xdotool", "key", "Caps_Lock", "key", "Num_Lock");
    expect((await readInputState(display)).mask).not.toBe(0);
    const session = await host({ display: display.display });
    expect(session.released.buttons).toEqual([1]);
    expect([...session.released.keys].sort()).toEqual(["Caps_Lock", "Delete", "Num_Lock", "ctrl"]);
    const state = await readInputState(display);
    expect([state.keys, state.mask]).toEqual([[], 0]);
  });

  test("sticky keys are switched off: a modifier tapped does not stay for the next key", async () => {
    const display = await bare();
    await runOn(display, "xdotool", "key", "StickyKeys_Enable");
    await runOn(display, "xdotool", "key", "ctrl");
    const recorder = await recording(display);
    await runOn(display, "xdotool", "key", "w");
    expect((await recorder.events())[0]?.state, "sticky keys work here").toBe(4);
    const session = await host({ display: display.display });
    expect(session.released.keys).toContain("AccessX");
    await recorder.clear();
    await perform(session, { kind: "key", modifiers: ["ctrl"], repeat: 1 });
    await perform(session, { kind: "key", modifiers: [], key: "w", repeat: 1 });
    const [, , w] = await recorder.events();
    expect(w).toMatchObject({ event: "KeyPress", keysym: "w".charCodeAt(0), state: 0 });
  });

  test("one driver for a display, under whatever name; the next one finds the same server", async () => {
    const { display } = await bare();
    const first = await host({ display });
    await expect(host({ display: `${display}.0` })).rejects.toMatchObject({ code: "E_LEASE" });
    await first.close();
    const second = await host({ display: `${display}.0` });
    expect(second.serverId).toBe(first.serverId);
    const other = await host({ display: (await bare()).display });
    expect(other.serverId).not.toBe(second.serverId);
  });

  test("another size than declared is drift, unless the display's size is declared too", async () => {
    const { display } = await bare();
    const declared = { width: 800, height: 600 };
    await expect(host({ display }, declared)).rejects.toMatchObject({ code: "E_ENV_DRIFT" });
    const session = await host({ display, size }, declared);
    expect(session.size).toEqual(size);
  });

  test("no display, a dead one, a driver that is not there", async () => {
    const before = process.env["DISPLAY"];
    delete process.env["DISPLAY"];
    try {
      await expect(host()).rejects.toMatchObject({ code: "E_UNSUPPORTED" });
      await expect(host({ display: ":64321" })).rejects.toMatchObject({ code: "E_BACKEND" });
      await expect(host({ driver: "nut" })).rejects.toMatchObject({ code: "E_UNSUPPORTED" });
    } finally {
      if (before !== undefined) process.env["DISPLAY"] = before;
    }
  });

  test("an active second keyboard group is typed in", async () => {
    const display = await bare();
    await runOn(display, "setxkbmap", "-layout", "us,ru");
    await runOn(display, "xdotool", "key", "ISO_Next_Group");
    const session = await host({ display: display.display });
    const recorder = await recording(display);
    await perform(session, { kind: "key", modifiers: ["ctrl"], key: "c", repeat: 1 });
    const keysyms = (await recorder.events()).map((event) => event.keysym);
    expect(keysyms).toEqual([0xffe3, 0x63, 0x63, 0xffe3]);
  });
});

describe("during a run", () => {
  test("a keyboard map changed by somebody else stops keys and text before any event", async () => {
    const session = await virtual();
    await perform(session, { kind: "key", modifiers: [], key: "z", repeat: 1 });
    await runOn(session, "setxkbmap", "de");
    const recorder = await recording(session);
    for (const action of [
      { kind: "key", modifiers: [], key: "z", repeat: 1 },
      { kind: "type", text: "z" },
      { kind: "hold", modifiers: ["ctrl"], ms: 10 },
    ] satisfies DriverAction[]) {
      await expect(perform(session, action)).rejects.toMatchObject({ code: "E_ENV_DRIFT", events: 0 });
    }
    expect(await count(recorder, "Key")).toBe(0);
  });

  test("a lock switched on is drift, a key held by somebody is a state; released, keys work again", async () => {
    const session = await virtual();
    const recorder = await recording(session);
    await runOn(session, "xdotool", "keydown", "ctrl");
    await recorder.clear();
    for (const action of [
      { kind: "type", text: "w" },
      { kind: "key", modifiers: [], key: "w", repeat: 1 },
      { kind: "click", at, button: "left", count: 1, modifiers: [] },
    ] satisfies DriverAction[]) {
      await expect(perform(session, action)).rejects.toMatchObject({ code: "E_STATE", events: 0 });
    }
    expect(await recorder.events()).toEqual([]);
    await runOn(session, "xdotool", "keyup", "ctrl");
    await perform(session, { kind: "key", modifiers: [], key: "w", repeat: 1 });
    await runOn(session, "xdotool", "key", "Caps_Lock");
    await expect(perform(session, { kind: "key", modifiers: [], key: "w", repeat: 1 })).rejects.toMatchObject(
      {
        code: "E_ENV_DRIFT",
        events: 0,
      },
    );
  });

  test("a rival that keeps moving the pointer: no press", async () => {
    const session = await virtual();
    const recorder = await recording(session);
    const { client, screen } = await rival(session);
    const timer = setInterval(() => client.WarpPointer(0, screen[0]?.root ?? 0, 0, 0, 0, 0, 5, 5), 1);
    ends.push(() => clearInterval(timer));
    await expect(
      perform(session, { kind: "click", at, button: "left", count: 1, modifiers: [] }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^E_(STALE|BACKEND)$/) as string, events: 1 });
    expect(await count(recorder, "Button")).toBe(0);
    clearInterval(timer);
    await perform(session, { kind: "click", at, button: "left", count: 1, modifiers: [] });
    expect(await count(recorder, "Button")).toBe(2);
  });

  test("a pointer confined by a grab: no press", async () => {
    const session = await virtual();
    const recorder = await recording(session);
    const { client, screen } = await rival(session);
    const root = screen[0]?.root ?? 0;
    const window = client.AllocID();
    client.CreateWindow(window, root, 0, 0, 50, 50, 0, 0, 0, 0, { overrideRedirect: true });
    client.MapWindow(window);
    await client.sync();
    const status = await asking<number>((done) => client.GrabPointer(window, 0, 0, 1, 1, window, 0, 0, done));
    expect(status, "the grab is taken").toBe(0);
    await expect(
      perform(session, { kind: "click", at, button: "left", count: 1, modifiers: [] }),
    ).rejects.toMatchObject({ code: "E_BACKEND", events: 1 });
    expect(await count(recorder, "Button")).toBe(0);
  });

  test("a server held by another client: the deadline ends it, before any event", async () => {
    const session = await virtual();
    const { client } = await rival(session);
    client.GrabServer();
    await client.sync();
    await expect(perform(session, { kind: "move", at }, { deadlineMs: 400 })).rejects.toMatchObject({
      code: "E_BACKEND",
      events: 0,
    });
    client.UngrabServer();
    await client.sync();
    expect((await readInputState(session)).pointer).not.toEqual(at);
  });
});

async function rival(address: DisplayAddress): Promise<XConnected> {
  const connected = await connect(address);
  ends.push(() => connected.client.terminate());
  return connected;
}
