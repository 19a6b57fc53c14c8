// Prepares a command in a terminal and leaves the last word to a person: Return is denied in every form, a line break
// in typed text included, and the pointer stays in the part of the screen where the terminal is. Refusals are told to
// the model, which may go on within them.
import { computer, computerUse } from "capuchin";

@computerUse({
  width: 1024,
  height: 768,
  cap: "computer.screen + computer.input",
  bounds: { x: 0, y: 0, width: 800, height: 600 },
  denyKeys: ["Return", "ctrl+j", "ctrl+m"],
  onViolation: "refuse",
  maxActions: 40,
})
export class TerminalHelper {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
