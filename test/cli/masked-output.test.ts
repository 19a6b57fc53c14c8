import { describe, expect, it } from "vitest";
import { keyMask } from "../../src/cli/masked-output.js";

describe("an API key in a text", () => {
  const own = "hunter2-hunter2";
  const mask = keyMask({ ANTHROPIC_API_KEY: own });

  it("is taken out: that of the environment, and what looks like one", () => {
    expect(mask(`a ${own} b ${own}${own}`)).not.toContain("hunter2");
    expect(mask("x sk-ant-api03-abcdefghijklmnop y")).toBe("x [key] y");
    expect(keyMask({})("x sk-ant-api03-abcdefghijklmnop y")).toBe("x [key] y");
  });

  it("has its twin: other texts stay as they are", () => {
    for (const text of ["hunter2", "sk-ant-short", "a task-anthology", "日本 \u001b[2m"])
      expect(mask(text)).toBe(text);
    // A short key may stand in a text by chance.
    expect(keyMask({ ANTHROPIC_API_KEY: "say" })("say aloud")).toBe("say aloud");
  });
});
