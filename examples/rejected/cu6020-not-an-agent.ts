import { computer, computerUse } from "capuchin";

// An abstract class never runs; its concrete classes are the agents, each with its own cap.
@computerUse({ cap: "computer.screen" })
export abstract class Observer {
  abstract describe(picture: unknown): string;

  async look() {
    return this.describe(await computer.screenshot(this));
  }
}
