// Puts an answer on the wire, or what a script makes of it: broken off, held back, in drops.
import type { ServerResponse } from "node:http";
import { systemClock } from "../../base/clock.js";
import type { ScriptWire, WirePlace } from "./script-wire.js";
import { eventText, type ScriptEvent } from "./stream-text.js";

/** The answer to put on the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | readonly ScriptEvent[];
  readonly wire: ScriptWire;
}

const COMMENT = ": nothing to say\n";

function padding(length: number, isStream: boolean): Buffer {
  if (length === 0) return Buffer.alloc(0);
  // A comment line must end, lest it swallow the first event.
  return isStream
    ? Buffer.concat([Buffer.alloc(Math.max(0, length - 1), COMMENT), Buffer.from("\n")])
    : Buffer.alloc(length, 0x20);
}

/** The body in the parts that places are counted by: one, or one an event. What stands before it belongs to the first. */
function partsOf({ body, wire }: WireAnswer): Buffer[] {
  const isStream = !Buffer.isBuffer(body);
  const before = Buffer.concat([
    Buffer.from(wire.bom ? "\ufeff" : ""),
    padding(wire.padBytes ?? 0, isStream),
  ]);
  const parts = isStream ? body.map((event) => Buffer.from(eventText(event, wire.newline))) : [body];
  const [first = Buffer.alloc(0), ...rest] = parts;
  return [Buffer.concat([before, first]), ...rest];
}

/** What is sent before a place. */
function upTo(parts: readonly Buffer[], place: WirePlace | undefined): Buffer {
  const all = Buffer.concat(parts);
  if (place === undefined) return all;
  if (typeof place === "string") return Buffer.alloc(0);
  return "bytes" in place ? all.subarray(0, place.bytes) : Buffer.concat(parts.slice(0, place.events));
}

/** Writes, and resolves once the bytes have left or the other side has gone. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (bytes.byteLength === 0 || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once("close", resolve);
    response.write(bytes, () => {
      response.removeListener("close", resolve);
      resolve();
    });
  });
}

async function writeInPieces(response: ServerResponse, bytes: Buffer, wire: ScriptWire): Promise<void> {
  const { bytes: size = bytes.byteLength, pauseMs = 0 } = wire.drip ?? {};
  for (let at = 0; at < bytes.byteLength && !response.destroyed; at += size) {
    await write(response, bytes.subarray(at, at + size));
    if (wire.drip) await systemClock.sleep(pauseMs);
  }
}

async function pingForEver(response: ServerResponse, pauseMs: number): Promise<void> {
  while (!response.destroyed) {
    await write(response, Buffer.from(eventText({ type: "ping" })));
    await systemClock.sleep(pauseMs);
  }
}

function reset(response: ServerResponse): void {
  const { socket } = response;
  if (socket) socket.resetAndDestroy();
  else response.destroy();
}

/** Sends an answer as its `wire` says. Resolves when nothing more will be sent; the connection may stay open. */
export async function sendAnswer(response: ServerResponse, answer: WireAnswer): Promise<void> {
  const { wire, status, headers } = answer;
  const { error, pings } = wire;
  if (wire.stall === "before_headers") return;
  if (wire.reset === "before_headers") return reset(response);
  response.writeHead(status, { ...headers, ...wire.headers });
  response.flushHeaders();
  const place = wire.reset ?? wire.stall ?? wire.cut ?? error ?? pings;
  const at =
    place !== undefined && typeof place === "object" && "events" in place ? { events: place.events } : place;
  await writeInPieces(response, upTo(partsOf(answer), at), wire);
  if (wire.stall !== undefined) return;
  if (wire.reset !== undefined) return reset(response);
  if (pings) return pingForEver(response, pings.pauseMs);
  if (error) {
    const { type, message = "said the script" } = error;
    await write(response, Buffer.from(eventText({ type: "error", error: { type, message } }, wire.newline)));
  }
  response.end();
}
