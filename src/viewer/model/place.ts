// Which mark an action's recorded input stands for. Input that is not what its action takes has no mark.
import type { RecordedInput } from "../../contract/journal-records.js";
import type { Mark } from "./mark.js";
import type { ActionRow } from "./row.js";

interface XY {
  readonly x: number;
  readonly y: number;
}

export function pointIn(input: RecordedInput | undefined, key: string): XY | undefined {
  const value = input && Object.hasOwn(input, key) ? input[key] : undefined;
  if (typeof value !== "object" || !("x" in value) || "width" in value) return undefined;
  return { x: value.x, y: value.y };
}

const CLICKS = {
  left_click: { count: 1, button: "left" },
  double_click: { count: 2, button: "left" },
  triple_click: { count: 3, button: "left" },
  right_click: { count: 1, button: "right" },
  middle_click: { count: 1, button: "middle" },
  left_mouse_down: { count: 1, button: "left" },
  left_mouse_up: { count: 1, button: "left" },
} as const;

/** Actions that happen at the pointer where they name no place. */
export function actsAtPointer(name: string): boolean {
  return Object.hasOwn(CLICKS, name) || name === "scroll";
}

export function markOf({
  name,
  input,
  pointer,
}: Pick<ActionRow, "name" | "input" | "pointer">): Mark | undefined {
  if (name === undefined) return undefined;
  const named = pointIn(input, "coordinate");
  const at = named ?? pointer;
  const assumed = named === undefined;
  if (Object.hasOwn(CLICKS, name)) {
    return at && { kind: "click", at, assumed, ...CLICKS[name as keyof typeof CLICKS] };
  }
  if (name === "mouse_move") return named && { kind: "move", at: named };
  if (name === "left_click_drag") {
    const from = pointIn(input, "start_coordinate");
    return from && named && { kind: "drag", from, to: named };
  }
  if (name === "scroll") {
    const direction = input?.["scroll_direction"];
    const isKnown =
      direction === "up" || direction === "down" || direction === "left" || direction === "right";
    return at && isKnown ? { kind: "scroll", at, direction, assumed } : undefined;
  }
  const region = input?.["region"];
  if (name === "zoom" && typeof region === "object" && "width" in region) {
    return { kind: "region", at: { x: region.x, y: region.y }, width: region.width, height: region.height };
  }
  return undefined;
}
