import { afterEach, expect, test } from "vitest";
import { bench, call, recorded, resultsOf, say, textOfResult } from "./setup.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

function make(...args: Parameters<typeof bench>) {
  const made = bench(...args);
  open.push(made.dispatcher);
  return made;
}

test("a goal is asked with a screenshot, acted on, and completed in words", async () => {
  const model = recorded([
    [call("left_click", { coordinate: [30, 40] }), call("type", { text: "hi" })],
    [say("All done.")],
  ]);
  const { dispatcher, desktop } = make(model);
  const result = await dispatcher.run("Click the thing");
  expect(result).toMatchObject({ outcome: "completed", text: "All done.", turns: 2, actions: 2 });
  expect(desktop.text).toBe("hi");
  const first = model.seen[0]?.messages[0]?.content as { type: string; text?: string }[];
  expect(first.map((block) => block.type)).toEqual(["text", "image"]);
  expect(first[0]?.text).toBe("Click the thing");
  const results = resultsOf(model.seen[1]);
  expect(results.map((one) => one.toolset_name)).toEqual(["computer", "computer"]);
  expect(textOfResult(results[0])).toBe("Clicked. The screen changed.");
  expect(textOfResult(results[1])).toBe("Typed. The screen changed. [image]");
});
