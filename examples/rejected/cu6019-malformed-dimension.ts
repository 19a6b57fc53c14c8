import { computer, computerUse } from "capuchin";

const WALL = { columns: 6, width: 3840 };

// Six 4K monitors side by side: more pixels than a viewport may have.
@computerUse({ width: WALL.columns * WALL.width, height: 2160, cap: "computer.screen" })
export class ControlRoom {
  async watch() {
    return computer.screenshot(this);
  }
}
