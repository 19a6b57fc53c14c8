import { encode } from "fast-png";
import { expect, test } from "vitest";
import { appEnvironment } from "../../../src/runtime/drivers/displays/app-environment.js";
import { keeperStartSchema } from "../../../src/runtime/drivers/displays/keeper-protocol.js";
import { findProgram, requirePrograms } from "../../../src/runtime/drivers/displays/program-path.js";
import { dragPath } from "../../../src/runtime/drivers/gestures/pointer.js";
import { helperEnvironment } from "../../../src/runtime/drivers/session/line-process.js";
import { requirePng } from "../../../src/runtime/drivers/session/png.js";

test("a program gets language, home and display, and nothing that was not listed", () => {
  const from = {
    HOME: "/users/u",
    LANG: "de_DE.UTF-8",
    LC_TIME: "C",
    ANTHROPIC_API_KEY: "secret",
    LD_PRELOAD: "/evil.so",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
    WAYLAND_DISPLAY: "wayland-0",
    DISPLAY: ":0",
  };
  const env = appEnvironment(from, { DISPLAY: ":7" }, { EXTRA: "1", DISPLAY: ":9" });
  expect(env).toMatchObject({
    HOME: "/users/u",
    LANG: "de_DE.UTF-8",
    LC_TIME: "C",
    DISPLAY: ":7",
    EXTRA: "1",
  });
  for (const name of ["ANTHROPIC_API_KEY", "LD_PRELOAD", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"]) {
    expect(env).not.toHaveProperty(name);
  }
});

test("a program without a language gets one that shows every character", () => {
  expect(appEnvironment({}, {}, {})["LANG"]).toBe("C.UTF-8");
  expect(appEnvironment({ LC_ALL: "ja_JP.UTF-8" }, {}, {})).not.toHaveProperty("LANG");
});

test("our own helpers get even less", () => {
  const names = Object.keys(helperEnvironment({ DISPLAY: ":1", XAUTHORITY: undefined })).sort();
  expect(names.filter((name) => name !== "HOME")).toEqual(["DISPLAY", "LANG", "PATH"]);
});

test("a missing program is named with the line that installs it", () => {
  expect(findProgram("sh")).toMatch(/^\/(usr\/)?bin\/sh$/);
  expect(() => requirePrograms(["sh", "no-such-program"])).toThrow(
    expect.objectContaining({
      code: "E_UNSUPPORTED",
      message: expect.stringContaining(
        "apt-get install -y --no-install-recommends no-such-program",
      ) as string,
    }),
  );
  expect(requirePrograms(["sh"])).toHaveLength(1);
});

test("a layout is letters, variants and commas, never an option or a path", () => {
  const start = (layout: string) =>
    keeperStartSchema.safeParse({ size: { width: 1, height: 1 }, folder: "/tmp/x", layout }).success;
  for (const good of ["de", "us,ru", "de(nodeadkeys)", "us(intl),gb"]) expect(start(good)).toBe(true);
  for (const bad of ["", "-help", "de;id", "../x", "de (x)", "DE", "us,"]) expect(start(bad)).toBe(false);
});

test("a drag path has both ends, at least ten steps, and stays between them", () => {
  for (const [from, to] of [
    [
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ],
    [
      { x: 5, y: 90 },
      { x: 8, y: 3 },
    ],
    [
      { x: 900, y: 700 },
      { x: 0, y: 0 },
    ],
  ] as const) {
    const path = dragPath(from, to);
    expect(path.length).toBeGreaterThan(10);
    expect([path[0], path.at(-1)]).toEqual([from, to]);
    for (const { x, y } of path) {
      expect(x).toBeGreaterThanOrEqual(Math.min(from.x, to.x));
      expect(x).toBeLessThanOrEqual(Math.max(from.x, to.x));
      expect(y).toBeGreaterThanOrEqual(Math.min(from.y, to.y));
      expect(y).toBeLessThanOrEqual(Math.max(from.y, to.y));
    }
  }
});

test("a frame cut short, of another size or of another kind is refused; a whole one is not", () => {
  const png = encode({ width: 3, height: 2, data: new Uint8Array(18), channels: 3, depth: 8 });
  const size = { width: 3, height: 2 };
  expect(() => requirePng(png, size)).not.toThrow();
  expect(() => requirePng(png.subarray(0, -1), size)).toThrow(/not a whole PNG/);
  expect(() => requirePng(png, { width: 2, height: 3 })).toThrow(/3 × 2 pixels instead of 2 × 3/);
  expect(() => requirePng(new Uint8Array(100), size)).toThrow(/not a whole PNG/);
});
