// The smallest agent: the model works a browser by looking at the screen and using the mouse and keyboard.
import { computer, computerUse } from "capuchin";

@computerUse({ width: 1280, height: 800, cap: "computer.screen + computer.input" })
export class BrowserOperator {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
