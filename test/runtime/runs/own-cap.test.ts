// A cap of the host's own beside the spec: built without a word about the viewport, it fits the agent's.
import { expect, test } from "vitest";
import { ComputerCap, computer, computerUse, launch } from "../../../src/index.js";

const POINTS: Readonly<Record<string, { x: number; y: number }>> = {
  near: { x: 5, y: 5 },
  middle: { x: 150, y: 50 },
  far: { x: 1279, y: 799 },
};

@computerUse({ width: 1280, height: 800, cap: "computer.screen + computer.input" })
class Clicker {
  async run(goal: string) {
    await computer.click(this, POINTS[goal] ?? { x: 0, y: 0 });
  }
}

const both = () => ComputerCap.builder().allowScreen().allowInput();

async function outcomes(cap: ComputerCap): Promise<string[]> {
  const told: string[] = [];
  for (const goal of Object.keys(POINTS)) {
    const result = await launch(Clicker, { goal, derive: true, cap });
    told.push(result.outcome === "completed" ? "clicked" : result.error.code);
  }
  return told;
}

test.each([
  ["no bounds", both().build(), ["clicked", "clicked", "clicked"]],
  ["bounds inside", both().withBounds(0, 0, 100, 100).build(), ["clicked", "E_BOUNDS", "E_BOUNDS"]],
  ["bounds beyond", both().withBounds(100, 0, 5000, 5000).build(), ["E_BOUNDS", "clicked", "clicked"]],
  ["no input", ComputerCap.builder().allowScreen().build(), ["E_GRANT", "E_GRANT", "E_GRANT"]],
  ["the spec's own viewport", both().withViewport(1280, 800).build(), ["clicked", "clicked", "clicked"]],
  [
    "bounds narrowed later",
    both()
      .build()
      .attenuate({ bounds: { x: 0, y: 0, width: 10, height: 10 } }),
    ["clicked", "E_BOUNDS", "E_BOUNDS"],
  ],
  [
    "another viewport, named",
    both().withViewport(1024, 768).build(),
    ["E_CAP_WIDEN", "E_CAP_WIDEN", "E_CAP_WIDEN"],
  ],
])("%s", async (_name, cap, expected) => {
  expect(await outcomes(cap)).toEqual(expected);
});

test("direct checks reach as far as the bounds do", () => {
  const cap = both().withBounds(0, 0, 1920, 1080).build();
  expect(() => cap.checkClick(1919, 1079)).not.toThrow();
  expect(() => cap.checkClick(1920, 1079)).toThrow(expect.objectContaining({ code: "E_BOUNDS" }));
  expect(() => both().withBounds(0, 0, 20_000, 10).build()).toThrow(
    expect.objectContaining({ code: "E_SPEC" }),
  );
});
