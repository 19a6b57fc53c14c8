import { computer, computerUse } from "capuchin";

@computerUse({ cap: "computer.screen + computer.input.pointer" })
export class Tidied {
  async run(goal: string) {
    // capuchin-ignore-next-line CU6030: needed until the pointer was declared above
    await computer.move(this, { x: 0, y: 0 });
    return computer.run(this, goal);
  }
}
