import { decode } from "fast-png";
import { expect, test } from "vitest";
import type { DriverAction } from "../../../src/contract/driver-protocol.js";
import { mintPermitted } from "../../../src/runtime/cap/permitted.js";
import { type FakeDesktopOptions, fakeDesktop } from "../../../src/runtime/drivers/index.js";

const size = { width: 200, height: 150 };

async function opened(options: FakeDesktopOptions = {}) {
  const desktop = fakeDesktop(options);
  const session = await desktop.open({ size });
  return {
    desktop,
    session,
    perform: (action: DriverAction, more = {}) => session.perform(mintPermitted(action), more),
  };
}

test("a click is a motion, a press and a release at the point", async () => {
  const { desktop, perform } = await opened();
  const done = await perform({
    kind: "click",
    at: { x: 0, y: 149 },
    button: "right",
    count: 1,
    modifiers: ["ctrl"],
  });
  expect(done).toEqual({ kind: "delivered", events: 5, pointer: { x: 0, y: 149 } });
  expect(desktop.events).toEqual([
    { type: "motion", x: 0, y: 149 },
    { type: "key", key: "ctrl", down: true, modifiers: [] },
    { type: "button", button: 3, down: true, x: 0, y: 149, modifiers: ["ctrl"] },
    { type: "button", button: 3, down: false, x: 0, y: 149, modifiers: ["ctrl"] },
    { type: "key", key: "ctrl", down: false, modifiers: [] },
  ]);
});

test("a point outside the display is refused before any event, the last pixel is not", async () => {
  const { desktop, perform } = await opened();
  await expect(perform({ kind: "move", at: { x: 200, y: 0 } })).rejects.toMatchObject({
    code: "E_SCHEMA",
    events: 0,
  });
  expect(desktop.events).toEqual([]);
  await perform({ kind: "move", at: { x: 199, y: 149 } });
  expect(desktop.view.pointer).toEqual({ x: 199, y: 149 });
});

test("a token is good for one action, and nothing else is a token", async () => {
  const { desktop, session } = await opened();
  const token = mintPermitted({ kind: "type", text: "ab\n" });
  await session.perform(token);
  await expect(session.perform(token)).rejects.toMatchObject({ code: "E_REPLAY" });
  const forged = { kind: "type", text: "x" } as never;
  await expect(session.perform(forged)).rejects.toMatchObject({ code: "E_CAP_FORGED" });
  expect(desktop.text).toBe("ab\n");
  expect(desktop.events).toHaveLength(6);
});

test("a chord presses modifiers first and releases in reverse", async () => {
  const { desktop, perform } = await opened();
  await perform({ kind: "key", modifiers: ["ctrl", "shift"], key: "t", repeat: 2 });
  const order = desktop.events.map((event) =>
    event.type === "key" ? `${event.down ? "+" : "-"}${event.key}` : "",
  );
  expect(order).toEqual(["+ctrl", "+shift", "+t", "-t", "+t", "-t", "-shift", "-ctrl"]);
});

test("a pointer moved by somebody else stops the press", async () => {
  const { desktop, perform } = await opened({ fault: () => ({ warp: { x: 5, y: 5 } }) });
  await expect(
    perform({ kind: "click", at: { x: 50, y: 50 }, button: "left", count: 1, modifiers: [] }),
  ).rejects.toMatchObject({ code: "E_STALE", events: 1 });
  expect(desktop.events.some((event) => event.type === "button")).toBe(false);
});

test("a failure under way carries the number of events and releases what was held", async () => {
  const { desktop, perform } = await opened({ fault: () => ({ code: "E_BACKEND", afterEvents: 4 }) });
  await expect(
    perform({ kind: "drag", from: { x: 10, y: 10 }, to: { x: 100, y: 100 }, modifiers: [] }),
  ).rejects.toMatchObject({ code: "E_BACKEND", events: 5 });
  expect(desktop.view.heldButtons).toEqual([]);
});

test("a hang ends by the deadline as unknown, by the signal as stopped", async () => {
  let asked = 0;
  const { perform, session } = await opened({ fault: () => (++asked <= 2 ? "hang" : undefined) });
  await expect(perform({ kind: "cursor" }, { deadlineMs: 5 })).rejects.toMatchObject({
    code: "E_INDETERMINATE",
  });
  const controller = new AbortController();
  const hanging = session.perform(mintPermitted({ kind: "cursor" }), { signal: controller.signal });
  await expect.poll(() => asked).toBe(2);
  controller.abort();
  await expect(hanging).rejects.toMatchObject({ code: "E_STATE", events: 0 });
  await expect(perform({ kind: "cursor" })).resolves.toEqual({ kind: "cursor", at: { x: 100, y: 75 } });
});

