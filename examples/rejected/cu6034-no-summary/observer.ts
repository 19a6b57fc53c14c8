import { computer, computerUse } from "capuchin";
import { annotate } from "screen-notes";

@computerUse({ cap: "computer.screen" })
export class Annotator {
  async run(goal: string) {
    await computer.screenshot(this);
    await annotate(computer, goal);
  }
}
