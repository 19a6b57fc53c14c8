// From a canonical input action to its gesture: the one choreography that every driver performs.
import type { DriverAction } from "../../../contract/driver-protocol.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { holdChord, pressChord } from "./chord.js";
import type { Hand } from "./hand.js";
import { BUTTONS, click, drag, letGo, moveTo, pressAndHold, scroll } from "./pointer.js";

/** Actions that send events. */
export type InputAction = Exclude<DriverAction, { kind: "capture" | "cursor" | "wait" }>;

/** Whether the action sends events; fails for an action that is not a driver's to do. */
export function isInput(action: DriverAction): action is InputAction {
  if (action.kind === "wait") {
    throw new DriverError("E_UNSUPPORTED", "waiting is done by the runtime, not by a driver", 0);
  }
  return action.kind !== "capture" && action.kind !== "cursor";
}

export async function performInput<Key>(hand: Hand<Key>, action: InputAction): Promise<void> {
  switch (action.kind) {
    case "move":
      return moveTo(hand, action.at);
    case "click":
      return click(hand, action.at, BUTTONS[action.button], action.count, action.modifiers);
    case "drag":
      return drag(hand, action.from, action.to, action.modifiers);
    case "press":
      return pressAndHold(hand, action.at);
    case "release":
      return letGo(hand, action.at);
    case "scroll":
      return scroll(hand, action.at, action.direction, action.amount, action.modifiers);
    case "type":
      await hand.requireKeysUp();
      return hand.type(action.text);
    case "key":
      return pressChord(hand, action.modifiers, action.key, action.repeat);
    case "hold":
      return holdChord(hand, action.modifiers, action.key, action.ms);
  }
}
