// The display as it was when it was opened: its size, its keyboard map, no lock and no key down. Before keys are
// pressed it must still be so, whoever presses them.
import type { Size } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { Keymap } from "./keymap.js";
import { nameOfKey } from "./neutral-state.js";
import type { XDisplay } from "./x-display.js";

export class OpenedState {
  readonly size: Size;
  readonly #display: XDisplay;
  readonly #fingerprint: string;

  private constructor(display: XDisplay, size: Size, fingerprint: string) {
    this.#display = display;
    this.size = size;
    this.#fingerprint = fingerprint;
  }

  static async of(display: XDisplay): Promise<OpenedState> {
    return new OpenedState(display, await display.size(), (await display.keymap()).fingerprint);
  }

  /** Fails with E_STATE when a key is down, with E_ENV_DRIFT when a lock is on or the size has changed. */
  async requireKeysUp(sent: number): Promise<void> {
    const [down, keyboard, size] = await Promise.all([
      this.#display.keysDown(),
      this.#display.keyboard(),
      this.#display.size(),
    ]);
    if (size.width !== this.size.width || size.height !== this.size.height) {
      throw drift(
        `its size is now ${size.width} × ${size.height}, it was ${this.size.width} × ${this.size.height}`,
        sent,
      );
    }
    if (down.length > 0) {
      const keymap = await this.#display.keymap();
      const names = down.map((keycode) => nameOfKey(keymap, keycode)).join(", ");
      throw new DriverError("E_STATE", `${names} is held down: nothing was pressed`, sent);
    }
    if (keyboard.locked !== 0 || keyboard.latched !== 0 || keyboard.controls !== 0) {
      throw drift("somebody switched on a lock, sticky keys or another keyboard control", sent);
    }
  }

  /** The keyboard map, which must be the one found when the display was opened. */
  async keymap(sent: number): Promise<Keymap> {
    const keymap = await this.#display.keymap();
    if (keymap.fingerprint !== this.#fingerprint) {
      throw drift("somebody changed the keyboard map or its group", sent);
    }
    return keymap;
  }
}

function drift(what: string, sent: number): DriverError {
  return new DriverError(
    "E_ENV_DRIFT",
    `the display is not as it was opened: ${what}; nothing was sent`,
    sent,
  );
}
