// What the driver asks an X server, in its own terms: sizes, pointer, keys, keyboard state, input events. One method,
// one fact. The driver needs XTEST and XKEYBOARD; without them the display is refused.
import type { Point, Rect, Size } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { type Extension, XConnection } from "./connection.js";
import { Keymap, readModifiers, readRows } from "./keymap.js";
import { core, damage, xkb, xtest } from "./requests.js";

const KEY_PRESS = 2;
const KEY_RELEASE = 3;
const BUTTON_PRESS = 4;
const BUTTON_RELEASE = 5;
const MOTION = 6;

/** Bits of the pointer mask. */
const BUTTON_BITS = [0x100, 0x200, 0x400, 0x800, 0x1000];
/** Slow, bounce, sticky and mouse keys, their hot keys, overlays: with one on, a key is not what it seems. */
const UNWANTED_CONTROLS = 0xc5e;

export interface KeyboardState {
  readonly locked: number;
  readonly latched: number;
  readonly group: number;
  /** Bits of keyboard controls that change what keys do. */
  readonly controls: number;
}

export interface PointerState {
  readonly at: Point;
  readonly buttons: readonly number[];
  /** The top-level window under the pointer; 0 for none. */
  readonly over: number;
}

export class XDisplay {
  readonly connection: XConnection;
  readonly #xtest: Extension;
  readonly #xkb: Extension;

  private constructor(connection: XConnection, xtestInfo: Extension, xkbInfo: Extension) {
    this.connection = connection;
    this.#xtest = xtestInfo;
    this.#xkb = xkbInfo;
  }

  static async open(name: string): Promise<XDisplay> {
    const connection = await XConnection.open(name);
    try {
      const [xtestInfo, xkbInfo] = await Promise.all([
        connection.extension("XTEST"),
        connection.extension("XKEYBOARD"),
      ]);
      const { detail: supported } = await connection.ask(xkb.useExtension(xkbInfo.opcode));
      if (supported === 0)
        throw new DriverError("E_UNSUPPORTED", "the X server refuses XKEYBOARD version 1.0", 0);
      await connection.ask(xtest.getVersion(xtestInfo.opcode));
      return new XDisplay(connection, xtestInfo, xkbInfo);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  get root(): number {
    return this.connection.root;
  }

  async size(): Promise<Size> {
    const { body } = await this.connection.ask(core.getGeometry(this.root));
    return { width: body.readUInt16LE(8), height: body.readUInt16LE(10) };
  }

  async pointer(): Promise<PointerState> {
    const { body } = await this.connection.ask(core.queryPointer(this.root));
    const mask = body.readUInt16LE(16);
    return {
      at: { x: body.readInt16LE(8), y: body.readInt16LE(10) },
      buttons: BUTTON_BITS.flatMap((bit, index) => (mask & bit ? [index + 1] : [])),
      over: body.readUInt32LE(4),
    };
  }

  async keysDown(): Promise<number[]> {
    const { body } = await this.connection.ask(core.queryKeymap());
    const down: number[] = [];
    for (let keycode = 0; keycode < 256; keycode++) {
      if (body.readUInt8(keycode >> 3) & (1 << (keycode & 7))) down.push(keycode);
    }
    return down;
  }

  async keyboard(): Promise<KeyboardState> {
    const [state, controls] = await Promise.all([
      this.connection.ask(xkb.getState(this.#xkb.opcode)),
      this.connection.ask(xkb.getControls(this.#xkb.opcode)),
    ]);
    return {
      latched: state.body.readUInt8(2),
      locked: state.body.readUInt8(3),
      group: state.body.readUInt8(4),
      controls: controls.body.readUInt32LE(48) & UNWANTED_CONTROLS,
    };
  }

  /** Unlocks and unlatches all modifiers and switches off the controls that change what keys do. */
  neutraliseKeyboard(): void {
    this.connection.send(xkb.clearLocks(this.#xkb.opcode));
    this.connection.send(xkb.disableControls(this.#xkb.opcode, UNWANTED_CONTROLS));
  }

  async keymap(): Promise<Keymap> {
    const { min_keycode: first, max_keycode: last } = this.connection.display;
    const [mapping, modifiers, state] = await Promise.all([
      this.connection.ask(core.getKeyboardMapping(first, last - first + 1)),
      this.connection.ask(core.getModifierMapping()),
      this.connection.ask(xkb.getState(this.#xkb.opcode)),
    ]);
    return new Keymap(
      first,
      readRows(mapping.body, mapping.detail),
      readModifiers(modifiers.body, modifiers.detail),
      state.body.readUInt8(4),
    );
  }

  setKeysyms(keycode: number, keysyms: readonly number[]): void {
    this.connection.send(core.changeKeyboardMapping(keycode, keysyms));
  }

  key(keycode: number, down: boolean): void {
    const { min_keycode: min, max_keycode: max } = this.connection.display;
    if (keycode < min || keycode > max) {
      throw new DriverError("E_BACKEND", `keycode ${keycode} does not exist on this display`, 0);
    }
    this.#fake(down ? KEY_PRESS : KEY_RELEASE, keycode);
  }

  button(button: number, down: boolean): void {
    this.#fake(down ? BUTTON_PRESS : BUTTON_RELEASE, button);
  }

  motion(to: Point): void {
    this.#fake(MOTION, 0, to);
  }

  #fake(type: number, detail: number, at: Point = { x: 0, y: 0 }): void {
    // Motion names the root it is on; for keys and buttons the field must be 0.
    const root = type === MOTION ? this.root : 0;
    this.connection.send(xtest.fakeInput(this.#xtest.opcode, type, detail, root, at.x, at.y));
  }

  /** Whether requests are served even while another client holds the whole server. */
  ignoreGrabs(ignore: boolean): void {
    this.connection.send(xtest.grabControl(this.#xtest.opcode, ignore));
  }

  /** Runs the steps while no other client is served. */
  async undisturbed<T>(steps: () => Promise<T>): Promise<T> {
    this.connection.send(core.grabServer());
    try {
      return await steps();
    } finally {
      this.connection.send(core.ungrabServer());
    }
  }

  /** The focused window; 0 for none, 1 for the one under the pointer. */
  async focus(): Promise<number> {
    const { body } = await this.connection.ask(core.getInputFocus());
    return body.readUInt32LE(0);
  }

  async parentOf(window: number): Promise<number> {
    const { body } = await this.connection.ask(core.queryTree(window));
    return body.readUInt32LE(4);
  }

  /** Pixels of a part of the screen, four bytes each: blue, green, red, unused. */
  async pixels(region: Rect): Promise<Buffer> {
    const { body } = await this.connection.ask(
      core.getImage(this.root, region.x, region.y, region.width, region.height),
    );
    return body.subarray(24, 24 + 4 * region.width * region.height);
  }

  /** Watches the whole screen for changes; the listener is called at most once for each `clear`. */
  async watchChanges(listener: () => void): Promise<{ clear(): void }> {
    const { opcode, firstEvent } = await this.connection.extension("DAMAGE");
    await this.connection.ask(damage.queryVersion(opcode));
    const id = this.connection.newId();
    this.connection.send(damage.create(opcode, id, this.root));
    this.connection.onEvent(firstEvent, listener);
    await this.connection.sync();
    return { clear: () => this.connection.send(damage.clear(opcode, id)) };
  }
}
