// The pictures of a fake desktop. Scripted ones are checked like any captured frame; without a script it draws a
// plain picture of its own state: the pointer, the last click and the text typed, so that actions change it.
import { decode, encode } from "fast-png";
import type { Rect, Size } from "../../../contract/geometry.js";
import { ConfigurationError } from "../../../diagnostics/errors.js";
import type { FakeView } from "./fake-events.js";

/** Raw pixels, `channels` bytes each, row by row. */
export interface FakePixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly channels: 3 | 4;
}

/** A PNG file's bytes, or raw pixels; of the display's size. */
export type FakeFrame = Uint8Array | FakePixels;

/**
 * Frames in order, one for each number of input actions done so far, the last one staying; or a function of the
 * state of the display.
 */
export type FakeScreens = readonly FakeFrame[] | ((view: FakeView) => FakeFrame);

const BACKGROUND = [58, 110, 165] as const;
const PANEL = [236, 236, 236] as const;
const POINTER = [250, 250, 250] as const;
const CLICKED = [200, 30, 30] as const;

type Colour = readonly [number, number, number];

class Canvas implements FakePixels {
  readonly channels = 3;
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.data = new Uint8Array(3 * width * height);
  }

  fill(x: number, y: number, width: number, height: number, colour: Colour): void {
    const left = Math.max(0, x);
    const right = Math.min(this.width, x + width);
    for (let row = Math.max(0, y); row < Math.min(this.height, y + height); row++) {
      for (let at = 3 * (row * this.width + left); at < 3 * (row * this.width + right); at += 3) {
        this.data[at] = colour[0];
        this.data[at + 1] = colour[1];
        this.data[at + 2] = colour[2];
      }
    }
  }
}

/** A colour that differs for most characters and never equals the panel's. */
function colourOf(character: string): Colour {
  const code = character.codePointAt(0) ?? 0;
  return [(code * 37) % 200, (code * 91) % 200, (code * 151) % 200];
}

function drawPlain(view: FakeView): FakePixels {
  const canvas = new Canvas(view.size.width, view.size.height);
  canvas.fill(0, 0, canvas.width, canvas.height, BACKGROUND);
  canvas.fill(0, 0, canvas.width, 24, PANEL);
  const columns = Math.max(1, Math.floor((canvas.width - 8) / 6));
  let cell = 0;
  for (const character of view.text) {
    canvas.fill(4 + 6 * (cell % columns), 4 + 8 * Math.floor(cell / columns), 5, 7, colourOf(character));
    cell += 1;
  }
  const press = view.events.findLast((event) => event.type === "button" && event.down);
  if (press?.type === "button") canvas.fill(press.x - 4, press.y - 4, 9, 9, CLICKED);
  for (let n = 0; n < 10; n++) canvas.fill(view.pointer.x, view.pointer.y + n, n + 1, 1, POINTER);
  if (view.heldButtons.length > 0) canvas.fill(view.pointer.x + 12, view.pointer.y, 5, 5, CLICKED);
  return canvas;
}

function pixelsOf(frame: FakeFrame, size: Size): FakePixels {
  let pixels: FakePixels;
  if (frame instanceof Uint8Array) {
    const png = decode(frame, { checkCrc: true });
    if (png.depth !== 8 || (png.channels !== 3 && png.channels !== 4) || !(png.data instanceof Uint8Array)) {
      throw new ConfigurationError("E_SPEC", "a scripted screen must be a PNG of 8 bits in RGB or RGBA");
    }
    pixels = { width: png.width, height: png.height, data: png.data, channels: png.channels };
  } else {
    pixels = frame;
  }
  if (pixels.width !== size.width || pixels.height !== size.height) {
    throw new ConfigurationError(
      "E_SPEC",
      `a scripted screen has ${pixels.width} × ${pixels.height} pixels, the fake display ${size.width} × ${size.height}`,
    );
  }
  if (pixels.data.length !== pixels.width * pixels.height * pixels.channels) {
    throw new ConfigurationError("E_SPEC", `a scripted screen has ${pixels.data.length} bytes of pixels`);
  }
  return pixels;
}

function crop(pixels: FakePixels, region: Rect): FakePixels {
  const { channels } = pixels;
  const data = new Uint8Array(region.width * region.height * channels);
  for (let row = 0; row < region.height; row++) {
    const from = channels * ((region.y + row) * pixels.width + region.x);
    data.set(pixels.data.subarray(from, from + channels * region.width), row * channels * region.width);
  }
  return { width: region.width, height: region.height, data, channels };
}

/** The PNG of the display, or of a part of it that lies inside. */
export function renderScreen(
  screens: FakeScreens | undefined,
  view: FakeView,
  region: Rect | undefined,
): Uint8Array {
  let frame: FakeFrame;
  if (screens === undefined) frame = drawPlain(view);
  else if (typeof screens === "function") frame = screens(view);
  else {
    const scripted = screens[Math.min(view.actions, screens.length - 1)];
    if (scripted === undefined)
      throw new ConfigurationError("E_SPEC", "the list of scripted screens is empty");
    frame = scripted;
  }
  const pixels = pixelsOf(frame, view.size);
  // A scripted PNG is passed on to the byte, so that a test can recognise it.
  if (region === undefined && frame instanceof Uint8Array) return frame;
  return encode(region === undefined ? pixels : crop(pixels, region));
}
