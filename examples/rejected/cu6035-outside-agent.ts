import { computer, computerUse } from "capuchin";

@computerUse({ cap: "computer.screen" })
export class Once {
  async look() {
    return computer.screenshot(this);
  }
}

// Runs when the module is imported, with no run behind it; `launch(Once, …)` starts one.
export const first = await computer.screenshot(new Once());
