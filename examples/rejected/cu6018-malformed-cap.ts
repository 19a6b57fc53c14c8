import { computer, computerUse } from "capuchin";

const READ_AND_TYPE: string = "computer.screen + computer.inptu.keyboard";

// One letter is out of place, so that nobody knows what was meant.
@computerUse({ cap: "computer.screen + computer.inptu.keyboard" as string })
export class Transcriber {
  static readonly declared = READ_AND_TYPE;

  async run(goal: string) {
    return computer.run(this, goal);
  }
}
