// The neutral state: no key and no button down, no lock on, no keyboard control that changes what keys do. It is
// established when a display is opened, and again whenever a driver ends or dies.
import type { Released } from "../../../contract/driver-protocol.js";
import { keysymOf, MODIFIER_KEYSYMS, MODIFIERS, pressableKeys } from "../../../contract/keys.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { giveBackLeftovers } from "./borrowed-keys.js";
import type { Keymap } from "./keymap.js";
import type { XDisplay } from "./x-display.js";

const LOCK = 1 << 1;
const NUM_LOCK = 1 << 4;

const names = new Map<number, string>();
for (const id of pressableKeys()) names.set(keysymOf(id) ?? 0, id);
for (const modifier of MODIFIERS) {
  const left = MODIFIER_KEYSYMS[modifier];
  names.set(left, modifier);
  // The right key of each modifier follows the left one.
  names.set(left + 1, modifier);
}

/** The canonical id of a key, or `keycode:N` where the table has none. */
export function nameOfKey(keymap: Keymap, keycode: number): string {
  for (const keysym of keymap.keysymsOf(keycode)) {
    const name = names.get(keysym);
    if (name !== undefined) return name;
  }
  return `keycode:${keycode}`;
}

/** Lets go of every key and button that is down, and gives back lent keycodes. Says what was down. */
export async function releaseEverything(display: XDisplay): Promise<Released> {
  const [pointer, down, keymap] = await Promise.all([
    display.pointer(),
    display.keysDown(),
    display.keymap(),
  ]);
  for (const button of pointer.buttons) display.button(button, false);
  // Modifiers last, so that no other key changes its meaning while it is still down.
  const ordered = [
    ...down.filter((keycode) => !keymap.modifiers.has(keycode)),
    ...down.filter((keycode) => keymap.modifiers.has(keycode)),
  ];
  for (const keycode of ordered) display.key(keycode, false);
  await display.connection.sync();
  await giveBackLeftovers(display);
  return { keys: ordered.map((keycode) => nameOfKey(keymap, keycode)), buttons: [...pointer.buttons] };
}

/**
 * Makes the display neutral and says what was not, locks and controls included.
 * @throws DriverError E_ENV_DRIFT when somebody keeps a key or button down.
 */
export async function makeNeutral(display: XDisplay): Promise<Released> {
  const before = await display.keyboard();
  const released = await releaseEverything(display);
  display.neutraliseKeyboard();
  await display.connection.sync();
  const [keyboard, pointer, down] = await Promise.all([
    display.keyboard(),
    display.pointer(),
    display.keysDown(),
  ]);
  if (down.length > 0 || pointer.buttons.length > 0) {
    const held = [
      ...down.map((keycode) => `keycode ${keycode}`),
      ...pointer.buttons.map((n) => `button ${n}`),
    ];
    throw drift(`somebody holds ${held.join(", ")} down`);
  }
  if (keyboard.locked !== 0 || keyboard.latched !== 0 || keyboard.controls !== 0) {
    throw drift("locks, sticky keys or other keyboard controls are on and cannot be switched off");
  }
  const locks = [
    ...(before.locked & LOCK ? ["Caps_Lock"] : []),
    ...(before.locked & NUM_LOCK ? ["Num_Lock"] : []),
    ...(before.controls !== 0 ? ["AccessX"] : []),
  ];
  return { keys: [...released.keys, ...locks], buttons: released.buttons };
}

function drift(what: string): DriverError {
  return new DriverError("E_ENV_DRIFT", `the display is not in a neutral state: ${what}`, 0);
}
