// What the scripted server's faults put on the wire, seen by a client that knows nothing of the product.
import { request as httpRequest } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../../src/runtime/testing/messages-server.js";
import {
  readScriptReply,
  type ScriptReply,
  streamEvents,
} from "../../../src/runtime/testing/script-reply.js";
import type { ScriptWire } from "../../../src/runtime/testing/script-wire.js";
import { bench, closeAll, recorded, say } from "../dispatch/setup.js";

const KEY = "key-of-the-test";
const started: MessagesServer[] = [];
afterEach(async () => {
  await closeAll();
  await Promise.all(started.splice(0).map((server) => server.close()));
});

interface Seen {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: Buffer;
  /** How many pieces the body came in. */
  readonly pieces: number;
  readonly end: "whole" | "broken" | "open";
}

/** Posts a request and waits for the end, or for a while where none comes. */
async function seen(reply: ScriptReply, stream = true, patienceMs = 150): Promise<Seen> {
  const server = await startMessagesServer({ apiKey: KEY, name: "faults", play: () => reply });
  started.push(server);
  const posted = JSON.stringify({
    model: "m",
    max_tokens: 5,
    stream,
    messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
  });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [status, type]: [number | undefined, string | undefined] = [undefined, undefined];
    let timer = setTimeout(() => finish("open"), 2000);
    const finish = (end: Seen["end"]) => {
      clearTimeout(timer);
      resolve({ status, type, body: Buffer.concat(chunks), pieces: chunks.length, end });
      outgoing.destroy();
    };
    const outgoing = httpRequest(
      `${server.baseURL}/v1/messages`,
      { method: "POST", agent: false, headers: { authorization: `Bearer ${KEY}` } },
      (message) => {
        status = message.statusCode;
        type = message.headers["content-type"];
        clearTimeout(timer);
        timer = setTimeout(() => finish("open"), patienceMs);
        message.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          if (chunks.length < 50) timer.refresh();
        });
        message.on("end", () => finish("whole"));
        message.on("error", () => finish("broken"));
      },
    );
    outgoing.on("error", () => finish("broken"));
    outgoing.end(posted);
  });
}

