// A small X client for tests. It shares no code with the driver under test: it uses the x11 package's own requests.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export interface DisplayAddress {
  readonly display: string;
  readonly authority?: string | undefined;
}

type Callback<T> = (error: Error | null | undefined, value: T) => unknown;

export interface RecordReply {
  readonly category: number;
  /** The client that the data is about. */
  readonly xidBase: number;
  readonly data: Buffer;
}

export interface RecordExtension {
  CreateContext(id: number, header: number, clients: number[], ranges: object[]): void;
  EnableContext(id: number, onData: (reply: RecordReply) => void, done: Callback<unknown>): void;
}

export interface XClient {
  on(event: "error" | "end", listener: (error: Error) => void): void;
  AllocID(): number;
  require(name: "record", done: Callback<RecordExtension>): void;
  sync(): Promise<void>;
  NoOperation(): void;
  QueryKeymap(done: Callback<Uint8Array>): void;
  QueryPointer(window: number, done: Callback<PointerReply>): void;
  GetKeyboardMapping(first: number, count: number, done: Callback<number[][]>): void;
  ListExtensions(done: Callback<string[]>): void;
  WarpPointer(
    from: number,
    to: number,
    x: number,
    y: number,
    width: number,
    height: number,
    toX: number,
    toY: number,
  ): void;
  CreateWindow(
    id: number,
    parent: number,
    x: number,
    y: number,
    width: number,
    height: number,
    border: number,
    depth: number,
    windowClass: number,
    visual: number,
    values: object,
  ): void;
  MapWindow(id: number): void;
  GrabPointer(
    window: number,
    ownerEvents: number,
    mask: number,
    pointerMode: number,
    keyboardMode: number,
    confineTo: number,
    cursor: number,
    time: number,
    done: Callback<number>,
  ): void;
  GrabServer(): void;
  UngrabServer(): void;
  terminate(): void;
}

export interface PointerReply {
  readonly rootX: number;
  readonly rootY: number;
  readonly keyMask: number;
}

export interface XConnected {
  readonly client: XClient;
  readonly screen: readonly {
    readonly root: number;
    readonly pixel_width: number;
    readonly pixel_height: number;
  }[];
  readonly resource_base: number;
  readonly min_keycode: number;
  readonly max_keycode: number;
}

/** The cookie of an authority file's last entry. */
function readCookie(path: string): { name: string; data: string } {
  const bytes = readFileSync(path);
  let name = "";
  let data = "";
  for (let at = 2; at < bytes.length; at += 2) {
    const fields: string[] = [];
    for (let n = 0; n < 4; n++) {
      const length = bytes.readUInt16BE(at);
      fields.push(bytes.toString("latin1", at + 2, at + 2 + length));
      at += 2 + length;
    }
    [, , name = "", data = ""] = fields;
  }
  return { name, data };
}

export function connect({ display, authority }: DisplayAddress): Promise<XConnected> {
  const x11 = createRequire(import.meta.url)("x11") as {
    createClient(options: object, ready: Callback<XConnected>): XClient;
  };
  return new Promise((resolve, reject) => {
    const auth = authority === undefined ? {} : { auth: readCookie(authority) };
    const client = x11.createClient({ display, shm: false, ...auth }, (error, connected) => {
      if (error) reject(error);
      else resolve(connected);
    });
    client.on("error", reject);
  });
}

export function asking<T>(ask: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    ask((error, value) => {
      if (error) reject(error);
      else resolve(value);
      return true;
    });
  });
}
