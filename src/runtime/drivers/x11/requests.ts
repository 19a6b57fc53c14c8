// Requests of the X protocol, packed as bytes; numbers and layouts after the X11 protocol and its extensions
// (XTEST, XKEYBOARD, DAMAGE). All little-endian, like the connection.
import { Buffer } from "node:buffer";

function request(opcode: number, detail: number, words: number): Buffer {
  const bytes = Buffer.alloc(4 * words);
  bytes.writeUInt8(opcode, 0);
  bytes.writeUInt8(detail, 1);
  bytes.writeUInt16LE(words, 2);
  return bytes;
}

/** A request of 32-bit words after its header. */
function ofWords(opcode: number, detail: number, ...words: number[]): Buffer {
  const bytes = request(opcode, detail, 1 + words.length);
  words.forEach((word, index) => {
    bytes.writeUInt32LE(word >>> 0, 4 + 4 * index);
  });
  return bytes;
}

function named(opcode: number, detail: number, name: string): Buffer {
  const bytes = request(opcode, detail, 2 + Math.ceil(name.length / 4));
  bytes.writeUInt16LE(name.length, 4);
  bytes.write(name, 8, "latin1");
  return bytes;
}

export const EVENT_MASKS = { substructureNotify: 0x80000, propertyChange: 0x400000 } as const;

export const core = {
  /** An unmapped, input-only window of one pixel: an identity to own things with. */
  createHiddenWindow(id: number, parent: number): Buffer {
    const bytes = request(1, 0, 8);
    bytes.writeUInt32LE(id, 4);
    bytes.writeUInt32LE(parent, 8);
    bytes.writeUInt16LE(1, 16);
    bytes.writeUInt16LE(1, 18);
    bytes.writeUInt16LE(2, 22);
    return bytes;
  },
  selectEvents: (window: number, mask: number) => ofWords(2, 0, window, 0x800, mask),
  getGeometry: (drawable: number) => ofWords(14, 0, drawable),
  queryTree: (window: number) => ofWords(15, 0, window),
  getWindowAttributes: (window: number) => ofWords(3, 0, window),
  internAtom: (name: string) => named(16, 0, name),
  changeProperty(window: number, property: number, type: number, format: 8 | 32, data: Buffer): Buffer {
    const bytes = request(18, 0, 6 + Math.ceil(data.length / 4));
    bytes.writeUInt32LE(window, 4);
    bytes.writeUInt32LE(property, 8);
    bytes.writeUInt32LE(type, 12);
    bytes.writeUInt8(format, 16);
    bytes.writeUInt32LE((8 * data.length) / format, 20);
    data.copy(bytes, 24);
    return bytes;
  },
  deleteProperty: (window: number, property: number) => ofWords(19, 0, window, property),
  /** At most 64 KiB of a property of any type. */
  getProperty: (window: number, property: number) => ofWords(20, 0, window, property, 0, 0, 0x4000),
  setSelectionOwner: (owner: number, selection: number) => ofWords(22, 0, owner, selection, 0),
  getSelectionOwner: (selection: number) => ofWords(23, 0, selection),
  clientMessage(to: number, mask: number, window: number, type: number, data: readonly number[]): Buffer {
    const bytes = request(25, 0, 11);
    bytes.writeUInt32LE(to, 4);
    bytes.writeUInt32LE(mask, 8);
    bytes.writeUInt8(33, 12);
    bytes.writeUInt8(32, 13);
    bytes.writeUInt32LE(window, 16);
    bytes.writeUInt32LE(type, 20);
    data.forEach((word, index) => {
      bytes.writeUInt32LE(word >>> 0, 24 + 4 * index);
    });
    return bytes;
  },
  grabServer: () => request(36, 0, 1),
  ungrabServer: () => request(37, 0, 1),
  queryPointer: (window: number) => ofWords(38, 0, window),
  getInputFocus: () => request(43, 0, 1),
  queryKeymap: () => request(44, 0, 1),
  /** Pixels of a drawable in Z format, all planes. */
  getImage(drawable: number, x: number, y: number, width: number, height: number): Buffer {
    const bytes = request(73, 2, 5);
    bytes.writeUInt32LE(drawable, 4);
    bytes.writeInt16LE(x, 8);
    bytes.writeInt16LE(y, 10);
    bytes.writeUInt16LE(width, 12);
    bytes.writeUInt16LE(height, 14);
    bytes.writeUInt32LE(0xffffffff, 16);
    return bytes;
  },
  queryExtension: (name: string) => named(98, 0, name),
  changeKeyboardMapping(keycode: number, keysyms: readonly number[]): Buffer {
    const bytes = request(100, 1, 2 + keysyms.length);
    bytes.writeUInt8(keycode, 4);
    bytes.writeUInt8(keysyms.length, 5);
    keysyms.forEach((keysym, index) => {
      bytes.writeUInt32LE(keysym, 8 + 4 * index);
    });
    return bytes;
  },
  getKeyboardMapping(first: number, count: number): Buffer {
    const bytes = request(101, 0, 2);
    bytes.writeUInt8(first, 4);
    bytes.writeUInt8(count, 5);
    return bytes;
  },
  getModifierMapping: () => request(119, 0, 1),
};

