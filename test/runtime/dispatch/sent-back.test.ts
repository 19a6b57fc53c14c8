// What of a reply is sent back: everything as it came, but for what the API would refuse in a conversation.
import { describe, expect, test } from "vitest";
import type { ReplyBlock } from "../../../src/runtime/dispatch/message.js";
import { sentBack, toContinue } from "../../../src/runtime/dispatch/sent-back.js";
import type { script } from "../../../src/runtime/testing/scripted-model.js";
import { bench, call, closeAll, recorded, say } from "./setup.js";

const thinking: ReplyBlock = { type: "thinking", thinking: "hm ", signature: "c2ln" };
const redacted: ReplyBlock = { type: "redacted_thinking", data: "x" };
const text = (words: string): ReplyBlock => ({ type: "text", text: words });
const use = (more: object): ReplyBlock => ({ type: "tool_use", id: "a", name: "key", input: {}, ...more });

describe("thinking", () => {
  test.each<[string, ReplyBlock[], ReplyBlock[]]>([
    ["alone", [thinking], []],
    ["at the end", [text("x"), thinking, redacted], [text("x")]],
    ["before blank text only", [thinking, text(" \n")], []],
    ["before a call", [thinking, redacted, use({})], [thinking, redacted, use({})]],
    ["before and after text", [thinking, text("x"), thinking], [thinking, text("x")]],
  ])("%s", (_what, reply, sent) => {
    expect(sentBack(reply)).toEqual(sent);
    expect(toContinue(reply)).toEqual(sent);
  });
});

test("a reply to go on with ends in no blanks, also where blank text or thinking stood behind it", () => {
  const reply = [text("a "), text("b \n"), text(" "), thinking];
  expect(toContinue(reply)).toEqual([text("a "), text("b")]);
  expect(sentBack(reply)).toEqual([text("a "), text("b \n")]);
});

test.each(["", "computer ", "a b", "é", "x".repeat(129)])(
  "a call named %j gets a name that can be sent",
  (name) => {
    expect(sentBack([use({ name })])).toEqual([use({ name: "unknown_tool" })]);
  },
);

test.each(["left_click", "A-1_b", "x".repeat(128)])(
  "a call named %j keeps its name (benign twin)",
  (name) => {
    const block = use({ name });
    expect(sentBack([block])[0]).toBe(block);
  },
);

describe("a run goes on, with requests that the API takes, after", () => {
  test.each<[string, object]>([
    ["a call without a name", call("", {}, { toolset_name: null })],
    ["a name with blanks", call("left click", {}, { toolset_name: null })],
    ["a toolset of 5,000 characters", call("left_click", {}, { toolset_name: "x".repeat(5000) })],
  ])("%s", async (_what, block) => {
    const model = recorded([[block], [say("fine")]] as Parameters<typeof script>[0]);
    const { dispatcher, desktop } = bench(model, { onViolation: "refuse" });
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", text: "fine", turns: 2 });
    expect(desktop.events).toEqual([]);
    await closeAll();
  });

  test.each(["tool_use", "pause_turn"])("thinking and nothing else, with %s", async (stop_reason) => {
    const model = recorded([{ content: [thinking], stop_reason }, [say("fine")]] as Parameters<
      typeof script
    >[0]);
    const { dispatcher } = bench(model);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", text: "fine", turns: 2 });
    await closeAll();
  });
});
