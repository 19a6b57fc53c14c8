// What nut-js itself does on X11, without any guard of ours: the facts that the guards rest on. When one of these
// fails, the library has changed, and docs/platforms.md and the guards are to be looked at again.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import process from "node:process";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { NUT_KEYS } from "../../../src/runtime/drivers/nut/nut-keys.js";
import { type BareDisplay, startBareDisplay } from "../../tools/bare-display.js";
import { runOn } from "../../tools/command.js";
import { type EventRecorder, startEventRecorder } from "../../tools/recorder.js";

let display: BareDisplay;
let recorder: EventRecorder;
beforeAll(async () => {
  display = await startBareDisplay(400, 300);
  recorder = await startEventRecorder(display.address);
});
beforeEach(() => recorder.clear());
afterAll(async () => {
  await recorder.stop();
  await display.stop();
});

const file = createRequire(import.meta.url).resolve("@nut-tree-fork/nut-js");

/** Runs a body with `nut`, `keyboard`, `mouse` and `Key` in a process of its own. */
function nut(body: string, name: string | null = display.address.display) {
  const script = `
    const nut = require(${JSON.stringify(file)});
    const { Key } = nut;
    const keyboard = nut.providerRegistry.getKeyboard();
    const mouse = nut.providerRegistry.getMouse();
    keyboard.setKeyboardDelay(0);
    (async () => { ${body} })().catch((error) => { console.log(error.message); process.exitCode = 9; });`;
  const env: NodeJS.ProcessEnv = { ...process.env };
  if (name === null) delete env["DISPLAY"];
  else env["DISPLAY"] = name;
  const { status, signal, stdout } = spawnSync(process.execPath, ["-e", script], { env, encoding: "utf8" });
  return { status, signal, stdout: stdout.trim() };
}

const seen = async () =>
  (await recorder.events()).map(
    ({ event, keysym, button }) =>
      `${event.endsWith("Press") ? "+" : "-"}${(keysym ?? button ?? 0).toString(16)}`,
  );
const tapped = (...keysyms: number[]) =>
  keysyms.flatMap((keysym) => [`+${keysym.toString(16)}`, `-${keysym.toString(16)}`]);

test("on the US map every key of our table is the key with the keysym that it is listed with", async () => {
  const names = NUT_KEYS.map(([name]) => name);
  const done = nut(
    `for (const name of ${JSON.stringify(names)}) { await keyboard.pressKey(Key[name]); await keyboard.releaseKey(Key[name]); }`,
  );
  expect(done).toMatchObject({ status: 0, stdout: "" });
  // What is on those keys without Num Lock and Shift.
  const plain: Readonly<Record<number, number>> = {
    34: 0x27,
    ...{ 65456: 0xff9e, 65457: 0xff9c, 65458: 0xff99, 65459: 0xff9b, 65460: 0xff96 },
    ...{ 65461: 0xff9d, 65462: 0xff98, 65463: 0xff95, 65464: 0xff97, 65465: 0xff9a },
  };
  const presses = (await recorder.events()).flatMap(({ event, keysym }) =>
    event === "KeyPress" ? [keysym] : [],
  );
  expect(presses).toEqual(NUT_KEYS.map(([, keysym]) => plain[keysym] ?? keysym));
});

test("what it asks for is a keysym: Quote asks for the double quote, wherever that is", async () => {
  await runOn(display.address, "setxkbmap", "de");
  try {
    nut(
      "for (const key of [Key.Quote, Key.Slash]) { await keyboard.pressKey(key); await keyboard.releaseKey(key); }",
    );
    // The German map has the quote on the 2 and the slash on the 7.
    expect(await seen()).toEqual(tapped(0x32, 0x37));
    await recorder.clear();
    expect(nut("await keyboard.pressKey(Key.Grave);"), "on no key of that map").toMatchObject({ status: 1 });
  } finally {
    await runOn(display.address, "setxkbmap", "us");
  }
});

test.each(["F13", "F24", "Clear", "AudioRepeat", "AudioRandom"])("%s ends the process", async (key) => {
  expect(nut(`await keyboard.pressKey(Key.${key}); console.log("alive");`)).toMatchObject({
    status: 1,
    stdout: "",
  });
  expect(await seen()).toEqual([]);
});

test("Pause reports success and sends nothing; LeftCmd, Menu and Fn are rejected", async () => {
  expect(nut("await keyboard.pressKey(Key.Pause);")).toMatchObject({ status: 0 });
  for (const key of ["LeftCmd", "Menu", "Fn"]) {
    expect(nut(`await keyboard.pressKey(Key.${key});`)).toMatchObject({
      status: 9,
      stdout: /Invalid key code/,
    });
  }
  expect(await seen()).toEqual([]);
});

test("typed by nut-js, symbols lose their Shift and other characters become other keys", async () => {
  nut(`await keyboard.type("@!_");`);
  expect(await seen()).toEqual(tapped(0x32, 0x31, 0x2d));
  await recorder.clear();
  nut(`await keyboard.type("\\u010a");`);
  expect(await seen(), "U+010A presses Return").toEqual(tapped(0xff0d));
});

test("of three keys at once one is dropped or all are rejected", async () => {
  nut(
    "await keyboard.pressKey(Key.LeftControl, Key.K, Key.B); await keyboard.releaseKey(Key.LeftControl, Key.K, Key.B);",
  );
  expect((await seen()).filter((event) => event.startsWith("+"))).toEqual(["+ffe3", "+62"]);
  expect(nut("await keyboard.pressKey(Key.LeftControl, Key.F5, Key.B);")).toMatchObject({
    stdout: /Invalid key flag/,
  });
});

test("the wheel's left and right are exchanged; points are clamped, truncated and wrapped", async () => {
  nut("await mouse.scrollLeft(1); await mouse.scrollRight(1);");
  expect(await seen()).toEqual(["+7", "-7", "+6", "-6"]);
  const at = (x: string) =>
    nut(
      `await mouse.setMousePosition({ x: ${x}, y: 5 }); console.log((await mouse.currentMousePosition()).x);`,
    ).stdout;
  expect([at("5000"), at("-1"), at("NaN"), at("4294967396"), at("100.7")]).toEqual([
    "399",
    "0",
    "0",
    "100",
    "100",
  ]);
});

test("without a display the process dies of a signal", () => {
  for (const name of [null, "", ":64321"]) {
    expect(nut("await mouse.currentMousePosition();", name)).toMatchObject({
      status: null,
      signal: "SIGSEGV",
    });
  }
});
