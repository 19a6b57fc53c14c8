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

const SET = "computer_toolset_20260801";
const older = (date: string, more: object = {}) => ({
  type: `computer_${date}`,
  name: "computer",
  display_width_px: 4,
  display_height_px: 3,
  ...more,
});
const withTools = (model: string, ...tools: object[]) => ({ ...request(start), model, tools });

test("a good request passes", () => {
  const good = request(start, assistant(use("a"), use("b")), user(result("a"), result("b"), image));
  expect(findRequestProblem(good, "")).toBeUndefined();
});

test.each([
  ["an unanswered call", request(start, assistant(use("a"), use("b")), user(result("a"))), "b has 0 results"],
  ["a call with no message after it", request(start, assistant(use("a"))), "no tool_result"],
  ["two answers", request(start, assistant(use("a")), user(result("a"), result("a"))), "2 results"],
  ["a stray answer", request(start, assistant(use("a")), user(result("a"), result("z"))), "z answers no"],
  ["a blank text", request(start, assistant({ type: "text", text: " \n" })), "Invalid input"],
  ["a blank end", request(start, assistant({ type: "text", text: "so " })), "end in blanks"],
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
    withTools("claude-opus-4-6", older("20251124")),
    "computer_20251124 needs the beta header computer-use-2025-11-24",
  ],
  ["zoom on an older tool", withTools("m", older("20250124", { enable_zoom: true })), "enable_zoom"],
  [
    "a single tool without a size",
    withTools("m", { type: "computer_20250124", name: "computer" }),
    "display",
  ],
  ["a version that is none", withTools("m", older("20990101")), "unknown tool type"],
  ["a member that is none", withTools("m", { type: SET, configs: { fly: { enabled: false } } }), "configs"],
  ["a model that takes another version", withTools("claude-opus-5-5", older("20251124")), "does not support"],
  [
    "two computer tools",
    withTools("m", { type: SET }, { name: "computer", input_schema: {} }),
    "more than one",
  ],
  ["a temperature", { ...request(start), temperature: 1 }, "temperature"],
  ["no messages", request(), "messages"],
])("%s is refused", (_name, body, words) => {
  expect(findRequestProblem(body, "")).toContain(words);
});

test("an old tool with its header passes", () => {
  const body = withTools("claude-opus-4-6", older("20251124", { enable_zoom: true }));
  expect(findRequestProblem(body, "files-api-2025-04-14,computer-use-2025-11-24")).toBeUndefined();
});

test("the caller's own tools and a message in plain words pass", () => {
  const own = { name: "look_up", input_schema: { type: "object" } };
  const body = withTools("m", own, { ...own, name: "other", type: "custom" }, { type: SET });
  expect(findRequestProblem({ ...body, messages: [{ role: "user", content: "go" }] }, "")).toBeUndefined();
});

test("a temperature passes under the older API version", () => {
  expect(findRequestProblem({ ...request(start), temperature: 1 }, "", "2023-06-01")).toBeUndefined();
});