test("an abort in the middle of a hold releases the keys and says that events were sent", async () => {
  const { desktop, session } = await opened();
  const controller = new AbortController();
  const holding = session.perform(
    mintPermitted({ kind: "hold", modifiers: ["shift"], key: "a", ms: 10_000 }),
    { signal: controller.signal },
  );
  await expect.poll(() => desktop.events.length).toBe(2);
  controller.abort();
  await expect(holding).rejects.toMatchObject({ code: "E_INDETERMINATE", events: 4 });
  expect(desktop.view.heldKeys).toEqual([]);
});

test("a foreign key held down refuses chords and text; released, both work", async () => {
  const { desktop, session, perform } = await opened();
  desktop.disturb({ keyDown: "ctrl" });
  await expect(perform({ kind: "type", text: "w" })).rejects.toMatchObject({ code: "E_STATE", events: 0 });
  await expect(session.releaseAll()).resolves.toEqual({ keys: ["ctrl"], buttons: [] });
  await perform({ kind: "type", text: "w" });
  expect(desktop.text).toBe("w");
});

test("a lost display settles `lost` and refuses what follows", async () => {
  const { desktop, session, perform } = await opened();
  desktop.lose("pulled the plug");
  await expect(session.lost).resolves.toBe("pulled the plug");
  await expect(perform({ kind: "cursor" })).rejects.toMatchObject({ code: "E_DISPLAY_LOST" });
});

test("the drawn picture changes with typing, and a region is the same pixels as the whole", async () => {
  const { perform } = await opened();
  const capture = async (region?: { x: number; y: number; width: number; height: number }) => {
    const frame = await perform(region ? { kind: "capture", region } : { kind: "capture" });
    if (frame.kind !== "frame") throw new Error("no frame");
    return decode(frame.png);
  };
  const before = await capture();
  expect([before.width, before.height]).toEqual([200, 150]);
  await perform({ kind: "type", text: "hello" });
  const after = await capture();
  expect(Buffer.compare(Buffer.from(before.data), Buffer.from(after.data))).not.toBe(0);
  const part = await capture({ x: 3, y: 2, width: 40, height: 10 });
  const offset = 3 * (2 * 200 + 3);
  expect([...part.data.subarray(0, 120)]).toEqual([...after.data.subarray(offset, offset + 120)]);
});

test("scripted screens follow the actions, and one of another size is refused", async () => {
  const frame = (value: number) => ({
    width: 200,
    height: 150,
    channels: 3 as const,
    data: new Uint8Array(90_000).fill(value),
  });
  const { perform } = await opened({ screens: [frame(1), frame(2)] });
  const first = async () => {
    const got = await perform({ kind: "capture" });
    return got.kind === "frame" ? decode(got.png).data[0] : undefined;
  };
  expect(await first()).toBe(1);
  expect(await first()).toBe(1);
  await perform({ kind: "move", at: { x: 1, y: 1 } });
  await perform({ kind: "move", at: { x: 2, y: 1 } });
  expect(await first()).toBe(2);
  const small = await opened({ screens: [{ ...frame(1), width: 100 }] });
  await expect(small.perform({ kind: "capture" })).rejects.toThrow(/100 × 150/);
});

test("keys that no driver can press, forbidden and unsupported characters send nothing", async () => {
  const { desktop, perform } = await opened({ unsupported: /[^\0-\x7f]/ });
  await expect(perform({ kind: "key", modifiers: [], key: "F13", repeat: 1 })).rejects.toMatchObject({
    code: "E_KEY_UNSUPPORTED",
  });
  await expect(perform({ kind: "type", text: "ok é" })).rejects.toMatchObject({ code: "E_TEXT_UNSUPPORTED" });
  await expect(perform({ kind: "type", text: "a\u202eb" })).rejects.toMatchObject({ code: "E_SCHEMA" });
  expect(desktop.events).toEqual([]);
});

test("release needs a held button, and click needs none", async () => {
  const { perform } = await opened();
  const at = { x: 10, y: 10 };
  await expect(perform({ kind: "release", at })).rejects.toMatchObject({ code: "E_STATE", events: 0 });
  await perform({ kind: "press", at });
  await expect(perform({ kind: "click", at, button: "left", count: 1, modifiers: [] })).rejects.toMatchObject(
    { code: "E_STATE", events: 0 },
  );
  await perform({ kind: "release", at: { x: 20, y: 20 } });
});
