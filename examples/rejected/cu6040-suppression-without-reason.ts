import { computer, computerUse } from "capuchin";

// Nothing on the next line needs an excuse, and this comment gives none.
// capuchin-ignore-next-line CU6030
@computerUse({ cap: "computer.screen" })
export class Quiet {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
