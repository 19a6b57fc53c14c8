// Watches and reports, and cannot touch anything: without an input word the model is not even offered a click. Its
// answer is a text from outside, so it becomes a plain value only as one of the words this agent expects.
import { computer, computerUse } from "capuchin";

const STATES = ["idle", "busy", "failed"] as const;

@computerUse({ cap: "computer.screen", maxTurns: 5 })
export class ScreenObserver {
  async run(goal: string): Promise<(typeof STATES)[number]> {
    const answer = await computer.run(this, goal, {
      system: `Answer with one word of these and nothing else: ${STATES.join(", ")}.`,
    });
    return answer.oneOf(STATES);
  }
}
