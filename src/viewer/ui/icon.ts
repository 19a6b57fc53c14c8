// The page's pictograms: sixteen units square, strokes only, drawn once and used by reference.
import { all, type Html, h } from "./html.js";

const PATHS = {
  click: "M6 6l7 3-3 1-1 3zM3 3l1 1M6 1.5v1.5M1.5 6H3",
  move: "M8 2v12M2 8h12M6 4l2-2 2 2M6 12l2 2 2-2M4 6L2 8l2 2M12 6l2 2-2 2",
  drag: "M3 3h3v3H3zM10 10h3v3h-3zM6.5 6.5l3 3",
  scroll: "M8 2v12M5.5 4.5L8 2l2.5 2.5M5.5 11.5L8 14l2.5-2.5",
  press: "M8 2v7M5 6.5L8 9.5l3-3M3 13h10",
  type: "M3 4h10M8 4v9M6 13h4",
  key: "M2 4.5h12v8H2zM5 7.5h.01M8 7.5h.01M11 7.5h.01M5 10h6",
  look: "M2 5h3l1-1.5h4L11 5h3v8H2zM8 6.5a2.25 2.25 0 1 0 .01 0",
  zoom: "M7 3a4 4 0 1 0 .01 0M10 10l4 4",
  wait: "M8 2.5a5.5 5.5 0 1 0 .01 0M8 5v3l2 1.5",
  none: "M8 2.5a5.5 5.5 0 1 0 .01 0M6 6.5a2 2 0 1 1 2.5 2v1M8 11.5h.01",
  turn: "M2.5 4h11v7h-6l-3 2.5V11h-2z",
  note: "M8 2.5a5.5 5.5 0 1 0 .01 0M8 7.5v3.5M8 5h.01",
} as const;

export type IconName = keyof typeof PATHS;

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
  return h("svg", { class: "icon", "aria-hidden": "true" }, h("use", { href: `#i-${name}` }));
}

/** The drawings themselves; once a page. */
export function iconSheet(): Html {
  const symbols = Object.entries(PATHS).map(([name, d]) =>
    h("symbol", { id: `i-${name}`, viewBox: "0 0 16 16" }, h("path", { d })),
  );
  return h("svg", { class: "sheet", "aria-hidden": "true", width: 0, height: 0 }, all(...symbols));
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
