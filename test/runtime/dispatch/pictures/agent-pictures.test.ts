// The agent's own code, too, sees in the pixels that it speaks in.
import { decode } from "fast-png";
import { expect, test } from "vitest";
import { computer, computerUse, launch } from "../../../../src/index.js";
import { type FakeView, fakeDesktop } from "../../../../src/runtime/testing/index.js";
import { pixels } from "./files.js";

const seen: { readonly width: number; readonly height: number; readonly red: number }[] = [];

@computerUse({
  width: 200,
  height: 100,
  display: { width: 300, height: 150 },
  cap: "computer.screen + computer.input",
})
class Looker {
  async run(_goal: string) {
    for (const file of [
      await computer.screenshot(this),
      await computer.zoom(this, { x: 100, y: 0, width: 100, height: 100 }),
    ]) {
      const { width, height, data } = decode(file.trust("a test looks at it"));
      seen.push({ width, height, red: data[0] ?? -1 });
    }
    await computer.move(this, { x: 133, y: 67 });
    return computer.cursorPosition(this);
  }
}

test("a screenshot has the viewport's size, a zoom the display's own pixels, and the pointer is where it was sent", async () => {
  const screens = ({ size }: FakeView) =>
    pixels(size, (x) => (x < size.width / 2 ? [10, 0, 0] : [240, 0, 0]));
  const desktop = fakeDesktop({ screens });
  const result = await launch(Looker, { goal: "look", desktop, derive: true });
  expect(result).toMatchObject({ outcome: "completed", value: { x: 133, y: 67 } });
  expect(desktop.view.pointer).toEqual({ x: 199, y: 100 });
  expect(seen).toEqual([
    { width: 200, height: 100, red: 10 },
    { width: 150, height: 150, red: 240 },
  ]);
});
