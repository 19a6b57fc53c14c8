import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/base/canonical-json.js";
import { ACTION_LIST } from "../../../src/contract/actions.js";
import { keptReplySchema } from "../../../src/contract/kept-documents.js";
import { TOOL_VERSIONS } from "../../../src/contract/models.js";
import { parseToolCall } from "../../../src/contract/parse-action.js";
import { Redactor } from "../../../src/runtime/control/redaction.js";
import { keptReply, typedStandIn, withheldTextsOf } from "../../../src/runtime/dispatch/kept-reply.js";
import type { ReplyBlock } from "../../../src/runtime/dispatch/message.js";
import { call } from "./setup.js";

const block = (value: object) => value as unknown as ReplyBlock;

function keep(content: readonly object[], keepsWords = false) {
  const reply = {
    id: "m",
    stopReason: "tool_use",
    content: content.map(block),
    usage: undefined,
  };
  const redactor = new Redactor();
  const kept = keptReply(reply, { turn: 1, dialect: "hosted", redactor, keepsWords });
  expect(keptReplySchema.parse(JSON.parse(canonicalJson(kept)))).toEqual(JSON.parse(canonicalJson(kept)));
  return kept.content;
}

describe("a kept reply", () => {
  it("holds words by their length, in characters", () => {
    expect(
      keep([
        { type: "text", text: "grün 😀" },
        { type: "thinking", thinking: "hm", signature: "abc" },
        { type: "redacted_thinking", data: "opaque" },
        { type: "text", text: "" },
        { type: "server tool of some kind", secret: "x" },
      ]),
    ).toEqual([
      { type: "text", withheld: 6 },
      { type: "thinking", withheld: 2 },
      { type: "redacted_thinking", withheld: expect.any(Number) },
      { type: "text", withheld: 0 },
      { type: "withheld", withheld: expect.any(Number) },
    ]);
  });

  it("holds them when it was told to, without what the reply types", () => {
    expect(
      keep(
        [
          { type: "thinking", thinking: "I will type hunter2", signature: "abc" },
          { type: "text", text: "Typing hun" },
          { type: "text", text: "ter2 now" },
          call("type", { text: "hunter2" }, { id: "a" }),
        ],
        true,
      ),
    ).toMatchObject([
      { type: "thinking", thinking: "I will type [typed]" },
      { type: "text", text: "Typing [typed]" },
      { type: "text", text: "[typed] now" },
      { input: { text: "xxxxxxx" } },
    ]);
  });

  it("holds a typed text's length, line feeds and tabs, and whether it may be typed", () => {
    expect(typedStandIn("Pass wörd\n\t😀")).toBe("xxxxxxxxx\n\tx");
    expect(typedStandIn("a\u202eb\u0000")).toBe("x\u0001x\u0001");
    expect(typedStandIn("\ud800")).toBe("\u0001");
  });

  it("holds names, ids, places, amounts and key texts", () => {
    const calls = [
      call("left_click", { coordinate: [3, 4], text: "ctrl+shift" }, { id: "a" }),
      call("key", { text: "ctrl+s", repeat: 2 }, { id: "b" }),
      call("zoom", { region: [0, 0, 5, 5] }, { id: "c" }),
      call("scroll", { coordinate: null, scroll_direction: "up", scroll_amount: 3 }, { id: "d" }),
      { type: "tool_use", id: "e", name: "computer", input: { action: "key", text: "Return" } },
    ];
    expect(keep(calls)).toEqual(calls);
  });

  it("holds nothing of what is not known", () => {
    const words = "what the model says";
    const kept = keep([
      call("type", { text: words, note: words, [words]: words }, { id: "a", cache_control: words }),
      call(words, { text: words }, { id: words, toolset_name: words, caller: words }),
      call("key", { text: words.repeat(5) }, { id: "b" }),
      call("left_click", { coordinate: [words, { x: words }], text: [words] }, { id: "c" }),
      call("type", words, { id: "d" }),
      call("type", [words], { id: "e" }),
      call("type", { text: 123456, scroll_direction: words, duration: words, summary: words }, { id: "f" }),
    ]);
    expect(JSON.stringify(kept)).not.toContain("what");
    expect(JSON.stringify(kept)).not.toContain("123456");
    expect(kept[1]).toMatchObject({ id: "", name: "withheld", toolset_name: "withheld", caller: "program" });
  });
});

describe("a kept call is judged like the original", () => {
  const verdict = (value: ReplyBlock) => {
    const { name, toolset_name, input } = value;
    const parsed = parseToolCall({ name, toolset_name, input }, [
      TOOL_VERSIONS.computer_toolset_20260801.style,
      TOOL_VERSIONS.computer_20251124.style,
    ]);
    if (!parsed.ok) return parsed.code;
    const { text: _text, ...rest } = parsed.action.input as { text?: unknown };
    return { name: parsed.action.name, rest };
  };
  const anything = fc.oneof(
    { arbitrary: fc.integer({ min: -5, max: 20_000 }), weight: 3 },
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ maxLength: 80 }),
    fc.constantFrom("up", "ctrl+s", "Return", null, true, {}, [], { x: 1, y: 2 }),
    {
      arbitrary: fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null)), { maxLength: 18 }),
      weight: 2,
    },
    { arbitrary: fc.tuple(fc.nat(500), fc.nat(500)), weight: 3 },
    fc.tuple(fc.nat(9), fc.nat(9), fc.integer({ min: 10, max: 20 }), fc.integer({ min: 10, max: 20 })),
  );
  const key = fc.constantFrom(
    ...["coordinate", "start_coordinate", "region", "text", "repeat", "duration", "scroll_amount"],
    ...["scroll_direction", "action", "summary", "other", "__proto__", "a b"],
  );
  const inputs = fc.oneof(fc.dictionary(key, anything, { maxKeys: 5 }), anything, fc.constant(undefined));
  const names = fc.oneof(
    fc.constantFrom(...ACTION_LIST),
    fc.constantFrom("computer", "done", "no such thing"),
  );

  it("whatever it holds", () => {
    fc.assert(
      fc.property(
        names,
        inputs,
        fc.constantFrom("computer", undefined, null, "other one"),
        (name, input, toolset) => {
          const original = block({
            type: "tool_use",
            id: "a",
            name,
            input,
            ...(toolset === undefined ? {} : { toolset_name: toolset }),
          });
          const [kept] = keep([JSON.parse(JSON.stringify(original))]);
          expect(verdict(kept as unknown as ReplyBlock)).toEqual(verdict(original));
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("texts that are withheld", () => {
  it("are those to type and those in a wrong place", () => {
    expect(
      withheldTextsOf(
        [
          call("type", { text: "one" }),
          call("key", { text: "Return", other: "two", "a field": { deep: ["three"] } }),
          call("type", "four"),
          { type: "tool_use", id: "x", name: "computer", input: { action: "type", text: "five" } },
          { type: "tool_use", id: "y", name: "computer", input: { action: "key", text: "Tab" } },
          { type: "text", text: "six" },
        ].map(block),
      ),
    ).toEqual(["one", "other", "two", "a field", "deep", "three", "four", "five"]);
  });
});
