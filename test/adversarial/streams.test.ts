// Replies received as streams: the same run as without, whatever the bytes are cut into; and nothing of a stream that
// is not whole and in order. Names in brackets are rows of the catalogue and of the bug reports.
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/contract/limits.js";
import type { ScriptReply } from "../../src/runtime/testing/script-reply.js";
import { streamEvents } from "../../src/runtime/testing/script-reply.js";
import type { ScriptEvent } from "../../src/runtime/testing/stream-text.js";
import { call, closeAll, say } from "../runtime/dispatch/setup.js";
import { inStyle, MODES, type Mode, play, TRANSPORTS } from "./wire-modes.js";

afterEach(closeAll);

const STREAMED = MODES.filter((mode) => mode.stream);
const [streamed, whole] = [TRANSPORTS[1] as Mode, TRANSPORTS[0] as Mode];

type Event = Exclude<ScriptEvent, string>;

/** The events of a reply that types. */
function typing(mode: Mode, text = "rm -rf /tmp/x", stop = "tool_use"): Event[] {
  const block = inStyle(call("type", { text }, { id: "t1" }), mode);
  return streamEvents({ content: [block], stop_reason: stop } as ScriptReply) as Event[];
}

const words = (text: string) => streamEvents([say(text)]) as Event[];
const without = (type: string, events: Event[]) => events.filter((event) => event.type !== type);
const changed = (type: string, events: Event[], change: object) =>
  events.map((event) => (event.type === type ? { ...event, ...change } : event));
