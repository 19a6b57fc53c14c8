// The scripted server's rules, against a good request and one mutation of it for each rule.
import { expect, test } from "vitest";
import { findRequestProblem } from "../../../src/runtime/testing/request-rules.js";

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const use = (id: string) => ({
  type: "tool_use",
  id,
  name: "screenshot",
  toolset_name: "computer",
  input: {},
});
const result = (id: string, more: object = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  toolset_name: "computer",
  content: [{ type: "text", text: "ok" }],
  ...more,
});
const user = (...content: object[]) => ({ role: "user", content });
const assistant = (...content: object[]) => ({ role: "assistant", content });
const start = user({ type: "text", text: "go" }, image);
const request = (...messages: object[]) => ({
  model: "m",
  max_tokens: 1,
  messages,
  tools: [{ type: "computer_toolset_20260801" }],
});

test("a good request passes", () => {
  const good = request(start, assistant(use("a"), use("b")), user(result("a"), result("b"), image));
  expect(findRequestProblem(good, "")).toBeUndefined();
});

test.each([
  ["an unanswered call", request(start, assistant(use("a"), use("b")), user(result("a"))), "b has 0 results"],
  ["a call with no message after it", request(start, assistant(use("a"))), "no tool_result"],
  ["two answers", request(start, assistant(use("a")), user(result("a"), result("a"))), "2 results"],
  ["a stray answer", request(start, assistant(use("a")), user(result("a"), result("z"))), "z answers no"],
  ["an answer first", request(user(result("a"))), "answers no"],
  [
    "no toolset name",
    request(start, assistant(use("a")), user(result("a", { toolset_name: undefined }))),
    "toolset_name",
  ],
  [
    "an error with a picture",
    request(start, assistant(use("a")), user(result("a", { is_error: true, content: [image] }))),
    "holds an image",
  ],
  ["an empty answer", request(start, assistant(use("a")), user(result("a", { content: [] }))), "messages.2"],
  [
    "a picture before the answers",
    request(start, assistant(use("a")), user(image, result("a"))),
    "come first",
  ],
  ["an empty text of the assistant", request(start, assistant({ type: "text", text: "" })), "messages.1"],
  ["an empty assistant message", request(start, assistant()), "messages.1"],
  ["an assistant first", request(assistant({ type: "text", text: "x" })), "first message"],
  [
    "input that is a text",
    request(start, assistant({ ...use("a"), input: "x" }), user(result("a"))),
    "messages.1",
  ],
  ["21 pictures", request(user({ type: "text", text: "go" }, ...Array(21).fill(image))), "images"],
  [
    "a name on the toolset",
    { ...request(start), tools: [{ type: "computer_toolset_20260801", name: "computer" }] },
    "name",
  ],
  [
    "an old tool without its header",
    { ...request(start), tools: [{ type: "computer_20251124" }] },
    "beta header",
  ],
  ["a temperature", { ...request(start), temperature: 1 }, "temperature"],
  ["no messages", request(), "messages"],
])("%s is refused", (_name, body, words) => {
  expect(findRequestProblem(body, "")).toContain(words);
});

test("an old tool with its header passes", () => {
  const body = { ...request(start), tools: [{ type: "computer_20251124" }] };
  expect(findRequestProblem(body, "computer-use-2025-11-24")).toBeUndefined();
});

test("a temperature passes under the older API version", () => {
  expect(findRequestProblem({ ...request(start), temperature: 1 }, "", "2023-06-01")).toBeUndefined();
});
