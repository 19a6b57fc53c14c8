// The large picture: the frame before an action with its mark, the frame after, or both side by side.
import { outsideOf, type Shape, scaleMark, shapesOf } from "../model/mark.js";
import type { Island, IslandRow } from "../ui/island.js";
import { make, makeSvg } from "./dom.js";

export type Side = "before" | "after" | "both";

const SIDES: readonly (readonly [Side, string, string])[] = [
  ["before", "Before", "Frame before (←)"],
  ["after", "After", "Frame after (→)"],
  ["both", "Both", "Both frames (b)"],
];

/** What of the window around a picture is not picture: blank on both sides, and the line below. */
const BORDER = 28;
const LABEL = 24;

type Frame = Island["frames"][number];

function button(text: string, title: string, press: () => void): HTMLButtonElement {
  const made = make("button", { type: "button", title }, text);
  made.addEventListener("click", press);
  return made;
}

export class Stage {
  readonly element: HTMLElement;
  readonly #data: Island;
  readonly #heading = make("h2", { class: "stage-title" });
  readonly #canvas = make("div", { class: "canvas", tabindex: "0", role: "region", "aria-label": "Screen" });
  readonly #sides = new Map<Side, HTMLButtonElement>();
  readonly #size = button("Fit", "Fit, or one pixel for one (z)", () => this.magnify());
  #row: IslandRow | undefined;
  #side: Side = "before";
  #actual = false;

  constructor(data: Island, step: (by: number) => void) {
    this.#data = data;
    for (const [side, text, title] of SIDES)
      this.#sides.set(
        side,
        button(text, title, () => this.turn(side)),
      );
    const back = button("‹", "Previous row (k)", () => step(-1));
    const forth = button("›", "Next row (j)", () => step(1));
    const sides = make(
      "div",
      { class: "group", role: "group", "aria-label": "Frame" },
      ...this.#sides.values(),
    );
    this.element = make(
      "section",
      { class: "stage", id: "stage", "aria-label": "Screen" },
      make(
        "div",
        { class: "bar" },
        make("div", { class: "group" }, back, forth),
        this.#heading,
        sides,
        make("div", { class: "group" }, this.#size),
      ),
      this.#canvas,
    );
    this.#canvas.addEventListener("dblclick", () => this.magnify());
    window.addEventListener("resize", () => this.#draw());
  }

  show(row: IslandRow | undefined, title: string): void {
    this.#row = row;
    this.#heading.textContent = title;
    this.#draw();
  }

  turn(side: Side): void {
    this.#side = side;
    this.#draw();
  }

  /** Between fitting the window and one pixel for one. */
  magnify(): void {
    this.#actual = !this.#actual;
    this.#draw();
  }

  #draw(): void {
    const row = this.#row;
    // An action that left no frame after it is seen by the one before.
    const side = row?.a ? this.#side : "before";
    for (const [name, made] of this.#sides) {
      made.setAttribute("aria-pressed", String(name === side));
      made.disabled = name !== "before" && !row?.a;
    }
    this.#size.textContent = this.#actual ? "1 : 1" : "Fit";
    this.#canvas.classList.toggle("actual", this.#actual);
    this.#canvas.classList.toggle("both", side === "both");
    const views: HTMLElement[] = [];
    if (row && side !== "after") views.push(this.#view(row.b, row, "Before"));
    if (row && side !== "before") views.push(this.#view(row.a, row, "After"));
    this.#canvas.replaceChildren(...views);
  }

  #view(number: number, row: IslandRow, which: string): HTMLElement {
    const frame = this.#data.frames[number - 1];
    const source = document.getElementById(`f${number}`)?.querySelector("img");
    const name = number === 0 ? "no frame" : `frame ${number}`;
    const label = row.k === "note" ? name : `${which} · ${name}`;
    if (!frame || !source) {
      const why = frame && frame.why !== "" ? `Not shown: ${frame.why}.` : "No frame was taken here.";
      return make(
        "div",
        { class: "view empty" },
        make("p", {}, why),
        make("span", { class: "label" }, label),
      );
    }
    const image = make("img", { alt: source.alt, width: String(frame.w), height: String(frame.h) });
    image.src = source.src;
    return make(
      "div",
      { class: "view" },
      make("div", { class: "picture" }, image, this.#overlay(frame, row)),
      make("span", { class: "label" }, `${label} · ${frame.w} × ${frame.h}`),
    );
  }

  /** How large a pixel of a frame is on the screen. */
  #scaleOf(frame: Frame): number {
    if (this.#actual) return 1;
    const views = this.#canvas.classList.contains("both") ? 2 : 1;
    const { clientWidth, clientHeight } = this.#canvas;
    const byWidth = (clientWidth - BORDER) / views / frame.w;
    // Before it is laid out, only the width tells.
    const isLaidOut = clientHeight > BORDER + LABEL;
    const byHeight = isLaidOut ? (clientHeight - BORDER - LABEL) / frame.h : byWidth;
    return Math.max(0.05, Math.min(byWidth, byHeight));
  }

  #overlay(frame: Frame, row: IslandRow): SVGElement {
    const space = { width: frame.w, height: frame.h };
    const { viewport = space, bounds } = this.#data;
    const svg = makeSvg("svg", { class: `marks ${row.tone}`, viewBox: `0 0 ${frame.w} ${frame.h}` });
    // A closer look is another picture: places on the screen are not places on it.
    if (frame.w * viewport.height !== frame.h * viewport.width) return svg;
    const shapes: Shape[] = bounds ? outsideOf(bounds, viewport, space) : [];
    if (row.m) shapes.push(...shapesOf(scaleMark(row.m, viewport, space), space, this.#scaleOf(frame)));
    for (const { element, className, attributes } of shapes) {
      svg.append(makeSvg(element, { ...attributes, class: className }));
    }
    return svg;
  }
}
