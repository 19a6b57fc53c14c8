import { computer, computerUse } from "capuchin";

// The spec beside it was built when this agent could only look.
@computerUse({ cap: "computer.screen + computer.input" })
export class Operator {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
