// Saves under a name by the usual chord.
import { computer } from "capuchin";
import type { NoteTaker } from "../agent.js";
import { writeLines } from "./write-lines.js";

export async function saveAs(agent: NoteTaker, name: string): Promise<void> {
  await computer.key(agent, "ctrl+s");
  await computer.wait(agent, 300);
  await writeLines(agent, [name]);
}
