// A run of many turns, each with a new screenshot of a megabyte, in a process of its own; prints what it measured as
// JSON. Called by memory.test.ts. The model is a port without HTTP, and the journal keeps no picture, so that what
// grows is the loop's own.
import { crc32, deflateSync } from "node:zlib";
import { systemClock } from "../../../src/base/clock.js";
import { MemoryJournal } from "../../../src/runtime/control/memory-journal.js";
import { Dispatcher } from "../../../src/runtime/dispatch/dispatcher.js";
import type { Message } from "../../../src/runtime/dispatch/message.js";
import type { ModelPort, ModelRequest } from "../../../src/runtime/dispatch/model-port.js";
import { fakeDesktop } from "../../../src/runtime/testing/fake-desktop.js";
import { findRequestProblem } from "../../../src/runtime/testing/request-rules.js";
import { entryOf } from "./setup.js";

const SIDE = 592;
const TURNS = Number(process.argv[2] ?? 500);

/** Noise, so that the file stays as large as the pixels. */
const pixels = Buffer.alloc(SIDE * (3 * SIDE + 1));
let state = 1;
for (let at = 0; at < pixels.length; at++) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  pixels[at] = at % (3 * SIDE + 1) === 0 ? 0 : state >>> 24;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

const header = Buffer.alloc(13);
header.writeUInt32BE(SIDE, 0);
header.writeUInt32BE(SIDE, 4);
header.set([8, 2, 0, 0, 0], 8);

function png(picture: number): Uint8Array {
  pixels.writeUInt32BE(picture, 1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk("IDAT", deflateSync(pixels, { level: 0 }));
  return Buffer.concat([signature, chunk("IHDR", header), data, chunk("IEND", Buffer.alloc(0))]);
}

/** Records as ever; pictures go nowhere. */
class RecordsOnly extends MemoryJournal {
  override async keepFrame(frame: Uint8Array): Promise<`sha256:${string}`> {
    const { digestBytes } = await import("../../../src/base/digest.js");
    return digestBytes(frame);
  }
}

let asked = 0;
let mostImages = 0;
let bytes = 0;
const problems: string[] = [];

function imagesOf(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, { content }) => sum + (JSON.stringify(content).match(/"type":"image"/g)?.length ?? 0),
    0,
  );
}

/** The same request with pictures of one pixel's size: the rules are about its shape. */
function small(request: ModelRequest): unknown {
  const messages = JSON.parse(
    JSON.stringify(request.messages, (key, value) =>
      key === "data" && typeof value === "string" ? "AAAA" : value,
    ),
  );
  return { model: request.model, max_tokens: request.maxTokens, messages };
}

const model: ModelPort = {
  id: "counting",
  async ask(request) {
    asked += 1;
    if (asked % 20 === 0) {
      mostImages = Math.max(mostImages, imagesOf(request.messages));
      const problem = findRequestProblem(small(request), "");
      if (problem !== undefined) problems.push(problem);
    }
    const content =
      asked > TURNS
        ? [{ type: "text", text: "done" }]
        : [
            {
              type: "tool_use",
              id: `call_${asked}`,
              name: "screenshot",
              toolset_name: "computer",
              input: {},
            },
          ];
    return {
      id: `msg_${asked}`,
      type: "message",
      role: "assistant",
      content,
      stop_reason: asked > TURNS ? "end_turn" : "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  },
  async close() {},
};

let shown = 0;
let before = 0;
let peak = 0;
const desktop = fakeDesktop({
  screens: () => {
    shown += 1;
    const picture = png(shown);
    bytes += picture.byteLength;
    const { rss } = process.memoryUsage();
    // What the first turns load and warm up is not what a long run adds.
    if (shown === 40) before = rss;
    peak = Math.max(peak, rss);
    return picture;
  },
});
const dispatcher = Dispatcher.fromSpec(entryOf({ width: SIDE, height: SIDE, maxTurns: TURNS + 1 }), {
  model,
  desktop,
  journal: new RecordsOnly(systemClock),
});
const { outcome, turns } = await dispatcher.run("look");
await dispatcher.close();
console.log(
  JSON.stringify({
    outcome,
    turns,
    shown,
    bytes,
    mostImages,
    problems,
    before,
    peak,
    after: process.memoryUsage().rss,
  }),
);
