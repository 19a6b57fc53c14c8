// B-054: whatever numbers are asked for, under whatever bounds and scale, nothing is pressed, scrolled or dragged
// outside; and what lies inside is not refused. The judge works on the events with arithmetic of its own.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ActionName } from "../../src/contract/actions.js";
import type { Rect } from "../../src/contract/geometry.js";
import { parseAction } from "../../src/contract/parse-action.js";
import { ComputerCap, createGate } from "../../src/runtime/cap/computer-cap.js";
import { fakeDesktop } from "../../src/runtime/drivers/index.js";
import { instantClock } from "../adversarial/instant-clock.js";

const RUNS = process.env["CAPUCHIN_LONG"] ? 20_000 : 400;
const SEED = Number(process.env["CAPUCHIN_SEED"] ?? 20_261_130);

const VIEWPORT = { width: 1024, height: 576 };
const DISPLAYS = [
  VIEWPORT,
  { width: 1366, height: 768 },
  { width: 512, height: 288 },
  { width: 333, height: 217 },
];

const region = fc
  .record({
    x: fc.nat(1023),
    y: fc.nat(575),
    w: fc.integer({ min: 1, max: 1024 }),
    h: fc.integer({ min: 1, max: 576 }),
  })
  .map(({ x, y, w, h }) => ({ x, y, width: Math.min(w, 1024 - x), height: Math.min(h, 576 - y) }));

const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 1030 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, -0, 1023, 1024, 575, 576, 2 ** 31, 2 ** 32 + 5, -(2 ** 31), 1e300),
  },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 0.5, 499.9999999) },
);
/** A point as two numbers, or as a place in the region: the parts of its width and height. */
type Place = readonly [number, number] | { readonly u: number; readonly v: number };
const part = fc.double({ min: -0.05, max: 1.05, noNaN: true });
const point: fc.Arbitrary<Place> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ u: part, v: part }) },
  { weight: 1, arbitrary: fc.tuple(number, number) },
);

function resolve(place: Place, { x, y, width, height }: Rect): readonly [number, number] {
  if ("u" in place) return [x + Math.floor(place.u * width), y + Math.floor(place.v * height)];
  return place;
}

const action: fc.Arbitrary<readonly [ActionName, Record<string, unknown>]> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom<ActionName>("left_click", "right_click", "double_click", "triple_click", "mouse_move"),
      point,
    )
    .map(([name, coordinate]) => [name, { coordinate }] as const),
  fc
    .tuple(point, point)
    .map(([start, end]) => ["left_click_drag", { start_coordinate: start, coordinate: end }] as const),
  fc
    .tuple(
      point,
      fc.constantFrom("up", "down", "left", "right"),
      fc.oneof(fc.integer({ min: 1, max: 5 }), number),
    )
    .map(
      ([coordinate, scroll_direction, scroll_amount]) =>
        ["scroll", { coordinate, scroll_direction, scroll_amount }] as const,
    ),
);

const isWhole = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value);

it("B-054 presses, scrolls and drags happen inside only, and inside nothing is refused", async () => {
  let inside = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(region, action, fc.constantFrom(...DISPLAYS), async (bounds, [name, asked], display) => {
      const input = Object.fromEntries(
        Object.entries(asked).map(([key, value]) => [
          key,
          key.endsWith("coordinate") ? resolve(value as Place, bounds) : value,
        ]),
      );
      const cap = ComputerCap.builder()
        .allow("computer.input.pointer")
        .withViewport(VIEWPORT.width, VIEWPORT.height)
        .withBounds(bounds)
        .build();
      const desktop = fakeDesktop({ size: display, clock: instantClock() });
      const session = await desktop.open({ size: display });
      const gate = createGate(cap, display);
      const parsed = parseAction(name, input);
      const decided = parsed.ok ? gate.commit(parsed.action, { pointer: undefined }) : parsed;
      const points = [input["coordinate"], input["start_coordinate"]].filter((at) => at !== undefined) as [
        number,
        number,
      ][];
      const amount = input["scroll_amount"];
      const good =
        points.every(
          ([x, y]) =>
            isWhole(x) &&
            isWhole(y) &&
            x >= bounds.x &&
            x <= bounds.x + bounds.width - 1 &&
            y >= bounds.y &&
            y <= bounds.y + bounds.height - 1,
        ) &&
        (amount === undefined || (isWhole(amount) && Number(amount) >= 1 && Number(amount) <= 100));
      expect(decided.ok, JSON.stringify({ name, input, bounds, display })).toBe(good);
      if (decided.ok) {
        inside += 1;
        await session.perform(decided.permitted);
      } else refused += 1;
      const floor = (value: number, from: number, to: number) =>
        Number((BigInt(value) * BigInt(to)) / BigInt(from));
      for (const event of desktop.events) {
        if (event.type === "key") throw new Error("a key was pressed");
        // Back from the display: some viewport pixel of the bounds must land exactly here.
        const left = floor(bounds.x, VIEWPORT.width, display.width);
        const right = floor(bounds.x + bounds.width - 1, VIEWPORT.width, display.width);
        const top = floor(bounds.y, VIEWPORT.height, display.height);
        const bottom = floor(bounds.y + bounds.height - 1, VIEWPORT.height, display.height);
        expect(event.x >= left && event.x <= right && event.y >= top && event.y <= bottom).toBe(true);
      }
      if (!decided.ok) expect(desktop.events).toEqual([]);
      await session.close();
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(Math.min(inside, refused)).toBeGreaterThan(RUNS / 20);
});
