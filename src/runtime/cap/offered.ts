// What a cap grants of the action table. What it does not grant is not offered to a model in the first place.
import { ACTION_LIST, ACTIONS, type ActionName } from "../../contract/actions.js";
import type { ComputerCap } from "./computer-cap.js";

/** The actions all of whose words the cap holds, in the order of the table. */
export function offeredBy(cap: ComputerCap): readonly ActionName[] {
  return ACTION_LIST.filter((name) => ACTIONS[name].needs.every((word) => cap.allows(word)));
}
