// Replies received as streams: the same run as without, and nothing of a stream that is not whole.
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { anthropic } from "../../../src/runtime/dispatch/anthropic.js";
import { RETRY_LIMITS } from "../../../src/runtime/dispatch/ask-model.js";
import { closeRawServers, rawServer } from "./raw-server.js";
import { bench, call, closeAll, recorded, say } from "./setup.js";

afterEach(async () => {
  await closeAll();
  await closeRawServers();
});

type Sent = { readonly type: string; readonly [key: string]: unknown };

const start: Sent = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 7, output_tokens: 1 },
  },
};
const stop: Sent = { type: "message_stop" };
const ended = (reason: unknown): Sent => ({
  type: "message_delta",
  delta: { stop_reason: reason, stop_sequence: null },
  usage: { input_tokens: null, output_tokens: 5 },
});
/** A call whose input comes in these pieces. */
const typing = (...pieces: string[]): Sent[] => [
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "t1", name: "type", toolset_name: "computer", input: {} },
  },
  ...pieces.map((partial_json) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json },
  })),
  { type: "content_block_stop", index: 0 },
];
const words = (text: string): Sent[] => [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index: 0 },
];
const done = [start, ...words("done"), ended("end_turn"), stop];

function send(response: ServerResponse, events: readonly (Sent | Buffer)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    response.write(
      Buffer.isBuffer(event) ? event : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
  }
  response.end();
}

async function against(first: readonly (Sent | Buffer)[], always = false) {
  const server = await rawServer((response, count) => send(response, count === 1 || always ? first : done));
  const made = bench(anthropic({ apiKey: "sk-test", baseURL: server.url, stream: true }));
  return { ...made, server, result: await made.dispatcher.run("go") };
}

test("a scripted run is the same with and without streams", async () => {
  const play = async (stream: boolean) => {
    const model = recorded(
      [
        [
          say("I type"),
          { type: "thinking", thinking: "hm", signature: "s" },
          call("type", { text: 'O\'Brien & Söhne 日本 "x"' }, { id: "a" }),
          call("left_click", { coordinate: [3, 4] }, { id: "b" }),
        ],
        [say("ok")],
      ],
      { stream },
    );
    const { dispatcher, desktop } = bench(model);
    const result = await dispatcher.run("go");
    return { result, events: desktop.events, second: JSON.parse(JSON.stringify(model.seen[1])) };
  };
  const streamed = await play(true);
  const whole = await play(false);
  expect(streamed.second.stream).toBe(true);
  delete streamed.second.stream;
  expect(streamed).toEqual(whole);
  expect(streamed.result).toMatchObject({ outcome: "completed", text: "ok", actions: 2 });
});

test("a call in many pieces is executed once, whole; counts of both ends are taken", async () => {
  const { desktop, result } = await against([
    start,
    { type: "ping" },
    ...typing('{"te', 'xt":"rm -rf ', '/tmp/x"}'),
    ended("tool_use"),
    stop,
  ]);
  expect(desktop.text).toBe("rm -rf /tmp/x");
  expect(result).toMatchObject({ outcome: "completed", usage: { inputTokens: 14, outputTokens: 10 } });
});

describe("nothing is executed of", () => {
  const good = typing('{"text":"rm -rf /tmp/x"}');
  test.each<[string, (Sent | Buffer)[]]>([
    ["a call that was cut off [L-009]", [start, ...typing('{"text":"rm -rf /').slice(0, 2)]],
    ["a stream without message_stop [L-010]", [start, ...good, ended("tool_use")]],
    ["a stream without content_block_stop [L-010]", [start, ...good.slice(0, -1), ended("tool_use"), stop]],
    ["a stream without a stop reason", [start, ...good, stop]],
    ["a stream without a start", [...good, ended("tool_use"), stop]],
    ["input that is no JSON", [start, ...typing('{"text":"a"'), ended("tool_use"), stop]],
    [
      "blocks of wrong index",
      [start, ...good.map((event) => ({ ...event, index: 1 })), ended("tool_use"), stop],
    ],
    ["a second start", [start, start, ...good, ended("tool_use"), stop]],
    ["an unknown event", [start, ...good, { type: "surprise" }, ended("tool_use"), stop]],
    [
      "text in a call",
      [start, good[0] as Sent, words("x")[1] as Sent, good[2] as Sent, ended("tool_use"), stop],
    ],
    ["bytes that are not UTF-8", [start, Buffer.from([0xff, 0xfe]), ...good, ended("tool_use"), stop]],
    ["events after the end", [start, ...good, ended("tool_use"), stop, ...good]],
  ])("%s", async (_name, events) => {
    const { desktop, result, server } = await against(events, true);
    expect(result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" } });
    expect(desktop.events).toEqual([]);
    expect(server.requests).toHaveLength(3);
  });

  test("a call cut off at the token limit, and the run says so [L-008]", async () => {
    const { desktop, result } = await against([
      start,
      ...typing('{"text":"rm -rf /'),
      ended("max_tokens"),
      stop,
    ]);
    expect(result).toMatchObject({ outcome: "truncated" });
    expect(desktop.events).toEqual([]);
  });
});

test("an overload in the middle of a stream is repeated like 529", async () => {
  const error = { type: "error", error: { type: "overloaded_error", message: "x" } };
  const { result, server, journal } = await against([start, error]);
  expect(result).toMatchObject({ outcome: "completed", turns: 1 });
  expect(server.requests).toHaveLength(2);
  expect(journal.ofKind("retry")[0]?.data.reason).toContain("overloaded_error");
});

test("a refusal to serve in the middle of a stream is not repeated", async () => {
  const error = { type: "error", error: { type: "invalid_request_error", message: "x" } };
  const { result, server } = await against([start, error]);
  expect(result).toMatchObject({ outcome: "failed", error: { retryable: false } });
  expect(server.requests).toHaveLength(1);
});

test("a stream that never ends meets the deadline, pings or not [L-026]", async () => {
  const server = await rawServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => response.write('event: ping\ndata: {"type":"ping"}\n\n'), 10);
    response.on("close", () => clearInterval(timer));
  });
  const port = anthropic({ apiKey: "sk-test", baseURL: server.url, stream: true, deadlineMs: 150 });
  const limits = { ...RETRY_LIMITS, attempts: 1 };
  expect(await bench(port, {}, { retryLimits: limits }).dispatcher.run("go")).toMatchObject({
    outcome: "failed",
    error: { message: expect.stringContaining("no complete reply"), retryable: true },
  });
});
