// The demo's form where there is no display: a picture drawn from the events that the fake desktop has recorded, and
// what a form program would print. It looks enough like a GTK form for the same model script to read it.
import type { FakeEvent, FakePixels, FakeView } from "capuchin/testing";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Layout {
  readonly dialog: Box;
  readonly fields: readonly Box[];
  readonly cancel: Box;
  readonly ok: Box;
}

export interface FakeForm {
  /** Give this to `fakeDesktop`. */
  readonly screens: (view: FakeView) => FakePixels;
  /** What the form printed, one line a field; undefined until OK was pressed. */
  printed(events: readonly FakeEvent[]): string | undefined;
}

type Colour = readonly [number, number, number];
const DESKTOP: Colour = [20, 24, 32];
const DIALOG: Colour = [246, 245, 244];
const TITLE: Colour = [104, 142, 200];
const LINE: Colour = [205, 199, 194];
const WHITE: Colour = [255, 255, 255];
const FOCUS: Colour = [53, 132, 228];
const BUTTON: Colour = [240, 239, 238];
const INK: Colour = [46, 52, 54];

/** A form with that many fields, at a place that follows from the seed. */
export function createFakeForm(
  size: { width: number; height: number },
  fields: number,
  seed: number,
): FakeForm {
  const layout = placeForm(size, fields, seed);
  return {
    screens: (view) => drawForm(size, layout, readState(layout, view.events)),
    printed(events) {
      const { closed, values } = readState(layout, events);
      return closed ? values.map((value) => `${value}\n`).join("") : undefined;
    },
  };
}

function placeForm(size: { width: number; height: number }, count: number, seed: number): Layout {
  const width = 260 + ((seed * 37) % 180);
  const height = 70 + 40 * count;
  const x = 10 + ((seed * 7919) % (size.width - width - 20));
  const y = 10 + ((seed * 104_729) % (size.height - height - 20));
  const fields = Array.from({ length: count }, (_, index) => ({
    x: x + 80,
    y: y + 28 + 40 * index,
    width: width - 94,
    height: 32,
  }));
  const buttons = { y: y + height - 38, width: 84, height: 32 };
  return {
    dialog: { x, y, width, height },
    fields,
    cancel: { x: x + width - 188, ...buttons },
    ok: { x: x + width - 96, ...buttons },
  };
}

interface State {
  readonly values: readonly string[];
  readonly focus: number;
  readonly closed: boolean;
}

/** What the form's program would make of the events: clicks focus, keys write, OK closes. */
function readState({ fields, ok }: Layout, events: readonly FakeEvent[]): State {
  const values = fields.map(() => "");
  let focus = 0;
  for (const event of events) {
    if (event.type === "button" && event.button === 1 && event.down) {
      if (contains(ok, event)) return { values, focus, closed: true };
      const clicked = fields.findIndex((field) => contains(field, event));
      if (clicked >= 0) focus = clicked;
    } else if (event.type === "key" && event.down && [...event.key].length === 1) {
      values[focus] = `${values[focus] ?? ""}${event.key}`;
    }
  }
  return { values, focus, closed: false };
}

function contains(box: Box, point: { readonly x: number; readonly y: number }): boolean {
  const { x, y, width, height } = box;
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

function drawForm(size: { width: number; height: number }, layout: Layout, state: State): FakePixels {
  const data = new Uint8Array(size.width * size.height * 3);
  const fill = ({ x, y, width, height }: Box, colour: Colour): void => {
    for (let row = y; row < y + height; row += 1) {
      for (let column = x; column < x + width; column += 1) {
        data.set(colour, (row * size.width + column) * 3);
      }
    }
  };
  const frame = (box: Box, line: Colour, thickness: number, inside: Colour): void => {
    fill(box, line);
    fill(inset(box, thickness), inside);
  };
  fill({ x: 0, y: 0, ...size }, DESKTOP);
  if (state.closed) return { ...size, channels: 3, data };
  fill(layout.dialog, DIALOG);
  fill({ ...layout.dialog, height: 20 }, TITLE);
  layout.fields.forEach((field, index) => {
    const focused = index === state.focus;
    frame(field, focused ? FOCUS : LINE, focused ? 2 : 1, WHITE);
    const length = [...(state.values[index] ?? "")].length;
    for (let at = 0; at < length && 12 + at * 7 < field.width - 10; at += 1) {
      fill({ x: field.x + 8 + at * 7, y: field.y + 10, width: 4, height: 12 }, INK);
    }
  });
  frame(layout.cancel, LINE, 1, BUTTON);
  frame(layout.ok, LINE, 1, BUTTON);
  return { ...size, channels: 3, data };
}

function inset({ x, y, width, height }: Box, by: number): Box {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
}
