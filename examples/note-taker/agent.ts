// Writes a note without a model: its own code drives the keyboard and pointer through helper modules. The build
// follows every call from `run` into them, so this class must declare what the helpers use, and no more.
import { computer, computerUse } from "capuchin";
import { focusPage, saveAs, writeLines } from "./steps/index.js";

@computerUse({
  width: 800,
  height: 600,
  cap: "computer.screen + computer.input.pointer + computer.input.keyboard",
  maxActions: 200,
})
export class NoteTaker {
  async run(goal: string): Promise<{ lines: number; focused: boolean }> {
    const lines = goal.split("\n");
    const focused = await focusPage(this, { x: 400, y: 300 });
    await writeLines(this, lines);
    await saveAs(this, "note.txt");
    // A last picture for the trace.
    await computer.screenshot(this);
    return { lines: lines.length, focused };
  }
}
