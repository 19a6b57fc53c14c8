// Pointer gestures. The pointer is moved, read back and only then pressed; what was pressed is released in `finally`.
import { contains, formatPoint, type Point, wholeOf } from "../../../contract/geometry.js";
import type { Modifier } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { holdingModifiers } from "./chord.js";
import type { Hand } from "./hand.js";

/** Core X11 button numbers; 4 to 7 are the wheel. */
export const BUTTONS = { left: 1, middle: 2, right: 3 } as const;
export const WHEEL = { up: 4, down: 5, left: 6, right: 7 } as const;

/** Programs need a moment between motion and press, and between the pairs of a double click. */
const SETTLE_MS = 15;
const HOLD_CLICK_MS = 10;
const CLICK_GAP_MS = 40;
const WHEEL_GAP_MS = 12;
const DRAG_DWELL_MS = 60;
const DRAG_STEP_MS = 8;
const DRAG_STEPS_MIN = 10;
const DRAG_STEPS_MAX = 60;
const DRAG_STEP_PIXELS = 10;

function same(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

function requireOnDisplay(hand: Hand<unknown>, at: Point): void {
  if (contains(wholeOf(hand.size), at)) return;
  throw new DriverError(
    "E_SCHEMA",
    `${formatPoint(at)} is not on the display of ${hand.size.width} × ${hand.size.height} pixels`,
    hand.sent,
  );
}

/** Moves the pointer and reads it back twice: at once, which shows a barrier, and later, which shows a rival. */
export async function moveTo(hand: Hand<unknown>, at: Point): Promise<void> {
  requireOnDisplay(hand, at);
  hand.checkpoint();
  const landed = await hand.motion(at);
  if (!same(landed, at)) {
    throw new DriverError(
      "E_BACKEND",
      `the pointer was sent to ${formatPoint(at)} and came to ${formatPoint(landed)}: something confines it; nothing was pressed`,
      hand.sent,
    );
  }
  await hand.pause(SETTLE_MS);
  await requirePointer(hand, at);
}

async function requirePointer(hand: Hand<unknown>, at: Point): Promise<void> {
  const found = await hand.pointer();
  if (!same(found, at)) throw movedAway(hand, at, found);
}

function movedAway(hand: Hand<unknown>, at: Point, found: Point): DriverError {
  return new DriverError(
    "E_STALE",
    `the pointer was placed at ${formatPoint(at)} and is at ${formatPoint(found)}: something else moved it; no press followed`,
    hand.sent,
  );
}

async function requireButtonsUp(hand: Hand<unknown>): Promise<void> {
  const held = await hand.heldButtons();
  if (held.length === 0) return;
  throw new DriverError(
    "E_STATE",
    `mouse button ${held.join(", ")} is held down: release it first`,
    hand.sent,
  );
}

async function press(hand: Hand<unknown>, button: number, at: Point): Promise<void> {
  hand.checkpoint();
  const found = await hand.pressAt(button, at);
  if (!same(found, at)) throw movedAway(hand, at, found);
}

export async function click<Key>(
  hand: Hand<Key>,
  at: Point,
  button: number,
  count: number,
  modifiers: readonly Modifier[],
): Promise<void> {
  await requireButtonsUp(hand);
  await holdingModifiers(hand, modifiers, async (down) => {
    await moveTo(hand, at);
    await down();
    for (let n = 0; n < count; n++) {
      if (n > 0) await hand.pause(CLICK_GAP_MS);
      await press(hand, button, at);
      try {
        await hand.pause(HOLD_CLICK_MS);
      } finally {
        await hand.release(button);
      }
    }
  });
}

/** Points from one end to the other, both included, at least eleven of them. */
export function dragPath(from: Point, to: Point): Point[] {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const steps = Math.min(DRAG_STEPS_MAX, Math.max(DRAG_STEPS_MIN, Math.ceil(distance / DRAG_STEP_PIXELS)));
  return Array.from({ length: steps + 1 }, (_, n) => ({
    x: Math.round(from.x + ((to.x - from.x) * n) / steps),
    y: Math.round(from.y + ((to.y - from.y) * n) / steps),
  }));
}

export async function drag<Key>(
  hand: Hand<Key>,
  from: Point,
  to: Point,
  modifiers: readonly Modifier[],
): Promise<void> {
  requireOnDisplay(hand, from);
  requireOnDisplay(hand, to);
  await requireButtonsUp(hand);
  await holdingModifiers(hand, modifiers, async (down) => {
    await moveTo(hand, from);
    await down();
    await press(hand, BUTTONS.left, from);
    try {
      await hand.pause(DRAG_DWELL_MS);
      for (const point of dragPath(from, to).slice(1)) {
        hand.checkpoint();
        await hand.motion(point);
        await hand.pause(DRAG_STEP_MS);
      }
      await hand.pause(DRAG_DWELL_MS);
      await requirePointer(hand, to);
    } finally {
      await hand.release(BUTTONS.left);
    }
  });
}

/** Presses the left button and leaves it down. */
export async function pressAndHold(hand: Hand<unknown>, at: Point): Promise<void> {
  await requireButtonsUp(hand);
  await moveTo(hand, at);
  await press(hand, BUTTONS.left, at);
}

/** Moves to the point and releases the left button, which must be down. */
export async function letGo(hand: Hand<unknown>, at: Point): Promise<void> {
  const held = await hand.heldButtons();
  if (!held.includes(BUTTONS.left)) {
    throw new DriverError(
      "E_STATE",
      "the left mouse button is not down: there is nothing to release",
      hand.sent,
    );
  }
  await moveTo(hand, at);
  hand.checkpoint();
  await hand.release(BUTTONS.left);
}

export async function scroll<Key>(
  hand: Hand<Key>,
  at: Point,
  direction: keyof typeof WHEEL,
  amount: number,
  modifiers: readonly Modifier[],
): Promise<void> {
  await holdingModifiers(hand, modifiers, async (down) => {
    await moveTo(hand, at);
    await down();
    for (let n = 0; n < amount; n++) {
      if (n > 0) await hand.pause(WHEEL_GAP_MS);
      await press(hand, WHEEL[direction], at);
      await hand.release(WHEEL[direction]);
    }
  });
}
