// A slip in a script is told by its place and by the field that is wrong.
import { describe, expect, it } from "vitest";
import { readScriptReply } from "../../../src/runtime/testing/script-reply.js";

const reasonOf = (reply: unknown) => {
  const reading = readScriptReply(reply);
  return reading.ok ? "ok" : reading.reason;
};

describe("the reason why a reply is refused", () => {
  const call = {
    type: "tool_use",
    name: "left_click",
    toolset_name: "computer",
    input: { coordinate: [1, 2] },
  };
  it.each<readonly [unknown, RegExp]>([
    [{ contnt: [] }, /^content: .*|unknown field "contnt" \(did you mean content\?\)/],
    [{ content: [], stop_reson: "end_turn" }, /^unknown field "stop_reson" \(did you mean stop_reason\?\)/],
    [{ content: [{ type: "text", txt: "a" }] }, /^content\.0(?:\.text: |: unknown field "txt")/],
    [{ content: [{ type: "text", text: "a", colour: "red" }] }, /^content\.0: unknown field "colour";/],
    [[call, { ...call, inptu: {} }], /^1: unknown field "inptu" \(did you mean input\?\)/],
    [[{ ...call, name: 5 }], /^0\.name: .*string.*number/],
    [[{ ...call, type: 7 }], /^0\.type: /],
    [{ status: 99 }, /^status: /],
    [{ status: 529, bdy: "" }, /^unknown field "bdy" \(did you mean body\?\)/],
    ["hello", /got "hello"/],
  ])("%j", (reply, reason) => {
    expect(reasonOf(reply)).toMatch(reason);
  });

  it("escapes a field's name", () => {
    const reason = reasonOf({ content: [], "\u001b[2J": 1 });
    expect(reason).toContain("\\u{1b}");
    expect(reason).not.toContain("\u001b");
  });

  it("is none for a reply that is well-formed", () => {
    expect([reasonOf([call]), reasonOf({ content: [{ type: "thinking", signature: "x" }] })]).toEqual([
      "ok",
      "ok",
    ]);
  });
});
