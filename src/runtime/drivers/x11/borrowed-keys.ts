// Keycodes without a keysym, lent for characters that the keyboard map lacks. A note on the root window lists what
// is lent before it is, so that whoever comes after a dead driver can give it back.
import { Buffer } from "node:buffer";
import { DriverError } from "../../../diagnostics/errors.js";
import { core } from "./requests.js";
import type { XDisplay } from "./x-display.js";

const NOTE = "_CAPUCHIN_BORROWED_KEYCODES";
/** The predefined atom of the type CARDINAL. */
const CARDINAL = 6;

export interface Loan {
  readonly keycode: number;
  /** Keysyms without and with Shift. */
  readonly keysyms: readonly [number, number];
}

export class BorrowedKeys {
  readonly #display: XDisplay;
  readonly #lent = new Set<number>();

  constructor(display: XDisplay) {
    this.#display = display;
  }

  /** Maps the keycodes and waits until the server answers with exactly that map. */
  async lend(loans: readonly Loan[]): Promise<void> {
    if (loans.length === 0) return;
    const { connection } = this.#display;
    for (const { keycode } of loans) this.#lent.add(keycode);
    const note = Buffer.alloc(4 * this.#lent.size);
    [...this.#lent].forEach((keycode, index) => {
      note.writeUInt32LE(keycode, 4 * index);
    });
    connection.send(core.changeProperty(this.#display.root, await connection.atom(NOTE), CARDINAL, 32, note));
    for (const { keycode, keysyms } of loans) this.#display.setKeysyms(keycode, keysyms);
    await connection.sync();
    const keymap = await this.#display.keymap();
    for (const { keycode, keysyms } of loans) {
      const [plain, shifted] = keymap.keysymsOf(keycode);
      if (plain !== keysyms[0] || (shifted ?? plain) !== keysyms[1]) {
        throw new DriverError("E_BACKEND", `the X server did not take a keysym for keycode ${keycode}`, 0);
      }
    }
  }

  async giveBack(): Promise<void> {
    await giveBack(this.#display, [...this.#lent]);
    this.#lent.clear();
  }
}

async function giveBack(display: XDisplay, keycodes: readonly number[]): Promise<void> {
  if (keycodes.length === 0) return;
  const { connection } = display;
  for (const keycode of keycodes) display.setKeysyms(keycode, [0]);
  connection.send(core.deleteProperty(display.root, await connection.atom(NOTE)));
  await connection.sync();
}

/** Gives back what an earlier driver left lent. */
export async function giveBackLeftovers(display: XDisplay): Promise<void> {
  const note = await display.connection.property(display.root, NOTE);
  if (!note) return;
  const { min_keycode: min, max_keycode: max } = display.connection.display;
  const keycodes: number[] = [];
  for (let at = 0; at + 4 <= note.length; at += 4) {
    const keycode = note.readUInt32LE(at);
    if (keycode >= min && keycode <= max) keycodes.push(keycode);
  }
  await giveBack(display, keycodes);
}
