import { computer, computerUse } from "capuchin";

@computerUse({ cap: "computer.screen + computer.input" })
export class Clerk {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}

// May not touch the keyboard itself, so it sends somebody who may.
@computerUse({ cap: "computer.screen + computer.spawn" })
export class Supervisor {
  async run(goal: string) {
    await computer.screenshot(this);
    return computer.spawn(this, Clerk, goal);
  }
}