export const xtest = {
  getVersion(opcode: number): Buffer {
    const bytes = request(opcode, 0, 2);
    bytes.writeUInt8(2, 4);
    bytes.writeUInt16LE(2, 6);
    return bytes;
  },
  fakeInput(opcode: number, type: number, detail: number, root: number, x: number, y: number): Buffer {
    const bytes = request(opcode, 2, 9);
    bytes.writeUInt8(type, 4);
    bytes.writeUInt8(detail, 5);
    bytes.writeUInt32LE(root, 12);
    bytes.writeInt16LE(x, 24);
    bytes.writeInt16LE(y, 26);
    return bytes;
  },
  /** Whether this client is served while another one holds a server grab. */
  grabControl(opcode: number, impervious: boolean): Buffer {
    const bytes = request(opcode, 3, 2);
    bytes.writeUInt8(impervious ? 1 : 0, 4);
    return bytes;
  },
};

/** The device specifier of the core keyboard. */
const CORE_KEYBOARD = 0x100;

export const xkb = {
  useExtension(opcode: number): Buffer {
    const bytes = request(opcode, 0, 2);
    bytes.writeUInt16LE(1, 4);
    return bytes;
  },
  getState(opcode: number): Buffer {
    const bytes = request(opcode, 4, 2);
    bytes.writeUInt16LE(CORE_KEYBOARD, 4);
    return bytes;
  },
  /** Unlocks and unlatches every modifier; leaves the group alone. */
  clearLocks(opcode: number): Buffer {
    const bytes = request(opcode, 5, 4);
    bytes.writeUInt16LE(CORE_KEYBOARD, 4);
    bytes.writeUInt8(0xff, 6);
    bytes.writeUInt8(0xff, 10);
    return bytes;
  },
  getControls(opcode: number): Buffer {
    const bytes = request(opcode, 6, 2);
    bytes.writeUInt16LE(CORE_KEYBOARD, 4);
    return bytes;
  },
  /** Switches off the boolean controls of the mask; changes nothing else. */
  disableControls(opcode: number, mask: number): Buffer {
    const bytes = request(opcode, 7, 25);
    bytes.writeUInt16LE(CORE_KEYBOARD, 4);
    bytes.writeUInt32LE(mask, 24);
    bytes.writeUInt32LE(0, 28);
    // The only field to be changed is that of the controls that are on.
    bytes.writeUInt32LE(0x80000000, 32);
    return bytes;
  },
};

export const damage = {
  queryVersion: (opcode: number) => ofWords(opcode, 0, 1, 1),
  /** Reports only the change from undamaged to damaged. */
  create: (opcode: number, id: number, drawable: number) => ofWords(opcode, 1, id, drawable, 3),
  /** Declares everything seen, so that the next change is reported again. */
  clear: (opcode: number, id: number) => ofWords(opcode, 3, id, 0, 0),
};

/** The X-Resource extension, version 1.2. */
export const resources = {
  queryVersion(opcode: number): Buffer {
    const bytes = request(opcode, 0, 2);
    bytes.writeUInt8(1, 4);
    bytes.writeUInt8(2, 5);
    return bytes;
  },
  /** The process of the client that a resource belongs to. */
  queryClientPid: (opcode: number, resource: number) => ofWords(opcode, 4, 1, resource, 2),
};
