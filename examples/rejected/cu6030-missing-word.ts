import { computer, computerUse } from "capuchin";

class Dialogs {
  // "It is only a helper": it clicks for whoever calls it.
  async dismiss(agent: StatusWatcher) {
    await computer.click(agent, { x: 640, y: 480 });
  }
}

async function clearTheWay(agent: StatusWatcher) {
  await new Dialogs().dismiss(agent);
}

// Declared to look and nothing else.
@computerUse({ width: 1280, height: 800, cap: "computer.screen" })
export class StatusWatcher {
  async run(goal: string) {
    await clearTheWay(this);
    return computer.run(this, goal);
  }
}
