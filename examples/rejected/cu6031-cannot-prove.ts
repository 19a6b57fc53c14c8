import { computer, computerUse } from "capuchin";

// Whoever is passed here may be allowed to type, or may not.
async function fill(agent: any, text: string) {
  await computer.type(agent, text);
}

@computerUse({ cap: "computer.screen + computer.input.keyboard" })
export class Typist {
  async run(goal: string) {
    await fill(this, goal);
    return computer.run(this, goal);
  }
}
