// Tokens by the published formulas. Expected values are worked out from the formulas and figures of the API's
// documentation: ⌈w/28⌉ × ⌈h/28⌉ a picture, 4,500 for the toolset of which 410 are zoom's, 735 + 499 for older tools.
import { afterEach, describe, expect, test } from "vitest";
import type { ToolEntry } from "../../../src/runtime/dispatch/message.js";
import { requestTokens, textTokens, toolTokens } from "../../../src/runtime/dispatch/tokens.js";
import { bench, call, closeAll, recorded, say } from "./setup.js";

afterEach(closeAll);

const single = { name: "computer", display_width_px: 1024, display_height_px: 768 } as const;

test.each<[ToolEntry, number]>([
  [{ type: "computer_toolset_20260801" }, 4500],
  [{ type: "computer_toolset_20260801", configs: { zoom: { enabled: false } } }, 4090],
  [{ type: "computer_20251124", ...single }, 1234],
  [{ type: "computer_20251124", ...single, enable_zoom: true }, 1644],
  [{ type: "computer_20250124", ...single }, 1234],
])("the tool %j costs %i", (tool, tokens) => {
  expect(toolTokens(tool)).toBe(tokens);
});

test.each([
  ["", 0],
  ["1234567", 2],
  ["日本語", 3],
])("the text %j costs %i", (text, tokens) => {
  expect(textTokens(text)).toBe(tokens);
});

test("a request counts its words, its thinking, its calls' inputs and its pictures, and no base64", () => {
  const image = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "A".repeat(9999) },
  };
  const counted = requestTokens(
    {
      system: "x".repeat(35),
      tool: { type: "computer_toolset_20260801" },
      messages: [
        { role: "user", content: [{ type: "text", text: "x".repeat(7) }, image as never] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "x".repeat(14), signature: "S".repeat(500) },
            { type: "tool_use", id: "toolu_1", name: "key", input: { text: "Tab" } },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              content: [{ type: "text", text: "x".repeat(21) }],
            },
          ],
        },
      ],
    },
    [
      { width: 1280, height: 800 },
      { width: 1024, height: 768 },
    ],
  );
  // 35 + 7 + 14 + 14 (the input as JSON) + 21 bytes of words; 46 × 29 + 37 × 28 pictures.
  expect(counted).toEqual({ text: 10 + 2 + 4 + 4 + 6, images: 1334 + 1036, tool: 4500 });
});

describe("in a run", () => {
  test("each request's count is recorded", async () => {
    const { dispatcher, journal } = bench(recorded([[call("screenshot")]]));
    await dispatcher.run("go");
    const tokens = journal.ofKind("model_request").map(({ data }) => data.tokens);
    // 400 × 300: 15 × 11. Every member is offered.
    expect(tokens.map((one) => one?.images)).toEqual([165, 330]);
    expect(tokens.map((one) => one?.tool)).toEqual([4500, 4500]);
    expect(tokens[0]?.text).toBeGreaterThan(100);
    expect(tokens[1]?.text).toBeGreaterThan(tokens[0]?.text ?? 0);
  });

  test.each([
    ["claims no input at all", { input_tokens: 0, output_tokens: 3 }],
    ["says nothing", undefined],
  ])("a server that %s is charged our own count", async (_name, usage) => {
    const model = recorded(() => ({ content: [call("screenshot")], ...(usage ? { usage } : {}) }));
    const { dispatcher, journal } = bench(model, { maxTokens: 30_000 });
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "budget", turns: 3 });
    const counted = journal.ofKind("model_request").map(({ data }) => data.tokens);
    const sum = counted.reduce(
      (all, one) => all + (one?.text ?? 0) + (one?.images ?? 0) + (one?.tool ?? 0),
      0,
    );
    // Each reply is charged with the 8,192 tokens that it was allowed.
    expect(sum + 3 * 8192).toBeGreaterThan(30_000);
    expect(sum + 2 * 8192).toBeLessThan(2 * 30_000);
  });

  test("numbers that can be true are charged as they are", async () => {
    const usage = { input_tokens: 900, output_tokens: 100 };
    const model = recorded((_request, { turn }) =>
      turn > 9 ? [say("done")] : { content: [call("screenshot")], usage },
    );
    expect(await bench(model, { maxTokens: 5000 }).dispatcher.run("go")).toMatchObject({ turns: 5 });
  });
});
