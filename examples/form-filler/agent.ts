// Fills in a form that is on the screen. The model looks, clicks and types; each step passes the gate, and after 60
// of them or three minutes the run ends by itself.
import { computer, computerUse } from "capuchin";

@computerUse({
  width: 1024,
  height: 768,
  cap: "computer.screen + computer.input",
  maxActions: 60,
  maxSeconds: 180,
})
export class FormFiller {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
