// A stand-in for nut-js that behaves as the real one was measured to: it clamps, truncates and wraps without a word,
// takes any number of keys, and notes every call.

import { NUT_KEYS } from "../../../src/runtime/drivers/nut/nut-keys.js";
import type { NutImage, NutPackage } from "../../../src/runtime/drivers/nut/nut-package.js";

export interface PlayedNut {
  readonly nut: NutPackage;
  readonly calls: readonly string[];
}

export interface PlayedOptions {
  readonly screen?: { readonly width: number; readonly height: number };
  readonly image?: NutImage;
  /** Fails at this call. */
  readonly failAt?: string;
}

export function imageOf(width: number, height: number, pixel: (x: number, y: number) => number[]): NutImage {
  // A few bytes of padding at the end of each row, as some displays have them.
  const byteWidth = 4 * width + 8;
  const data = new Uint8Array(byteWidth * height).fill(0xee);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set([...pixel(x, y), 0xff], y * byteWidth + 4 * x);
  }
  return { width, height, data, channels: 4, byteWidth };
}

const toInt32 = (value: number) => value | 0;

export function playNut({
  screen = { width: 100, height: 80 },
  image,
  failAt,
}: PlayedOptions = {}): PlayedNut {
  const calls: string[] = [];
  let at = { x: 0, y: 0 };
  const note = async (call: string) => {
    calls.push(call);
    if (call === failAt) throw new Error("Invalid key code specified.");
  };
  const names = [...NUT_KEYS.map(([name]) => name), "Pause", "F13", "Clear", "LeftCmd", "Menu", "Fn"];
  const Key = Object.fromEntries(
    names.flatMap((name, n) => [
      [name, n],
      [n, name],
    ]),
  ) as NutPackage["Key"];
  const keyNames = (keys: readonly number[]) => keys.map((key) => Key[key]).join(",");
  const nut: NutPackage = {
    Key,
    Button: { LEFT: 0, MIDDLE: 1, RIGHT: 2 },
    providerRegistry: {
      getKeyboard: () => ({
        setKeyboardDelay: (ms) => void calls.push(`keyboard delay ${ms}`),
        pressKey: (...keys) => note(`+${keyNames(keys)}`),
        releaseKey: (...keys) => note(`-${keyNames(keys)}`),
      }),
      getMouse: () => ({
        setMouseDelay: (ms) => void calls.push(`mouse delay ${ms}`),
        async setMousePosition({ x, y }) {
          const inside = (value: number, size: number) => Math.min(size - 1, Math.max(0, toInt32(value)));
          at = { x: inside(x, screen.width), y: inside(y, screen.height) };
          await note(`to ${at.x},${at.y}`);
        },
        currentMousePosition: async () => at,
        pressButton: (button) => note(`button +${button}`),
        releaseButton: (button) => note(`button -${button}`),
        scrollUp: (amount) => note(`up ${amount}`),
        scrollDown: (amount) => note(`down ${amount}`),
        scrollLeft: (amount) => note(`left ${amount}`),
        scrollRight: (amount) => note(`right ${amount}`),
      }),
      getScreen: () => ({
        grabScreen: async () => image ?? imageOf(screen.width, screen.height, () => [1, 2, 3]),
        screenSize: async () => screen,
      }),
    },
  };
  return { nut, calls };
}
