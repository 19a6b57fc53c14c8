import { computer, computerUse } from "capuchin";

@computerUse({ cap: "computer.screen" })
export class Unfinished {
  async run(goal: string) {
    return computer.run(this, goal;
  }
}
