// Records every key, button and motion of a display, whoever sends it, through the RECORD extension: the judge of
// what reached the display, in a process of its own and without any code of the driver.
//   node --import tsx test/tools/event-recorder.ts DISPLAY [AUTHORITY-FILE]
// One JSON event a line on standard output. A line `sync` on standard input is answered by a line `{"synced":true}`
// after every event before it. It ends when its input ends.
import process from "node:process";
import { createInterface } from "node:readline";
import { asking, connect, type RecordExtension, type RecordReply } from "./x-client.js";

const NAMES = ["KeyPress", "KeyRelease", "ButtonPress", "ButtonRelease", "MotionNotify"] as const;
const FROM_SERVER = 0;
const FROM_CLIENT = 1;
const START_OF_DATA = 4;
const CHANGE_KEYBOARD_MAPPING = 100;
const NO_OPERATION = 127;
const ALL_CLIENTS = 3;

const [display = "", authority] = process.argv.slice(2);
const address = { display, authority };
const control = await connect(address);
const data = await connect(address);

/** Keysyms by keycode, kept in step with the map changes that the recording itself contains. */
const keymap = new Map<number, number[]>();
const first = control.min_keycode;
const rows = await asking<number[][]>((done) =>
  control.client.GetKeyboardMapping(first, control.max_keycode - first + 1, done),
);
for (const [index, row] of rows.entries()) keymap.set(first + index, row);

let syncsPassed = 0;
const waiting: (() => void)[] = [];

function write(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

function takeEvent(event: Buffer): void {
  const name = NAMES[event.readUInt8(0) - 2];
  if (!name) return;
  const detail = event.readUInt8(1);
  const state = event.readUInt16LE(28);
  const common = { event: name, state, x: event.readInt16LE(20), y: event.readInt16LE(22) };
  if (name === "MotionNotify") write(common);
  else if (name.startsWith("Button")) write({ ...common, button: detail });
  else {
    const keysyms = keymap.get(detail) ?? [];
    write({ ...common, keycode: detail, keysym: keysyms[state & 1] || (keysyms[0] ?? 0) });
  }
}

function takeRequest(request: Buffer, xidBase: number): void {
  if (request.readUInt8(0) === NO_OPERATION && xidBase === control.resource_base) {
    syncsPassed += 1;
    waiting.shift()?.();
    return;
  }
  if (request.readUInt8(0) !== CHANGE_KEYBOARD_MAPPING) return;
  const count = request.readUInt8(1);
  const start = request.readUInt8(4);
  const per = request.readUInt8(5);
  for (let n = 0; n < count; n++) {
    const row = Array.from({ length: per }, (_, i) => request.readUInt32LE(8 + 4 * (n * per + i)));
    keymap.set(start + n, row);
  }
}

/** The server's word that it records from now on; what the other connection asked for before is not recorded. */
let begun = (): void => {};
const recording = new Promise<void>((resolve) => {
  begun = resolve;
});

function take({ category, xidBase, data: bytes }: RecordReply): void {
  if (category === START_OF_DATA) begun();
  for (let at = 0; at < bytes.length; ) {
    if (category === FROM_SERVER) {
      takeEvent(bytes.subarray(at, at + 32));
      at += 32;
    } else if (category === FROM_CLIENT) {
      const length = 4 * bytes.readUInt16LE(at + 2);
      takeRequest(bytes.subarray(at, at + length), xidBase);
      at += Math.max(4, length);
    } else return;
  }
}

const controlRecord = await asking<RecordExtension>((done) => control.client.require("record", done));
const dataRecord = await asking<RecordExtension>((done) => data.client.require("record", done));
const context = control.client.AllocID();
const range = (first: number) => ({ coreRequests: { first, last: first } });
controlRecord.CreateContext(
  context,
  0,
  [ALL_CLIENTS],
  [{ deviceEvents: { first: 2, last: 6 } }, range(CHANGE_KEYBOARD_MAPPING), range(NO_OPERATION)],
);
await control.client.sync();
dataRecord.EnableContext(context, take, () => true);
await recording;

/** Passes a request of our own through the recording: what comes before it has been recorded by then. */
async function barrier(): Promise<void> {
  const passed = new Promise<void>((resolve) => {
    waiting.push(resolve);
  });
  control.client.NoOperation();
  await control.client.sync();
  await passed;
}

data.client.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
await barrier();
write({ ready: true, syncsPassed });
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "sync") {
    await barrier();
    write({ synced: true });
  }
}
process.exit(0);
