// Traces that are whole by the chain and hostile by what they hold: whoever wrote the folder may have written
// anything, digests included.
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/base/canonical-json.js";
import { digestBytes } from "../../src/base/digest.js";
import { TraceJournal } from "../../src/runtime/store/trace-journal.js";
import { END, START } from "../journal/sample.js";
import { entryOf } from "../runtime/dispatch/setup.js";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";
import { runCli } from "./fake-io.js";

const NO_TEXT = { digest: digestBytes(""), length: 0 };
const USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

const reply = (more: object = {}) => ({
  version: 1,
  what: "model_reply",
  turn: 1,
  dialect: "hosted",
  stopReason: "tool_use",
  content: [
    {
      type: "tool_use",
      id: "a",
      name: "left_click",
      toolset_name: "computer",
      input: { coordinate: [1, 2] },
    },
  ],
  ...more,
});

interface Parts {
  readonly entry?: string;
  readonly reply?: string;
  readonly frame?: Uint8Array;
  readonly model?: string;
  readonly turns?: number;
}

/** A trace of one click, its parts exchanged. */
async function write({ entry, reply: text, frame, model, turns = 1 }: Parts): Promise<string> {
  const folder = join(temporaryFolder(), "trace");
  const journal = TraceJournal.create(folder);
  const entryDigest = await journal.keepDocument(
    entry ?? canonicalJson(entryOf({ width: 200, height: 100 })),
  );
  await journal.append("run_started", {
    ...START,
    entryDigest,
    ...(model === undefined ? {} : { model }),
    keeps: { entry: true, words: "withheld", frames: "kept" },
  });
  const png = frame ?? Buffer.from("no picture");
  const digest = await journal.keepFrame(png);
  const size = { width: 200, height: 100 };
  await journal.append("frame", { digest, size, bytes: png.length, reason: "start" });
  for (let turn = 1; turn <= turns; turn++) {
    const kept = await journal.keepDocument(text ?? canonicalJson(reply()));
    await journal.append("model_reply", {
      turn,
      id: "m",
      stopReason: "tool_use",
      usage: USAGE,
      calls: [{ id: "a", name: "left_click" }],
      text: NO_TEXT,
      digest: digestBytes(""),
      kept,
    });
    await journal.append("action", {
      actionId: `run.${turn}`,
      source: "model",
      turn,
      callId: "a",
      name: "left_click",
      input: { coordinate: { x: 1, y: 2 } },
      verdict: "allow",
    });
  }
  await journal.append("run_ended", { ...END, outcome: "stopped" });
  await journal.close();
  return folder;
}

const replay = (folder: string) => runCli(["trace", "replay", folder, "--json"]);

function chunk(kind: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(kind, 4, "latin1");
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

/** A PNG that says 200 × 100 in RGB, whatever its data hold. */
function png(
  data: Uint8Array,
  header: Partial<Record<"width" | "height" | "depth" | "colour", number>> = {},
): Buffer {
  const { width = 200, height = 100, depth = 8, colour = 2 } = header;
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr[8] = depth;
  ihdr[9] = colour;
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", ihdr), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

describe("a hostile trace", () => {
  it("has its twin: the plain one is replayed", async () => {
    const ran = await replay(await write({}));
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ran.stdout).counts).toEqual({ same: 1, differs: 0, uncertain: 0 });
  });

  const nested = `{"version":1,"what":"model_reply","content":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  const documents: readonly (readonly [string, Parts, RegExp])[] = [
    ["a reply that is no JSON", { reply: "{" }, /kept reply of turn 1 is not JSON/],
    ["a reply that nests deeply", { reply: nested }, /kept reply of turn 1 is no kept reply/],
    ["a reply with a field too many", { reply: canonicalJson(reply({ more: 1 })) }, /is no kept reply/],
    [
      "a reply with a __proto__ key",
      { reply: canonicalJson(reply()).replace('"coordinate"', '"__proto__":{"text":"x"},"coordinate"') },
      /is not written as a kept reply is/,
    ],
    ["a reply laid out otherwise", { reply: JSON.stringify(reply(), null, 1) }, /is not written as/],
    ["a reply of another version", { reply: canonicalJson(reply({ version: 2 })) }, /is no kept reply/],
    ["an entry that is none", { entry: "{}" }, /is no entry of this version/],
    [
      "a display of gigabytes",
      { entry: canonicalJson(entryOf({ width: 16_384, height: 16_384 })) },
      /larger than what is replayed/,
    ],
  ];

  it.each(documents)("%s is refused", async (_what, parts, message) => {
    const ran = await replay(await write(parts));
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toMatch(message);
    expect(({} as Record<string, unknown>)["text"]).toBeUndefined();
  });

  const pixels = (3 * 200 + 1) * 100;
  const pictures: readonly (readonly [string, Uint8Array])[] = [
    ["of another size", png(deflateSync(Buffer.alloc(pixels)), { width: 12_000, height: 12_000 })],
    ["that unfolds to more than a screen", png(deflateSync(Buffer.alloc(64 * 1024 * 1024)))],
    ["that unfolds to less", png(deflateSync(Buffer.alloc(10)))],
    ["of 16 bits", png(deflateSync(Buffer.alloc(pixels)), { depth: 16 })],
    ["with a broken length", png(deflateSync(Buffer.alloc(pixels))).fill(0xff, 33, 37)],
    ["that is empty", Buffer.alloc(0)],
  ];

  it.each(pictures)(
    "a picture %s is never decoded: a plain one stands in its place",
    async (_what, frame) => {
      const ran = await replay(await write({ frame }));
      expect(ran).toMatchObject({ code: 0, stderr: "" });
    },
  );

  it("a model's name that is none, and ids that repeat, are answered in words", async () => {
    const named = await replay(await write({ model: `x (${"\u202e".repeat(50)})` }));
    expect(named.code).toBe(0);
    const repeated = await replay(await write({ turns: 2 }));
    expect(repeated.code).toBe(1);
    expect(JSON.parse(repeated.stdout).actions[1]).toMatchObject({
      result: "differs",
      note: "the replay ended before it",
    });
  });
});
