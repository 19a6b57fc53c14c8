import { computer, computerUse } from "capuchin";

@computerUse({ cap: "computer.screen" })
export class Hurried {
  async run(goal: string) {
    // capuchin-ignore-next-line *: the release is today
    return computer.run(this, goal);
  }
}
