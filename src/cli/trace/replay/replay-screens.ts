// The screens of a replay: for each capture the frame that the run saw at that point, where it is kept and plain, and
// else a plain picture that differs for different frames. What a frame shows decides no verdict; whether it changed
// may.
import type { Size } from "../../../contract/geometry.js";
import type { FakeDesktopOptions } from "../../../runtime/index.js";
import { isPlainPng } from "./kept-png.js";
import type { RecordedAction, RecordedTurn } from "./recorded-run.js";

type FakeFrame = ReturnType<Extract<FakeDesktopOptions["screens"], (...given: never[]) => unknown>>;

/** Frames decoded and held; a few suffice, since a frame is shown while nothing changes. */
const HELD = 4;

/** A picture of one colour, taken from the digest. */
function pictureOf(digest: string, { width, height }: Size): FakeFrame {
  const colour = [7, 9, 11].map((at) => Number.parseInt(digest.slice(at, at + 2), 16) || 0);
  const data = new Uint8Array(3 * width * height);
  for (let at = 0; at < data.length; at++) data[at] = colour[at % 3] ?? 0;
  return { width, height, data, channels: 3 };
}

export class ReplayScreens {
  readonly #size: Size;
  readonly #read: (digest: string) => Uint8Array | undefined;
  readonly #held = new Map<string, FakeFrame>();
  #shown = `sha256:${"0".repeat(64)}`;
  /** Frames still to come before the state changes again, in order. */
  #next: string[] = [];

  /** `read` gives a kept frame's verified bytes. */
  constructor(size: Size, read: (digest: string) => Uint8Array | undefined) {
    this.#size = size;
    this.#read = read;
  }

  begin(frame: string | undefined): void {
    this.#next = frame === undefined ? [] : [frame];
  }

  /** What is seen around an action: before it and after it, or the picture that it takes. */
  around(action: RecordedAction): void {
    // A zoom's own picture is a part of the screen and no screen.
    const taken = action.name === "screenshot" ? action.frame : undefined;
    this.#next = [action.before, action.after, taken].filter((frame) => frame !== undefined);
  }

  after({ frame }: RecordedTurn): void {
    this.#next = frame === undefined ? [] : [frame];
  }

  /** The screen of the next capture. */
  show(): FakeFrame {
    this.#shown = this.#next.shift() ?? this.#shown;
    const held = this.#held.get(this.#shown);
    if (held) return held;
    const kept = this.#read(this.#shown);
    const frame = kept && isPlainPng(kept, this.#size) ? kept : pictureOf(this.#shown, this.#size);
    const [oldest] = this.#held.keys();
    if (this.#held.size >= HELD && oldest !== undefined) this.#held.delete(oldest);
    this.#held.set(this.#shown, frame);
    return frame;
  }
}
