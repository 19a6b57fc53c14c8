// What reaches nut-js: one key or button a call, integers on the display, and the wheel the right way round.
import { expect, test } from "vitest";
import { NutInput } from "../../../src/runtime/drivers/nut/nut-input.js";
import { NUT_KEYS, whyNot } from "../../../src/runtime/drivers/nut/nut-keys.js";
import { playNut } from "./played-nut.js";

const SIZE = { width: 100, height: 80 };

function input(platform = "linux") {
  const played = playNut({ screen: SIZE });
  return { ...played, input: new NutInput(played.nut, SIZE, platform) };
}

test.each([
  [5000, 5],
  [-1, 5],
  [100, 0],
  [0, 80],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, 0],
  [2 ** 31, 0],
  [2 ** 32 + 50, 0],
  [1e20, 0],
  [50.7, 0],
])("the point (%d,%d) never reaches it", async (x, y) => {
  const { input: hand, calls } = input();
  await expect(hand.move({ x, y })).rejects.toMatchObject({ code: "E_SCHEMA" });
  expect(calls).toEqual([]);
});

test("the last pixel does", async () => {
  const { input: hand, calls } = input();
  await hand.move({ x: 99, y: 79 });
  expect(calls).toEqual(["to 99,79"]);
  expect(await hand.pointer()).toEqual({ x: 99, y: 79 });
});

test("the wheel turns by one, left and right exchanged on X11 only", async () => {
  const on = async (platform: string) => {
    const { input: hand, calls } = input(platform);
    for (const button of [4, 5, 6, 7]) await hand.wheel(button);
    return calls;
  };
  expect(await on("linux")).toEqual(["up 1", "down 1", "right 1", "left 1"]);
  expect(await on("win32")).toEqual(["up 1", "down 1", "left 1", "right 1"]);
});

test("buttons are the three, and wheel buttons the four", async () => {
  const { input: hand, calls } = input();
  for (const button of [1, 2, 3]) await hand.button(button, true);
  expect(calls).toEqual(["button +0", "button +1", "button +2"]);
  await expect(hand.button(4, true)).rejects.toMatchObject({ code: "E_SCHEMA" });
  await expect(hand.wheel(1)).rejects.toMatchObject({ code: "E_SCHEMA" });
  expect(calls).toHaveLength(3);
});

test("keys that end its process, that it drops or rejects are not let through", async () => {
  const { input: hand, calls } = input();
  for (const name of ["F13", "Clear", "Pause", "LeftCmd", "Menu", "Fn", "constructor", ""]) {
    await expect(hand.key(name, true)).rejects.toMatchObject({ code: "E_KEY_UNSUPPORTED" });
  }
  expect(calls).toEqual([]);
  await hand.key("LeftSuper", true);
  await hand.key("Return", true);
  expect(calls).toEqual(["+LeftSuper", "+Return"]);
});

test("the table has none of them, and says of each why", () => {
  const names = NUT_KEYS.map(([name]) => name);
  expect(
    names.filter((name) => /^(F(1[3-9]|2\d)|Clear|Audio.*|Pause|.*Cmd|Menu|Fn|.*Lock)$/.test(name)),
  ).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  for (const id of ["F13", "F24", "Clear", "AudioRandom", "AudioRepeat"])
    expect(whyNot(id)).toMatch(/ends its process/);
  expect(whyNot("Pause")).toMatch(/sends nothing/);
  expect(whyNot("F12")).toBeUndefined();
});
