// The nut driver where nothing but nut-js is there to ask, played with a stand-in for it.
import { expect, test } from "vitest";
import type { DriverAction } from "../../../src/contract/driver-protocol.js";
import { NutDriver } from "../../../src/runtime/drivers/nut/nut-driver.js";
import { PlainSurroundings, releaseBlindly } from "../../../src/runtime/drivers/nut/plain-surroundings.js";
import { type PlayedOptions, playNut } from "./played-nut.js";

async function opened(options: PlayedOptions = {}, platform = "win32") {
  const { nut, calls } = playNut(options);
  const around = await PlainSurroundings.open(nut, platform);
  const driver = await NutDriver.open(nut, around, { platform });
  let announced = 0;
  const perform = (action: DriverAction, signal = new AbortController().signal) =>
    driver.perform(action, signal, (events) => {
      announced = events;
    });
  return {
    driver,
    perform,
    calls: () => calls.filter((call) => !call.includes("delay")),
    announced: () => announced,
  };
}

test("a chord is pressed key by key, in order, and released in reverse", async () => {
  const { perform, calls, announced } = await opened();
  const done = await perform({ kind: "key", modifiers: ["ctrl", "shift"], key: "k", repeat: 1 });
  expect(calls()).toEqual(["+LeftControl", "+LeftShift", "+K", "-K", "-LeftShift", "-LeftControl"]);
  expect(done).toMatchObject({ kind: "delivered", events: 6 });
  expect(announced()).toBe(6);
});

test("when a key fails, those before it are released, and the events are told", async () => {
  const { perform, calls } = await opened({ failAt: "+K" });
  const failing = perform({ kind: "key", modifiers: ["ctrl"], key: "k", repeat: 1 });
  await expect(failing).rejects.toMatchObject({ code: "E_BACKEND", events: 4 });
  expect(calls()).toEqual(["+LeftControl", "+K", "-K", "-LeftControl"]);
});

test("letters, digits and blanks are typed with Shift where needed; anything else refuses the whole text", async () => {
  const { perform, calls } = await opened();
  await perform({ kind: "type", text: "Ab 1\n" });
  expect(calls()).toEqual([
    ...["+LeftShift", "+A", "-A", "-LeftShift", "+B", "-B", "+Space", "-Space"],
    ...["+Num1", "-Num1", "+Return", "-Return"],
  ]);
  for (const text of ["ab!", "a@", "é", "你", "😀", "\u010a", "\u0172"]) {
    await expect(perform({ kind: "type", text })).rejects.toMatchObject({
      code: "E_TEXT_UNSUPPORTED",
      events: 0,
    });
  }
  expect(calls()).toHaveLength(12);
});

test("a wheel whose unit is not known is not turned; a double click that would be two is not made", async () => {
  const at = { x: 5, y: 5 };
  const scroll: DriverAction = { kind: "scroll", at, direction: "down", amount: 1, modifiers: [] };
  const twice: DriverAction = { kind: "click", at, button: "left", count: 2, modifiers: [] };
  const mac = await opened({}, "darwin");
  for (const action of [scroll, twice]) {
    await expect(mac.perform(action)).rejects.toMatchObject({ code: "E_UNSUPPORTED", events: 0 });
  }
  expect(mac.calls()).toEqual([]);
  const windows = await opened();
  await expect(windows.perform(scroll)).rejects.toMatchObject({ code: "E_UNSUPPORTED" });
  await expect(windows.perform(twice)).resolves.toMatchObject({ kind: "delivered", events: 5 });
});

test("what it has pressed is known to it, and let go", async () => {
  const { driver, perform, calls } = await opened();
  await perform({ kind: "press", at: { x: 3, y: 4 } });
  const again: DriverAction = { kind: "click", at: { x: 3, y: 4 }, button: "left", count: 1, modifiers: [] };
  await expect(perform(again)).rejects.toMatchObject({ code: "E_STATE" });
  expect(await driver.releaseAll()).toEqual({ keys: [], buttons: [1] });
  expect(await driver.releaseAll()).toEqual({ keys: [], buttons: [] });
  expect(calls()).toEqual(["to 3,4", "button +0", "button -0"]);
});

test("after its death all buttons and modifiers are let go, whatever was held", async () => {
  const { nut, calls } = playNut();
  await releaseBlindly(nut, "darwin");
  expect(calls).toEqual([
    ...["button -0", "button -1", "button -2"],
    ...["-LeftControl", "-LeftAlt", "-LeftShift", "-LeftSuper"],
  ]);
});

test("a cancel between two events stops, and says how many were sent", async () => {
  const { perform, calls } = await opened();
  const controller = new AbortController();
  const holding = perform({ kind: "hold", modifiers: ["shift"], key: "a", ms: 5000 }, controller.signal);
  await expect.poll(() => calls().length).toBe(2);
  controller.abort();
  await expect(holding).rejects.toMatchObject({ code: "E_INDETERMINATE", events: 4 });
  expect(calls()).toEqual(["+LeftShift", "+A", "-A", "-LeftShift"]);
});
