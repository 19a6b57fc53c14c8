// Key gestures. The keys of a chord are found before the first event, pressed modifiers first, and released in
// reverse in `finally`, whatever happened in between.
import type { Modifier } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { ChordPlan, Hand } from "./hand.js";

const REPEAT_GAP_MS = 15;

/** Presses the keys in order, runs `while_`, and releases in reverse those that were pressed. */
async function whileDown<Key>(
  hand: Hand<Key>,
  keys: readonly Key[],
  held: () => Promise<void>,
): Promise<void> {
  const down: Key[] = [];
  try {
    for (const key of keys) {
      hand.checkpoint();
      // Noted first: a press whose outcome is unknown must be released too.
      down.push(key);
      await hand.keyDown(key);
    }
    await held();
  } finally {
    for (const key of down.reverse()) await hand.keyUp(key);
  }
}

async function planKeys<Key>(
  hand: Hand<Key>,
  modifiers: readonly Modifier[],
  key: string | undefined,
): Promise<ChordPlan<Key>> {
  if (key === undefined && modifiers.length === 0) {
    throw new DriverError("E_SCHEMA", "a chord needs a key or a modifier", hand.sent);
  }
  await hand.requireKeysUp();
  return hand.planChord(modifiers, key);
}

export async function pressChord<Key>(
  hand: Hand<Key>,
  modifiers: readonly Modifier[],
  key: string | undefined,
  repeat: number,
): Promise<void> {
  const plan = await planKeys(hand, modifiers, key);
  try {
    if (plan.key === undefined) {
      for (let n = 0; n < repeat; n++) {
        if (n > 0) await hand.pause(REPEAT_GAP_MS);
        await whileDown(hand, plan.modifiers, async () => {});
      }
      return;
    }
    const base = plan.key;
    await whileDown(hand, plan.modifiers, async () => {
      for (let n = 0; n < repeat; n++) {
        if (n > 0) await hand.pause(REPEAT_GAP_MS);
        await whileDown(hand, [base], async () => {});
      }
    });
  } finally {
    await plan.finish();
  }
}

export async function holdChord<Key>(
  hand: Hand<Key>,
  modifiers: readonly Modifier[],
  key: string | undefined,
  ms: number,
): Promise<void> {
  const plan = await planKeys(hand, modifiers, key);
  try {
    const keys = plan.key === undefined ? plan.modifiers : [...plan.modifiers, plan.key];
    await whileDown(hand, keys, () => hand.pause(ms));
  } finally {
    await plan.finish();
  }
}

/**
 * Runs a pointer gesture around modifiers: the gesture gets a function that presses them, so that it can place the
 * pointer first; they are released when it ends.
 */
export async function holdingModifiers<Key>(
  hand: Hand<Key>,
  modifiers: readonly Modifier[],
  gesture: (down: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await hand.requireKeysUp();
  const plan = await hand.planChord(modifiers, undefined);
  const pressed: Key[] = [];
  try {
    await gesture(async () => {
      for (const key of plan.modifiers) {
        hand.checkpoint();
        pressed.push(key);
        await hand.keyDown(key);
      }
    });
  } finally {
    for (const key of pressed.reverse()) await hand.keyUp(key);
    await plan.finish();
  }
}
