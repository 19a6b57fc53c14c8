import { computer, computerUse } from "capuchin";

function chosenWidth() {
  return Number(process.env["AGENT_WIDTH"] ?? 1280);
}

const layout = { width: chosenWidth(), height: 800 };

// The width is read from the environment when the program runs, two steps away from here.
@computerUse({ width: layout.width, height: layout.height, cap: "computer.screen" })
export class Kiosk {
  async look() {
    return computer.screenshot(this);
  }
}
