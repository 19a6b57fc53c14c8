// Clicks into the page and says whether the screen showed an effect.
import { computer } from "capuchin";
import type { NoteTaker } from "../agent.js";

export async function focusPage(agent: NoteTaker, at: { x: number; y: number }): Promise<boolean> {
  const { effect } = await computer.click(agent, at);
  return effect === "confirmed";
}
