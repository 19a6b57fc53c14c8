// The only calls into nut-js that send events: one event a call (a turn of the wheel is two), with integers that lie
// on the display and keys of the table. nut-js itself clamps, truncates and wraps what is not so, silently.
import { contains, formatPoint, type Point, type Size, wholeOf } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { BUTTONS, WHEEL } from "../gestures/pointer.js";
import { NUT_KEYS } from "./nut-keys.js";
import type { NutPackage } from "./nut-package.js";

const ALLOWED: ReadonlySet<string> = new Set(NUT_KEYS.map(([name]) => name));

export class NutInput {
  readonly #nut: NutPackage;
  readonly #size: Size;
  readonly #platform: string;

  constructor(nut: NutPackage, size: Size, platform: string) {
    this.#nut = nut;
    this.#size = size;
    this.#platform = platform;
  }

  async move(to: Point): Promise<void> {
    const { x, y } = to;
    if (!Number.isSafeInteger(x) || !Number.isSafeInteger(y) || !contains(wholeOf(this.#size), to)) {
      throw new DriverError("E_SCHEMA", `${formatPoint(to)} is no pixel of the display`, 0);
    }
    await this.#nut.providerRegistry.getMouse().setMousePosition({ x, y });
  }

  async pointer(): Promise<Point> {
    const { x, y } = await this.#nut.providerRegistry.getMouse().currentMousePosition();
    return { x, y };
  }

  async button(button: number, down: boolean): Promise<void> {
    const { Button, providerRegistry } = this.#nut;
    const known = new Map([
      [BUTTONS.left as number, Button.LEFT],
      [BUTTONS.middle, Button.MIDDLE],
      [BUTTONS.right, Button.RIGHT],
    ]).get(button);
    if (known === undefined) throw new DriverError("E_SCHEMA", `there is no mouse button ${button}`, 0);
    const mouse = providerRegistry.getMouse();
    await (down ? mouse.pressButton(known) : mouse.releaseButton(known));
  }

  /** Turns the wheel by one click: a press and a release of its button. */
  async wheel(button: number): Promise<void> {
    const mouse = this.#nut.providerRegistry.getMouse();
    // On X11 nut-js has left and right the wrong way round.
    const swapped = this.#platform === "linux";
    switch (button) {
      case WHEEL.up:
        return mouse.scrollUp(1);
      case WHEEL.down:
        return mouse.scrollDown(1);
      case WHEEL.left:
        return swapped ? mouse.scrollRight(1) : mouse.scrollLeft(1);
      case WHEEL.right:
        return swapped ? mouse.scrollLeft(1) : mouse.scrollRight(1);
      default:
        throw new DriverError("E_SCHEMA", `there is no wheel button ${button}`, 0);
    }
  }

  /** Presses or releases one key. Chords are pressed key by key: given several, nut-js drops or rejects some. */
  async key(name: string, down: boolean): Promise<void> {
    const key = ALLOWED.has(name) ? this.#nut.Key[name] : undefined;
    if (typeof key !== "number") {
      throw new DriverError("E_KEY_UNSUPPORTED", `nut-js has no key ${name} that may be pressed`, 0);
    }
    const keyboard = this.#nut.providerRegistry.getKeyboard();
    await (down ? keyboard.pressKey(key) : keyboard.releaseKey(key));
  }
}
