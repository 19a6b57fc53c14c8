import { computer, computerUse } from "capuchin";

const LIMITS = { maxTurn: 10 };

// `maxTurn` is not `maxTurns`: the limit that was meant would never have held.
@computerUse({ ...LIMITS, cap: "computer.screen" })
export class Patient {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
