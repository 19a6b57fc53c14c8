import { computer, computerUse } from "capuchin";

// Asked for the clipboard "just in case"; nothing here ever needs it.
@computerUse({ cap: "computer.screen + computer.clipboard.write" })
export class Summariser {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