const reply = (wire: ScriptWire) => ({ content: [say("hello")], wire });
const typesIn = (body: Buffer) =>
  [...body.toString("utf8").matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
const WHOLE = [
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
];

test("without a fault a stream is whole, and so is a plain answer", async () => {
  const streamed = await seen([say("hello")]);
  expect(streamed).toMatchObject({ status: 200, type: "text/event-stream", end: "whole" });
  expect(typesIn(streamed.body)).toEqual(WHOLE);
  const plain = await seen([say("hello")], false);
  expect(plain).toMatchObject({ status: 200, type: "application/json", end: "whole" });
  expect(JSON.parse(plain.body.toString())).toMatchObject({ content: [{ text: "hello" }] });
});

describe("places", () => {
  test.each([true, false])("before the headers, stream %s", async (stream) => {
    expect(await seen(reply({ reset: "before_headers" }), stream)).toMatchObject({
      status: undefined,
      end: "broken",
    });
    expect(await seen(reply({ stall: "before_headers" }), stream)).toMatchObject({
      status: undefined,
      end: "open",
    });
  });

  test.each([true, false])("after the headers, stream %s", async (stream) => {
    const broken = await seen(reply({ reset: "after_headers" }), stream);
    // A reset may overtake what was sent before it.
    expect(broken.end).toBe("broken");
    expect(broken.body.byteLength).toBe(0);
    const open = await seen(reply({ stall: "after_headers" }), stream);
    expect(open).toMatchObject({ status: 200, end: "open" });
    expect(open.body.byteLength).toBe(0);
  });

  test("in bytes, to the byte", async () => {
    const whole = (await seen(reply({}))).body;
    for (const bytes of [0, 1, 17, whole.byteLength - 1, whole.byteLength]) {
      const cut = await seen(reply({ cut: { bytes } }));
      expect(cut).toMatchObject({ end: "whole", status: 200 });
      expect(cut.body).toEqual(whole.subarray(0, bytes));
      const stalled = await seen(reply({ stall: { bytes } }));
      expect(stalled).toMatchObject({ end: "open" });
      expect(stalled.body).toEqual(whole.subarray(0, bytes));
    }
    expect(await seen(reply({ reset: { bytes: 17 } }))).toMatchObject({ end: "broken" });
  });

  test("in events", async () => {
    for (const events of [0, 1, 4, 6]) {
      const { body } = await seen(reply({ cut: { events } }));
      expect(typesIn(body)).toEqual(WHOLE.slice(0, events));
    }
  });
});

describe("what else may happen to a body", () => {
  test("an error event ends the stream", async () => {
    const { body, end } = await seen(reply({ error: { events: 2, type: "overloaded_error" } }));
    expect(end).toBe("whole");
    expect(typesIn(body)).toEqual([...WHOLE.slice(0, 2), "error"]);
    expect(body.toString()).toContain('{"type":"error","error":{"type":"overloaded_error"');
  });

  test("pings come without end", async () => {
    const { body, end } = await seen(reply({ pings: { events: 1, pauseMs: 1 } }));
    expect(end).toBe("open");
    expect(new Set(typesIn(body).slice(1))).toEqual(new Set(["ping"]));
    expect(typesIn(body).length).toBeGreaterThan(10);
  });

  test("drops make the same body", async () => {
    const whole = (await seen(reply({}), false)).body;
    const dripped = await seen(reply({ drip: { bytes: 1 } }), false, 2000);
    expect(dripped.body.toString()).toBe(whole.toString());
    expect(dripped.pieces).toBeGreaterThan(20);
  });

  test("padding is blanks or comments", async () => {
    const padded = await seen(reply({ padBytes: 5000 }), false);
    expect(JSON.parse(padded.body.toString())).toMatchObject({ content: [{ text: "hello" }] });
    expect(padded.body.subarray(0, 5000).toString().trim()).toBe("");
    const streamed = await seen(reply({ padBytes: 5000 }));
    expect(streamed.body.subarray(0, 5000).toString()).toMatch(/^(?::[^\n]*\n)+$/);
    expect(typesIn(streamed.body)).toEqual(WHOLE);
  });

  test("line ends, a byte order mark and headers", async () => {
    const other = await seen(
      reply({ newline: "\r\n", bom: true, headers: { "content-type": "text/html", "x-more": "1" } }),
    );
    expect(other.type).toBe("text/html");
    expect(other.body.toString("utf8").startsWith("\ufeffevent: message_start\r\ndata: ")).toBe(true);
    expect(other.body.toString("utf8").replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("bytes that are no text", async () => {
    const { body } = await seen({ status: 200, base64: "//4A" });
    expect(body).toEqual(Buffer.from([0xff, 0xfe, 0x00]));
  });

  test("a stream written by hand is sent as it is written", async () => {
    const [first, ...rest] = streamEvents([say("hello")]);
    const { body } = await seen({ events: [first ?? "", ": between\n\n", "data: {\n\n", ...rest] });
    expect(body.toString()).toMatch(/\n\n: between\n\ndata: \{\n\nevent: content_block_start\n/);
    expect(typesIn(body)).toEqual(WHOLE);
  });
});

describe("what a script may not say", () => {
  test.each<[string, unknown]>([
    ["an unknown member", { content: [], wire: { reset: "before_headers", oops: 1 } }],
    ["an unknown place", { content: [], wire: { reset: "in_between" } }],
    ["a negative byte", { content: [], wire: { cut: { bytes: -1 } } }],
    ["half an event", { content: [], wire: { cut: { events: 1.5 } } }],
    ["two endings", { content: [], wire: { reset: "before_headers", stall: "after_headers" } }],
    ["a cut before the headers", { content: [], wire: { cut: "before_headers" } }],
    ["no piece at all", { content: [], wire: { drip: { bytes: 0 } } }],
    ["an event without a type", { events: [{ data: 1 }] }],
    ["events beside content", { events: [], content: [] }],
    ["bytes that are no base64", { status: 200, base64: "***" }],
    ["another line end", { content: [], wire: { newline: "\n\n" } }],
  ])("%s", (_what, value) => {
    expect(readScriptReply(value)).toMatchObject({ ok: false });
  });

  test.each<[string, ScriptReply]>([
    ["a place in events", reply({ reset: { events: 1 } })],
    ["an error event", reply({ error: { events: 0, type: "api_error" } })],
    ["a stream by hand", { events: [] }],
  ])("%s where no stream was asked for: the run ends, and says what to do", async (_what, value) => {
    const { dispatcher } = bench(recorded([value]));
    expect(await dispatcher.run("go")).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringMatching(/inline, reply 1: .*--stream/) },
    });
  });
});
