import { computer, computerUse } from "capuchin";

@computerUse({ cap: "computer.screen" })
export class Reader {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}

// Renamed for the new team, but declared under the name that is taken.
@computerUse({ cap: "computer.screen", name: "Reader" })
export class ArchiveReader {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
