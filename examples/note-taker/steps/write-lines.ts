// Types lines of text, each ended by Return.
import { computer } from "capuchin";
import type { NoteTaker } from "../agent.js";

export async function writeLines(agent: NoteTaker, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    await computer.type(agent, line);
    await computer.key(agent, "Return");
  }
}