const ahead = (type: string, events: Event[], ...more: ScriptEvent[]): ScriptEvent[] => {
  const at = events.findIndex((event) => event.type === type);
  return [...events.slice(0, at), ...more, ...events.slice(at)];
};
const named = (name: string, data: unknown) =>
  `event: ${name}\ndata: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const delta = (index: number, inner: object) => ({ type: "content_block_delta", index, delta: inner });
const piece = (partial_json: string) => delta(0, { type: "input_json_delta", partial_json });

/** An event of a kind that the API may add one day. */
const SURPRISE = { type: "content_block_note", index: 0, delta: { type: "text_delta", text: "x" } };

/** A call that has an input before its pieces come. */
function twoInputs(good: Event[], mode: Mode): Event[] {
  const block = inStyle(call("type", { text: "ls" }, { id: "t1" }), mode);
  return changed("content_block_start", good, { content_block: block });
}

function harmlessFirst(good: Event[]): ScriptEvent[] {
  return ahead("message_delta", good, {
    type: "message_delta",
    delta: { stop_reason: "end_turn" },
    usage: {},
  });
}

/** A stream whose first event brings a call already. */
function withContent(good: Event[], mode: Mode): Event[] {
  const content = [inStyle(call("type", { text: "ls" }, { id: "t0" }), mode)];
  const message = { ...(good[0]?.["message"] as object), content };
  return changed("message_start", good, { message });
}

describe.each(STREAMED)("$name:", (mode) => {
  test("a script plays the same as without", async () => {
    const replies = (): ScriptReply[] => [
      [
        say("I type"),
        { type: "thinking", thinking: "hm", signature: "s" },
        call("type", { text: 'O\'Brien & Söhne 日本 "x"' }, { id: "a" }),
        call("left_click", { coordinate: [3, 4] }, { id: "b" }),
      ],
      [say("ok")],
    ];
    const one = await play(mode, replies());
    const other = await play({ ...mode, stream: false }, replies());
    const sent = JSON.parse(JSON.stringify(one.model.seen[1]));
    expect(sent.stream).toBe(true);
    delete sent.stream;
    expect(sent).toEqual(JSON.parse(JSON.stringify(other.model.seen[1])));
    expect(one.events).toEqual(other.events);
    expect(one.result).toEqual(other.result);
    expect(one.result).toMatchObject({ outcome: "completed", text: "ok", actions: 2 });
  });

  test("a reply that comes in one piece of JSON is a reply", async () => {
    const content = [inStyle(call("type", { text: "x" }), mode)];
    const body = { type: "message", role: "assistant", content, stop_reason: "tool_use" };
    const { desktop, result } = await play(mode, [{ status: 200, body }]);
    expect(desktop.text).toBe("x");
    expect(result).toMatchObject({ outcome: "completed", turns: 2 });
  });

  test.each<[string, (good: Event[]) => ScriptEvent[]]>([
    ["a stream that ends within a call's input [L-009]", (good) => good.slice(0, 3)],
    ["a stream without message_stop [L-010]", (good) => without("message_stop", good)],
    ["a stream without content_block_stop [L-010]", (good) => without("content_block_stop", good)],
    ["a stream without message_delta", (good) => without("message_delta", good)],
    ["a stream without message_start", (good) => without("message_start", good)],
    ["a stream without content_block_start", (good) => without("content_block_start", good)],
    ["a stream of nothing", () => []],
    ["a stream of comments", () => [": hello\n\n", ":\n\n"]],
    ["input that is no JSON", (good) => changed("content_block_delta", good, { delta: piece("{").delta })],
    ["input in the wrong order", ([a, b, c, d, ...rest]) => [a, b, d, c, ...rest] as Event[]],
    ["an input within the start beside that in pieces", (good) => twoInputs(good, mode)],
    [
      "a block after the stop reason",
      (good) => ahead("message_stop", good, ...good.slice(1, 5).map((event) => ({ ...event, index: 1 }))),
    ],
    [
      "two stop reasons",
      (good) =>
        ahead("message_stop", good, { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} }),
    ],
    ["two stop reasons, the first one harmless", (good) => harmlessFirst(good)],
    ["a message_start with a content of its own", (good) => withContent(good, mode)],
    ["two starts", (good) => [good[0] as Event, ...good]],
    ["two messages", (good) => [...good, ...good]],
    ["a block started twice", (good) => ahead("content_block_start", good, good[1] as Event)],
    ["a block stopped twice", (good) => ahead("message_delta", good, good.at(-3) as Event)],
    ["a gap between indexes", (good) => changed("content_block_start", good, { index: 1 })],
    ["a negative index", (good) => changed("content_block_start", good, { index: -1 })],
    ["an index beyond any number of blocks", (good) => changed("content_block_start", good, { index: 1e9 })],
    ["an index that is a text", (good) => changed("content_block_start", good, { index: "0" })],
    ["a piece for another block", (good) => changed("content_block_delta", good, { index: 1 })],
    [
      "two blocks interleaved",
      (good) => ahead("content_block_stop", good, { ...(words("x")[1] as Event), index: 1 }),
    ],
    [
      "text within a call",
      (good) => ahead("content_block_stop", good, delta(0, { type: "text_delta", text: "x" })),
    ],
    [
      "an unknown kind of piece",
      (good) => ahead("content_block_stop", good, delta(0, { type: "more_delta" })),
    ],
    ["an event of an empty kind", (good) => ahead("message_delta", good, { type: "" })],
    ["an end mark before the end", (good) => ahead("message_stop", good, "data: [DONE]\n\n")],
    ["an end mark in place of the end", (good) => [...without("message_stop", good), "data: [DONE]\n\n"]],
    ["another text after the end", (good) => [...good, "data: [MORE]\n\n"]],
    ["an unknown kind of event without its end", (good) => [...without("message_stop", good), SURPRISE]],
    [
      "an event without a name",
      (good) => ahead("content_block_stop", good, `data: ${JSON.stringify(piece(""))}\n\n`),
    ],
    ["an event under another's name", (good) => ahead("content_block_stop", good, named("ping", piece("")))],
    [
      "an event with an unknown name",
      (good) => ahead("content_block_stop", good, named("message", piece(""))),
    ],
    ["a name without data", (good) => ahead("message_delta", good, "event: content_block_stop\n\n")],
    ["data that is no JSON", (good) => ahead("message_delta", good, named("message_delta", "{"))],
    ["data that is a lone number", (good) => ahead("message_delta", good, named("message_delta", "5"))],
    ["data that is null", (good) => ahead("message_delta", good, named("message_delta", "null"))],
    ["NaN in data", (good) => ahead("message_delta", good, named("message_delta", '{"type":NaN}'))],
    ["a piece after the end of its message", (good) => [...good, piece("")]],
    ["a message within a line of HTML", () => ["<html><body>event: message_stop</body></html>\n\n"]],
    [
      "a message_start that is no message",
      (good) => changed("message_start", good, { message: { id: "x" } }),
    ],
    [
      "a user's message",
      (good) => changed("message_start", good, { message: { type: "message", role: "user" } }),
    ],
    ["an error of no known shape", (good) => ahead("message_stop", good, named("error", { oops: 1 }))],
    ["an error that is no JSON", (good) => ahead("message_stop", good, named("error", "overloaded"))],
  ])("nothing is executed of %s", async (_what, distort) => {
    const { desktop, result, model } = await play(mode, () => ({ events: distort(typing(mode)) }));
    expect(result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" }, turns: 1 });
    expect(desktop.events).toEqual([]);
    expect(model.requests).toBe(3);
  });

  test.each<[string, (good: Event[]) => ScriptEvent[]]>([
    [
      "events of an unknown kind, wherever they come",
      (good) => [SURPRISE, ...good.flatMap((e) => [e, SURPRISE])],
    ],
    [
      "events named like properties of any object",
      (good) => ahead("message_delta", good, { type: "constructor" }),
    ],
    ["an end mark after the end", (good) => [...good, "data: [DONE]\n\n"]],
  ])("%s change nothing", async (_what, distort) => {
    const { desktop, result, model } = await play(mode, [{ events: distort(typing(mode)) }]);
    expect(desktop.text).toBe("rm -rf /tmp/x");
    expect(result).toMatchObject({ outcome: "completed", turns: 2 });
    expect(model.requests).toBe(2);
  });

  test("events of an unknown kind count against a reply's size", async () => {
    const filler = { type: "surprise", filler: "x".repeat(1024 * 1024) };
    const count = Math.ceil(LIMITS.replyMaxBytes / filler.filler.length);
    const events = [...Array(count).fill(filler), ...typing(mode)];
    const { desktop, result } = await play(mode, () => ({ events }));
    expect(result).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringContaining(`longer than ${LIMITS.replyMaxBytes} bytes`) },
    });
    expect(desktop.events).toEqual([]);
  });

  test("asked again after such a stream, the run goes on (benign twin)", async () => {
    const { desktop, result, journal } = await play(mode, [
      { events: typing(mode).slice(0, 4) },
      { events: typing(mode) },
    ]);
    expect(desktop.text).toBe("rm -rf /tmp/x");
    expect(result).toMatchObject({ outcome: "completed", turns: 2 });
    expect(journal.ofKind("retry")).toHaveLength(1);
  });

  test("a call cut off at the token limit is not executed, and the run says so [L-008, L-009]", async () => {
    const cut = typing(mode, "rm -rf /", "max_tokens");
    for (const events of [cut, cut.filter((_, index) => index !== 3)]) {
      const { desktop, result } = await play(mode, [{ events }]);
      expect(result).toMatchObject({
        outcome: "truncated",
        error: { message: expect.stringContaining("raise maxTokens") },
      });
      expect(desktop.events).toEqual([]);
    }
  });

  test.each(["overloaded_error", "api_error", "rate_limit_error", "timeout_error"])(
    "%s in mid-stream is asked again, wherever it comes [L19, L20]",
    async (type) => {
      const faults = [0, 1, 2, 3].map((events) => ({
        content: [inStyle(call("type", { text: "x" }), mode)],
        wire: { error: { events, type } },
      })) as ScriptReply[];
      const { desktop, result, journal } = await play(mode, [...faults, [call("type", { text: "once" })]]);
      expect(desktop.text).toBe("once");
      expect(result).toMatchObject({ outcome: "completed", turns: 2, actions: 1 });
      expect(journal.ofKind("retry").map((record) => record.data.reason)).toEqual(
        Array(4).fill(expect.stringContaining(type)),
      );
    },
  );

  test.each([
    ["invalid_request_error", "not accepted"],
    ["authentication_error", "ANTHROPIC_API_KEY"],
    ["permission_error", "ask for access"],
    ["not_found_error", "model id"],
    ["request_too_large", "too large"],
    ["novel_error", "novel_error"],
    ["toString", "no known shape"],
  ])("%s in mid-stream is not taken for a passing fault: %s", async (type, words) => {
    const { result, model, desktop } = await play(
      mode,
      () =>
        ({
          content: [inStyle(call("type", { text: "x" }), mode)],
          wire: { error: { events: 4, type } },
        }) as ScriptReply,
    );
    expect(result).toMatchObject({
      outcome: "failed",
      error: { retryable: false, message: expect.stringContaining(words) },
    });
    expect(model.requests).toBeLessThanOrEqual(3);
    expect(desktop.events).toEqual([]);
  });
});

describe("a request that is refused within its stream", () => {
  const refused = (message: string, details?: object) => {
    const error = { type: "invalid_request_error", message, ...(details ? { details } : {}) };
    return { events: [named("error", { type: "error", error })] };
  };
  const messageOf = (result: Awaited<ReturnType<typeof play>>["result"]) =>
    "error" in result ? result.error.message : "";
  const images = (request: unknown) => JSON.stringify(request).split('"type":"image"').length - 1;

  test("the server's words are kept, escaped and cut, and it is asked once", async () => {
    const said = `messages.0: \u001b[31mno\u202e such field ${"x".repeat(5000)}`;
    const { result, model } = await play(streamed, () => refused(said));
    expect(result).toMatchObject({ outcome: "failed", error: { retryable: false } });
    const message = messageOf(result);
    expect(message).toContain("invalid_request_error: the request was not accepted; it said ");
    expect(message).toContain("such field xxx");
    expect(message).not.toMatch(/[\u001b\u202e]/);
    expect(message.length).toBeLessThan(600);
    expect(model.requests).toBe(1);
  });

  test.each<[string, ScriptReply]>([
    ["by its words", refused("Could not process image")],
    ["by its code", refused("any words", { error_code: "image_dimensions_too_large" })],
  ])("about pictures, %s: it is asked again with fewer, and the run goes on", async (_how, reply) => {
    const { result, model } = await play(streamed, (request, { turn }) => {
      if (turn <= 2) return [call("screenshot")];
      return images(request.messages) > 1 ? reply : [say("all done")];
    });
    expect(result).toMatchObject({ outcome: "completed", text: "all done", turns: 3 });
    expect(model.seen.map((request) => images(request.messages))).toEqual([1, 2, 3, 2, 1]);
  });

  test("about its length: the run ends as truncated, as with a status", async () => {
    const words = "prompt is too long: 1200000 tokens > 1000000 maximum";
    const body = { type: "error", error: { type: "invalid_request_error", message: words } };
    for (const reply of [refused(words), { status: 400, body }] as ScriptReply[]) {
      const { result } = await play(streamed, () => reply);
      expect(result).toMatchObject({
        outcome: "truncated",
        error: { message: expect.stringContaining(words) },
      });
    }
  });

  test("about a beta: the error says which access is missing", async () => {
    const said = "Unexpected value(s) `x` for the `anthropic-beta` header";
    const { result } = await play(streamed, () => refused(said));
    expect(messageOf(result)).toMatch(/the beta .* is not open to this API key/);
  });
});

describe("what a stream may look like", () => {
  test.each<[string, object]>([
    ["as it is", {}],
    ["CRLF", { newline: "\r\n" }],
    ["CR", { newline: "\r" }],
    ["a byte order mark", { bom: true }],
    ["comments before it", { padBytes: 300 }],
    ["a charset", { headers: { "content-type": "text/event-stream; charset=utf-8" } }],
    ["another case", { headers: { "content-type": "Text/Event-Stream" } }],
  ])("%s, byte by byte", async (_what, wire) => {
    for (const bytes of [1, 7, 1000]) {
      const { desktop, result } = await play(streamed, [
        { events: typing(streamed, "Söhne 日本 😀".slice(0, 8)), wire: { ...wire, drip: { bytes } } },
      ]);
      expect(desktop.text).toBe("Söhne 日本");
      expect(result).toMatchObject({ outcome: "completed", turns: 2 });
    }
  });

  test("pings, comments, ids and retry fields between events say nothing", async () => {
    const noise = ["event: ping\n\n", named("ping", { type: "ping" }), ": x\n\n", "id: 7\nretry: 1\n\n"];
    const events = typing(streamed).flatMap((event) => [...noise, event]);
    const { desktop, result } = await play(streamed, [{ events }]);
    expect(desktop.text).toBe("rm -rf /tmp/x");
    expect(result.outcome).toBe("completed");
  });

  test.each<[string, object]>([
    ["stays open", { stall: { events: 7 } }],
    ["goes on with pings", { pings: { events: 7, pauseMs: 20 } }],
    ["is reset", { reset: { events: 7 } }],
  ])("a whole reply whose stream %s is used, once", async (_what, wire) => {
    const events = typing(streamed);
    expect(events).toHaveLength(7);
    const { desktop, result, model, journal } = await play(streamed, [{ events, wire }]);
    expect(desktop.text).toBe("rm -rf /tmp/x");
    expect(result).toMatchObject({ outcome: "completed", turns: 2, actions: 1 });
    expect(model.requests).toBe(2);
    expect(journal.ofKind("retry")).toEqual([]);
  });

  test("a second message_delta that only counts leaves the stop reason", async () => {
    const last = { type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: 9 } };
    const events = ahead("message_stop", typing(streamed), last);
    const { desktop, result } = await play(streamed, [{ events }]);
    expect(desktop.text).toBe("rm -rf /tmp/x");
    expect(result).toMatchObject({ outcome: "completed", usage: { outputTokens: expect.any(Number) } });
  });

  test("a call in very many pieces is executed once, whole", async () => {
    const good = typing(streamed);
    const json = JSON.stringify({ text: "rm -rf /tmp/x" });
    const events = [...good.slice(0, 2), ...[...json].map((one) => piece(one)), ...good.slice(4)];
    const { desktop, result } = await play(streamed, [{ events }]);
    expect(desktop.text).toBe("rm -rf /tmp/x");
    expect(result).toMatchObject({ actions: 1 });
  });

  test("counts of both ends are taken, and one that is null leaves the other", async () => {
    const events = changed("message_delta", typing(streamed), {
      usage: { input_tokens: null, output_tokens: 5 },
    }).map((event) =>
      event.type === "message_start"
        ? {
            ...event,
            message: { ...(event["message"] as object), usage: { input_tokens: 7, output_tokens: 1 } },
          }
        : event,
    );
    const { result } = await play(streamed, [{ events }], { maxTurns: 1 });
    expect(result).toMatchObject({ usage: { inputTokens: 7, outputTokens: 5 } });
  });

  test("thinking comes back as it was streamed [L22, L25]", async () => {
    const block = { type: "thinking", thinking: "", signature: "" };
    const [start, , , , , , end] = typing(streamed);
    const events: ScriptEvent[] = [
      start as Event,
      { type: "content_block_start", index: 0, content_block: block },
      delta(0, { type: "thinking_delta", thinking: "hm\u0000 " }),
      delta(0, { type: "thinking_delta", thinking: "so" }),
      delta(0, { type: "signature_delta", signature: "c2ln" }),
      { type: "content_block_stop", index: 0 },
      ...typing(streamed)
        .slice(1, 5)
        .map((event) => ({ ...event, index: 1 })),
      ...typing(streamed).slice(5),
    ];
    expect(end).toMatchObject({ type: "message_stop" });
    const { model, result } = await play(streamed, [{ events }]);
    expect(result.outcome).toBe("completed");
    const assistant = model.seen[1]?.messages.find((message) => message.role === "assistant");
    expect(assistant?.content[0]).toEqual({ type: "thinking", thinking: "hm\u0000 so", signature: "c2ln" });
  });

  test("fifty thousand citations take no time of their own", async () => {
    const [start, open, text, ...end] = words("x") as [Event, Event, Event, ...Event[]];
    const cited = Array.from({ length: 50_000 }, (_, at) =>
      delta(0, { type: "citations_delta", citation: { at } }),
    );
    const { result } = await play(streamed, [{ events: [start, open, text, ...cited, ...end] }]);
    expect(result).toMatchObject({ outcome: "completed", text: "x" });
  });
});

test("a stream that was not asked for is no reply", async () => {
  const body = typing(whole)
    .map((event) => named(event.type, event))
    .join("");
  const headers = { "content-type": "text/event-stream" };
  const { result, desktop } = await play(whole, () => ({ status: 200, headers, body }));
  expect(result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" } });
  expect(desktop.events).toEqual([]);
});
