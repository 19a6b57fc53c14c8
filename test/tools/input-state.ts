// What is held down on a display, read directly from the server.
import { asking, connect, type DisplayAddress, type PointerReply } from "./x-client.js";

export interface InputState {
  /** Keycodes that are down. */
  readonly keys: readonly number[];
  /** Bits of the pointer mask: 0–7 modifiers, 8–12 buttons 1 to 5. */
  readonly mask: number;
  readonly pointer: { readonly x: number; readonly y: number };
  /** Keysyms by keycode, without trailing zeros. */
  readonly keymap: ReadonlyMap<number, readonly number[]>;
}

export async function readInputState(address: DisplayAddress): Promise<InputState> {
  const connected = await connect(address);
  const { client, screen, min_keycode: first, max_keycode: last } = connected;
  try {
    const root = screen[0]?.root ?? 0;
    const down = await asking<Uint8Array>((done) => client.QueryKeymap(done));
    const pointer = await asking<PointerReply>((done) => client.QueryPointer(root, done));
    const rows = await asking<number[][]>((done) => client.GetKeyboardMapping(first, last - first + 1, done));
    const keys: number[] = [];
    for (let keycode = 0; keycode < 256; keycode++) {
      if ((down[keycode >> 3] ?? 0) & (1 << (keycode & 7))) keys.push(keycode);
    }
    const trimmed = rows.map((row) => row.slice(0, row.findLastIndex((keysym) => keysym !== 0) + 1));
    return {
      keys,
      mask: pointer.keyMask,
      pointer: { x: pointer.rootX, y: pointer.rootY },
      keymap: new Map(trimmed.map((row, index) => [first + index, row])),
    };
  } finally {
    client.terminate();
  }
}
