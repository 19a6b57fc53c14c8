// The page's pictograms by name; ../client/icons.css draws them.
import { type Html, h } from "./html.js";

export type IconName =
  | "click"
  | "move"
  | "drag"
  | "scroll"
  | "press"
  | "type"
  | "key"
  | "look"
  | "zoom"
  | "wait"
  | "none"
  | "turn"
  | "note";

const OF_ACTION: Readonly<Record<string, IconName>> = {
  screenshot: "look",
  cursor_position: "look",
  zoom: "zoom",
  mouse_move: "move",
  left_click: "click",
  right_click: "click",
  middle_click: "click",
  double_click: "click",
  triple_click: "click",
  left_click_drag: "drag",
  left_mouse_down: "press",
  left_mouse_up: "press",
  scroll: "scroll",
  type: "type",
  key: "key",
  hold_key: "key",
  wait: "wait",
};

export function iconOf(action: string | undefined): IconName {
  return action !== undefined && Object.hasOwn(OF_ACTION, action) ? (OF_ACTION[action] ?? "none") : "none";
}

export function icon(name: IconName): Html {
  return h("i", { class: `icon i-${name}` });
}

/** The mark of the house: a capuchin's face under its cap, with a pointer. */
export function logo(): Html {
  return h(
    "svg",
    { class: "logo", viewBox: "0 0 32 32", "aria-hidden": "true" },
    h("path", { class: "ears", d: "M5.5 13.5a3.5 3.5 0 1 0 .01 7M26.5 13.5a3.5 3.5 0 1 1-.01 7" }),
    h("path", { class: "cap", d: "M6 17C6 8 10 4 16 4s10 4 10 13c0 7-4.5 11-10 11S6 24 6 17z" }),
    h("path", {
      class: "face",
      d: "M9 18c0-4 2-6.5 4.5-6.5 1.2 0 1.8 1 2.5 1s1.3-1 2.5-1C21 11.5 23 14 23 18c0 5-3 8-7 8s-7-3-7-8z",
    }),
    h("path", { class: "eyes", d: "M12.8 16.5v1.2M19.2 16.5v1.2M13.5 21.5c1.5 1.5 3.5 1.5 5 0" }),
  );
}
