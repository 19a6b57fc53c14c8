import { computer, computerUse } from "capuchin";

// Says how big its screen is, but not what it may do there.
@computerUse({ width: 1280, height: 800 })
export class InvoiceReader {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
