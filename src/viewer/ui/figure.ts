// A frame in the list: the picture with its marks over it, or a box that says why there is no picture. The drawing
// has the picture's own pixels as its units, so that a mark is where the action was at any size.
import type { EnforcedLimits } from "../../contract/journal-records.js";
import { outsideOf, type Shape, scaleMark, shapesOf } from "../model/mark.js";
import type { Png } from "../model/png.js";
import { shortDigest } from "../model/words.js";
import type { PlannedFrame } from "./frames.js";
import { all, close, type Html, h, open } from "./html.js";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture that was judged and may be shown, or why there is none. */
export type Loaded =
  | { readonly ok: true; readonly png: Png; readonly base64: string }
  | { readonly ok: false; readonly reason: string };

function drawn(shape: Shape): Html {
  return h(shape.element, { class: shape.className, ...shape.attributes });
}

function caption(frame: PlannedFrame, note: string): Html {
  const marks = frame.marks.map(({ action }) => action);
  const marked =
    marks.length === 0 ? "" : ` · marked: action${marks.length === 1 ? "" : "s"} ${marks.join(", ")}`;
  return h(
    "figcaption",
    {},
    `Frame ${frame.number} · ${note} · `,
    h("code", {}, shortDigest(frame.name.digest)),
    marked,
  );
}

/** The figure of a frame, in pieces, since a picture may be large. */
export function* figureOf(
  frame: PlannedFrame,
  loaded: Loaded,
  viewport: Size | undefined,
  limits: EnforcedLimits | undefined,
): Generator<string> {
  const id = `f${frame.number}`;
  if (!loaded.ok) {
    yield h(
      "figure",
      { class: "frame missing", id },
      h("p", {}, `Frame ${frame.number} is not shown: ${loaded.reason}.`),
      caption(frame, "no picture"),
    ).text;
    return;
  }
  const { width, height } = loaded.png;
  const space = viewport ?? loaded.png;
  yield open("figure", { class: "frame", id }).text;
  yield open("div", { class: "picture" }).text;
  const alt = `Screen, frame ${frame.number}`;
  // The longest attribute by far, and safe: base64 of ours.
  yield h("img", {
    src: `data:image/png;base64,${loaded.base64}`,
    width,
    height,
    alt,
    decoding: "async",
    loading: "lazy",
  }).text;
  const outside = limits ? outsideOf(limits.bounds, limits.viewport, loaded.png) : [];
  const shapes = frame.marks.flatMap(({ mark }) => shapesOf(scaleMark(mark, space, loaded.png), loaded.png));
  if (shapes.length + outside.length > 0) {
    yield h(
      "svg",
      { class: "marks", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      all(...outside.map(drawn), ...shapes.map(drawn)),
    ).text;
  }
  yield close("div").text;
  yield caption(frame, `${width} × ${height}`).text;
  yield close("figure").text;
}
