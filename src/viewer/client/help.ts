// The keys, in a dialog of the browser's own: it takes and gives back the focus, and Escape closes it.
import { make } from "./dom.js";

const KEYS: readonly (readonly [string, string])[] = [
  ["j, ↓", "next row"],
  ["k, ↑", "previous row"],
  ["n, N", "next, previous refusal or failure"],
  ["←, →", "frame before, frame after"],
  ["b", "both frames"],
  ["z", "fit, or one pixel for one"],
  ["Home, End", "first row, last row"],
  ["/", "search"],
  ["r", "about the run"],
  ["?", "these keys"],
  ["Escape", "close; clear the filter"],
];

export function createHelp(): HTMLDialogElement {
  const rows = KEYS.flatMap(([key, text]) => [
    make("dt", {}, ...key.split(", ").flatMap((one, index) => [index > 0 ? " " : "", make("kbd", {}, one)])),
    make("dd", {}, text),
  ]);
  const close = make("button", { type: "button" }, "Close");
  const dialog = make(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    make("h2", {}, "Keys"),
    make("dl", {}, ...rows),
    close,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
