// A conversation that outgrows the model's context, and what the server may do about it.
import { afterEach, describe, expect, test } from "vitest";
import { thinkingRuleOf } from "../../../src/runtime/dispatch/history/thinking.js";
import { History, OMITTED_RESULT_TEXT } from "../../../src/runtime/dispatch/history.js";
import { bench, call, closeAll, recorded, say } from "./setup.js";

afterEach(closeAll);

const FULL = {
  content: [call("left_click", { coordinate: [1, 1] })],
  stop_reason: "model_context_window_exceeded",
};

function imagesOf(value: unknown): number {
  return JSON.stringify(value).split('"type":"image"').length - 1;
}

function thinking(text: string) {
  return { type: "thinking", thinking: text, signature: "s" };
}

describe("a full context", () => {
  test("is asked again once with the newest picture and the latest answer alone; nothing of the reply is executed [L16]", async () => {
    const model = recorded([
      [thinking("one"), call("left_click", { coordinate: [10, 10] })],
      [thinking("two"), call("type", { text: "abc" })],
      FULL,
      [say("done")],
    ]);
    const { dispatcher, desktop, journal, events } = bench(model);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", turns: 4, actions: 2 });
    expect(desktop.text).toBe("abc");
    expect(desktop.events.filter(({ type }) => type === "button")).toHaveLength(2);
    const [before, again] = model.seen.slice(2);
    expect(imagesOf(before?.messages)).toBe(3);
    expect(imagesOf(again?.messages)).toBe(1);
    expect(again?.messages).toHaveLength(before?.messages.length ?? 0);
    expect(JSON.stringify(again?.messages)).not.toContain("thinking");
    expect(JSON.stringify(again?.messages.slice(0, -1)).split(OMITTED_RESULT_TEXT)).toHaveLength(2);
    expect(JSON.stringify(again?.messages.at(-1))).toContain("Typed.");
    expect(journal.ofKind("history_pruned").map(({ data }) => data)).toEqual([
      { turn: 3, why: "context", images: 2, results: 1, messages: 0 },
    ]);
    expect(events).toContainEqual({ type: "pruned", turn: 3, images: 2 });
  });

  test("that stays full ends the run as truncated, and the message says what to do", async () => {
    const model = recorded(() => ({ ...FULL, content: [] }));
    expect(await bench(model).dispatcher.run("go")).toMatchObject({
      outcome: "truncated",
      error: { code: "E_PROTOCOL", message: expect.stringContaining("serverContext.compactAtTokens") },
    });
    expect(model.requests).toBe(1);
    const twice = recorded((_request, { turn }) =>
      turn === 1 ? [call("left_click", { coordinate: [9, 9] })] : { ...FULL, content: [] },
    );
    expect(await bench(twice).dispatcher.run("go")).toMatchObject({ outcome: "truncated", turns: 3 });
  });

  test("may be full again later, after the model went on", async () => {
    const model = recorded((_request, { turn }) => {
      if (turn === 7) return [say("done")];
      return turn % 3 === 0 ? { ...FULL, content: [] } : [call("left_click", { coordinate: [turn, 9] })];
    });
    expect(await bench(model).dispatcher.run("go")).toMatchObject({ outcome: "completed", turns: 7 });
  });

  test("a model that insists on the thinking of its latest reply keeps it", () => {
    const history = new History(undefined, "stays");
    history.addUser([{ type: "text", text: "go" }]);
    for (const id of ["a", "b"]) {
      history.addReply([thinking(id), { type: "tool_use", id, name: "wait", input: {} }]);
      history.addResults([
        { callId: id, toolset: undefined, content: [{ type: "text", text: id }], isError: false },
      ]);
    }
    expect(history.shrink()).toEqual({ why: "context", images: 0, results: 1, messages: 0 });
    const thoughts = history
      .view()
      .flatMap(({ content }) => content.filter(({ type }) => type === "thinking"));
    expect(thoughts).toEqual([thinking("b")]);
    expect(history.shrink()).toBeUndefined();
  });
});

describe("a request that is too long for the context", () => {
  const tooLong = (message: string) =>
    ({
      status: 400,
      body: { type: "error", error: { type: "invalid_request_error", message } },
    }) as const;
  const WORDS = [
    "prompt is too long: 204881 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 193000 + 8192 > 200000, decrease one of them",
  ];

  test.each(WORDS)("is made again with what can be left out, within its turn: %s", async (message) => {
    const model = recorded([
      [call("left_click", { coordinate: [10, 10] })],
      [call("type", { text: "abc" })],
      tooLong(message),
      [say("done")],
    ]);
    const { dispatcher, desktop, journal } = bench(model);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", turns: 3 });
    expect(desktop.text).toBe("abc");
    expect(model.seen.map(({ messages }) => imagesOf(messages))).toEqual([1, 2, 3, 1]);
    expect(journal.ofKind("history_pruned").map(({ data }) => data.why)).toEqual(["context"]);
  });

  test("and stays so ends the run as truncated, with what to do", async () => {
    const model = recorded((_request, { turn }) =>
      turn === 1 ? [call("left_click", { coordinate: [10, 10] })] : tooLong(WORDS[0] ?? ""),
    );
    const result = await bench(model).dispatcher.run("go");
    expect(result).toMatchObject({
      outcome: "truncated",
      error: { code: "E_PROTOCOL", message: expect.stringContaining("split the goal") },
    });
    expect(model.requests).toBe(3);
  });
});

