import { computer, computerUse } from "capuchin";

@computerUse({ cap: "computer.screen" })
export class Scripted {
  async run(goal: string) {
    return computer.run(this, goal);
  }

  // The file is chosen while the program runs; what it does is not known when it is built.
  async play(step: string) {
    const { play } = await import(`./steps/${step}.js`);
    return play(step);
  }
}
