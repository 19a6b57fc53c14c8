import { computer, computerUse } from "capuchin";

// The right half of the screen was meant, but the rectangle ends 640 pixels outside it.
@computerUse({
  width: 1280,
  height: 800,
  cap: "computer.screen",
  bounds: { x: 640, y: 0, width: 1280, height: 800 },
})
export class RightHalf {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