describe("a summary of the server's", () => {
  const summary = {
    type: "compaction",
    content: "so far: nothing",
    encrypted_content: "opaque=",
    signature: "sig",
  };

  test("goes back byte for byte, and nothing of what stood before it but the goal's words", async () => {
    const model = recorded([
      [call("left_click", { coordinate: [10, 10] })],
      [summary, thinking("after"), call("key", { text: "Tab" })],
      [call("screenshot")],
    ]);
    const { dispatcher, journal } = bench(model, {}, { serverContext: { compactAtTokens: 60_000 } });
    expect(await dispatcher.run("the goal")).toMatchObject({ outcome: "completed", turns: 4 });
    const [, , third, fourth] = model.seen;
    expect(third?.messages).toHaveLength(3);
    expect(third?.messages[0]).toEqual({ role: "user", content: [{ type: "text", text: "the goal" }] });
    expect(third?.messages[1]?.content[0]).toEqual(summary);
    expect(imagesOf(third?.messages)).toBe(1);
    expect(fourth?.messages).toHaveLength(5);
    expect(journal.ofKind("history_pruned").map(({ data }) => data)).toEqual([
      { turn: 3, why: "compaction", images: 2, results: 0, messages: 3 },
    ]);
  });

  test("alone, with the run paused by it, is followed by a new screenshot", async () => {
    const model = recorded([
      [call("left_click", { coordinate: [10, 10] })],
      { content: [summary], stop_reason: "compaction" },
    ]);
    const { dispatcher } = bench(model, {}, { serverContext: { compactAtTokens: 60_000 } });
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", turns: 3 });
    expect(model.seen[2]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(imagesOf(model.seen[2]?.messages[2])).toBe(1);
  });

  test("that failed changes nothing", async () => {
    const failed = { type: "compaction", content: null, encrypted_content: null };
    const model = recorded([[failed, call("screenshot")], [call("screenshot")]]);
    await bench(model).dispatcher.run("go");
    expect(model.seen.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
    expect(model.seen[2]?.messages[1]?.content[0]).toEqual(failed);
  });

  test("beside a call, when the reply ended with it, executes nothing", async () => {
    const reply = { content: [summary, call("key", { text: "Tab" })], stop_reason: "compaction" };
    const { dispatcher, desktop } = bench(recorded([reply]));
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" } });
    expect(desktop.events).toEqual([]);
  });

  test("arrives over a stream like any other block", async () => {
    const model = recorded([[summary, call("screenshot")]], { stream: true });
    await bench(model).dispatcher.run("go");
    expect(model.seen[1]?.messages[1]?.content[0]).toEqual(summary);
  });
});

describe("what the server is asked for", () => {
  function headersAndBody(serverContext?: { compactAtTokens?: number; clearResultsAtTokens?: number }) {
    let headers: Readonly<Record<string, string>> = {};
    const model = recorded((_request, context) => {
      headers = context.headers;
      return [say("done")];
    });
    const more = serverContext === undefined ? {} : { serverContext };
    return bench(model, {}, more)
      .dispatcher.run("go")
      .then(() => ({ beta: headers["anthropic-beta"], body: model.seen[0] as Record<string, unknown> }));
  }

  test("nothing, unless told", async () => {
    const { beta, body } = await headersAndBody();
    expect(beta).toBeUndefined();
    expect(body).not.toHaveProperty("context_management");
  });

  test("a summary and old results left out, each with its header", async () => {
    const { beta, body } = await headersAndBody({ compactAtTokens: 150_000, clearResultsAtTokens: 90_000 });
    expect(beta?.split(",").sort()).toEqual(["compact-2026-01-12", "context-management-2025-06-27"]);
    expect(body["context_management"]).toEqual({
      edits: [
        { type: "clear_tool_uses_20250919", trigger: { type: "input_tokens", value: 90_000 } },
        { type: "compact_20260112", trigger: { type: "input_tokens", value: 150_000 } },
      ],
    });
  });

  test.each([
    [{ serverContext: { compactAtTokens: 49_999 } }, "serverContext.compactAtTokens"],
    [{ serverContext: { clearResultsAtTokens: 0.5 } }, "serverContext.clearResultsAtTokens"],
    [{ pruneLimits: { maxImages: 3, keepImages: 4, maxImageCharacters: 9 } }, "pruneLimits.keepImages"],
    [{ pruneLimits: { maxImages: 0, keepImages: 0, maxImageCharacters: 9 } }, "pruneLimits.maxImages"],
    [{ pruneLimits: { maxImages: 2 } }, "pruneLimits.keepImages must be a whole number from 1 to 2, got 3"],
    [{ pruneLimits: { maxImage: 30 } as object }, 'pruneLimits has no "maxImage"'],
    [{ serverContext: { compactTokens: 60_000 } as object }, 'serverContext has no "compactTokens"'],
    [{ unchangedScreens: "words" as "text" }, "unchangedScreens"],
  ])("what cannot be kept is refused at start: %j", (more, name) => {
    expect(() => bench(recorded([]), {}, more)).toThrow(
      expect.objectContaining({ code: "E_SCHEMA", message: expect.stringContaining(name) }),
    );
  });
});

test.each([
  ["claude-opus-5-5", "goes-with-pictures"],
  ["claude-sonnet-5-5-20260901", "goes-with-pictures"],
  ["claude-fable-5-1", "goes-with-pictures"],
  ["claude-fable-5-2", "goes-with-pictures"],
  ["claude-opus-6", "goes-with-pictures"],
  ["some-gateway/model", "goes-with-pictures"],
  ["claude-opus-5", "stays"],
  ["claude-fable-5", "stays"],
  ["claude-sonnet-4-5-20250929", "stays"],
])("thinking of %s %s when pictures go", (model, rule) => {
  expect(thinkingRuleOf(model)).toBe(rule);
});
