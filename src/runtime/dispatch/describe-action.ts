// One line about an action, for people who watch a run. Never typed text: only how long it is.
import { escapeText, quoteText } from "../../base/escape.js";
import type { Action } from "../../contract/actions.js";
import { formatPoint, formatRect, type Point } from "../../contract/geometry.js";
import { countCodePoints } from "../../contract/text.js";

function at(point: Point | undefined): string {
  return point === undefined ? "" : ` ${formatPoint(point)}`;
}

function held(modifiers: string | undefined): string {
  return modifiers === undefined ? "" : ` holding ${quoteText(modifiers, 40)}`;
}

/** As `left_click (120, 44)` or `type 12 characters`. */
export function describeAction(action: Action): string {
  const { name } = action;
  switch (action.name) {
    case "screenshot":
    case "cursor_position":
    case "left_mouse_down":
    case "left_mouse_up":
      return name;
    case "zoom":
      return `${name} ${formatRect(action.input.region)}`;
    case "mouse_move":
      return `${name}${at(action.input.coordinate)}`;
    case "left_click":
    case "right_click":
    case "middle_click":
    case "double_click":
    case "triple_click":
      return `${name}${at(action.input.coordinate)}${held(action.input.text)}`;
    case "left_click_drag":
      return `${name}${at(action.input.start_coordinate)} →${at(action.input.coordinate)}${held(action.input.text)}`;
    case "scroll":
      return `${name} ${action.input.scroll_direction} ${action.input.scroll_amount}${at(action.input.coordinate)}${held(action.input.text)}`;
    case "type":
      return `${name} ${countCodePoints(action.input.text)} characters`;
    case "key":
      return `${name} ${escapeText(action.input.text.slice(0, 64))}${action.input.repeat === undefined ? "" : ` × ${action.input.repeat}`}`;
    case "hold_key":
      return `${name} ${escapeText(action.input.text.slice(0, 64))} for ${action.input.duration} ms`;
    case "wait":
      return `${name} ${action.input.duration} ms`;
  }
}
