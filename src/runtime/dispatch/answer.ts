// What the model is told of each call. Fixed phrases: no limit of the cap, no path and no text of a driver leaves
// this way. Only a picture or the pointer's place is added, and of a wrong name the name itself, escaped and cut.
import { quoteText } from "../../base/escape.js";
import { type ActionName, isInputAction } from "../../contract/actions.js";
import type { Point } from "../../contract/geometry.js";
import { RUN_CODES } from "../../diagnostics/run-codes.js";
import type { ActionOutcome } from "../control/action-port.js";
import { type NewResult, storedImage } from "./history.js";
import type { TextBlock } from "./message.js";
import type { Picture } from "./pictures/picture.js";
import type { ToolCall } from "./reply.js";

/** The API's exact words for a call after the first failure of its turn. */
export const HALT_TEXT = "Not executed: an earlier computer action in this turn failed.";
export const STOPPED_TEXT = "Not executed: the run was stopped.";
export const NUDGE_TEXT =
  "You announced a tool call, but the reply holds none. Make the call, or say in words that you are done.";
/** After a pause the rest of a reply was made for a screen that may be gone. */
export const STALE_TEXT = `Not executed: ${RUN_CODES.E_STALE.toModel}`;

const DONE: Readonly<Record<ActionName, string>> = {
  screenshot: "Took a screenshot.",
  cursor_position: "Read the pointer's position.",
  zoom: "Zoomed.",
  mouse_move: "Moved the pointer.",
  left_click: "Clicked.",
  right_click: "Right-clicked.",
  middle_click: "Middle-clicked.",
  double_click: "Double-clicked.",
  triple_click: "Triple-clicked.",
  left_click_drag: "Dragged.",
  left_mouse_down: "Pressed the left button.",
  left_mouse_up: "Released the left button.",
  scroll: "Scrolled.",
  type: "Typed.",
  key: "Pressed the key.",
  hold_key: "Held the key.",
  wait: "Waited.",
};

function effectText(outcome: Extract<ActionOutcome, { status: "done" }>): string {
  if (outcome.effect === "partial") return " Only a part of it may have taken effect.";
  if (outcome.changed === true) return " The screen changed.";
  if (outcome.changed === false) return " No change seen on the screen.";
  return outcome.effect === "confirmed" ? "" : " Its effect could not be checked.";
}

function text(value: string): TextBlock {
  return { type: "text", text: value };
}

/** The toolset name that a result must repeat, whatever it is: without it the result would answer no call. */
function toolsetOf(call: ToolCall): string | undefined {
  return typeof call.toolset === "string" ? call.toolset : undefined;
}

/** A result that is an error: text only, never empty. */
export function errorResult(call: ToolCall, phrase: string): NewResult {
  return { callId: call.id, toolset: toolsetOf(call), content: [text(phrase)], isError: true };
}

function refusalText(call: ToolCall, outcome: Extract<ActionOutcome, { status: "refused" }>): string {
  if (outcome.code !== "E_UNKNOWN_TOOL" && outcome.code !== "E_UNKNOWN_ACTION") return outcome.toModel;
  return `${outcome.toModel} Got ${quoteText(askedFor(call), 40)}.`;
}

/** What the model asked for by name: the older tools have one name, and the action in their input. */
function askedFor({ name, input }: ToolCall): string {
  const isOlder = name === "computer" && typeof input === "object" && input !== null && "action" in input;
  const action = isOlder ? input.action : undefined;
  return typeof action === "string" ? action : name;
}

/** A result in words that is no error. */
export function textResult(call: ToolCall, phrase: string): NewResult {
  return { callId: call.id, toolset: toolsetOf(call), content: [text(phrase)], isError: false };
}

/** What an outcome brought back, as the model is to see it: the picture of its frame, a place in picture pixels. */
export interface Shown {
  readonly picture?: Picture;
  readonly pointer?: Point;
}

/** The result for a call that was tried. */
export function resultOf(call: ToolCall, outcome: ActionOutcome, { picture, pointer }: Shown): NewResult {
  if (outcome.status === "refused") return errorResult(call, refusalText(call, outcome));
  if (outcome.status === "failed") return errorResult(call, outcome.toModel);
  const toolset = toolsetOf(call);
  if (picture) return { callId: call.id, toolset, content: [storedImage(picture)], isError: false };
  const phrase =
    outcome.name === "cursor_position" && pointer
      ? `X=${pointer.x},Y=${pointer.y}`
      : `${DONE[outcome.name]}${isInputAction(outcome.name) ? effectText(outcome) : ""}`;
  return textResult(call, phrase);
}
