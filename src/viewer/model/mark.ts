// Where an action points on a frame: a shape in viewport pixels, mapped into the frame's pixels by floor, as the
// gate maps it to the display. No imports, so that the page's own script uses the same code.

interface XY {
  readonly x: number;
  readonly y: number;
}

export type Mark =
  /** `count` rings; `assumed` where the action names no place and the pointer was left there before. */
  | {
      readonly kind: "click";
      readonly at: XY;
      readonly count: number;
      readonly button: "left" | "middle" | "right";
      readonly assumed: boolean;
    }
  | { readonly kind: "move"; readonly at: XY }
  | { readonly kind: "drag"; readonly from: XY; readonly to: XY }
  | {
      readonly kind: "scroll";
      readonly at: XY;
      readonly direction: "up" | "down" | "left" | "right";
      readonly assumed: boolean;
    }
  | { readonly kind: "region"; readonly at: XY; readonly width: number; readonly height: number };

interface Size {
  readonly width: number;
  readonly height: number;
}

function scaled(point: XY, from: Size, to: Size): XY {
  return {
    x: Math.floor((point.x * to.width) / from.width),
    y: Math.floor((point.y * to.height) / from.height),
  };
}

/** The mark on a picture of another size. Equal sizes leave it as it is. */
export function scaleMark(mark: Mark, from: Size, to: Size): Mark {
  if (from.width === to.width && from.height === to.height) return mark;
  switch (mark.kind) {
    case "click":
    case "move":
    case "scroll":
      return { ...mark, at: scaled(mark.at, from, to) };
    case "drag":
      return { ...mark, from: scaled(mark.from, from, to), to: scaled(mark.to, from, to) };
    case "region": {
      const at = scaled(mark.at, from, to);
      const last = scaled({ x: mark.at.x + mark.width - 1, y: mark.at.y + mark.height - 1 }, from, to);
      return { kind: "region", at, width: last.x - at.x + 1, height: last.y - at.y + 1 };
    }
  }
}

/** One element of the drawing over a frame: an SVG element's name, its class and its numbers. */
export interface Shape {
  readonly element: "circle" | "line" | "rect" | "path";
  readonly className: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function shape(
  element: Shape["element"],
  className: string,
  attributes: Readonly<Record<string, number | string>>,
): Shape {
  const texts = Object.entries(attributes).map(([name, value]) => [name, String(value)] as const);
  return { element, className, attributes: Object.fromEntries(texts) };
}

/** Every line twice: a wide pale one below, so that the mark is seen on any picture. */
function haloed(element: Shape["element"], className: string, attributes: Record<string, number | string>) {
  return [shape(element, `halo ${className}`, attributes), shape(element, `ink ${className}`, attributes)];
}

/** A pixel's middle. */
const MIDDLE = 0.5;

function rings(at: XY, radii: readonly number[], className: string): Shape[] {
  return radii.flatMap((r) => haloed("circle", className, { cx: at.x + MIDDLE, cy: at.y + MIDDLE, r }));
}

/** Four strokes around a place; the place itself stays free, so that one sees what was meant. */
function ticks(at: XY, from: number, to: number): Shape[] {
  const [x, y] = [at.x + MIDDLE, at.y + MIDDLE];
  const d = [
    `M${x - to} ${y}H${x - from}`,
    `M${x + from} ${y}H${x + to}`,
    `M${x} ${y - to}V${y - from}`,
    `M${x} ${y + from}V${y + to}`,
  ].join("");
  return haloed("path", "", { d });
}

function arrow(from: XY, to: XY, unit: number): Shape[] {
  const [x0, y0, x1, y1] = [from.x + MIDDLE, from.y + MIDDLE, to.x + MIDDLE, to.y + MIDDLE];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length === 0) return [];
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const round = (value: number): number => Math.round(value * 100) / 100;
  const wing = (side: number): string =>
    `${round(x1 - unit * (ux + side * 0.6 * uy))} ${round(y1 - unit * (uy - side * 0.6 * ux))}`;
  const d = `M${x0} ${y0}L${x1} ${y1}M${wing(1)}L${x1} ${y1}L${wing(-1)}`;
  return haloed("path", "", { d });
}

const DIRECTIONS = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
} as const;

/** Radius of a ring on the screen, at least: smaller ones hide what they point at. */
const RADIUS_PX = 9;

/**
 * The drawing of a mark, already scaled to a frame of the given size. `shown` is how large a pixel of the frame is
 * drawn, where that is known.
 */
export function shapesOf(mark: Mark, frame: Size, shown = 1): Shape[] {
  const unit = Math.max(RADIUS_PX / shown, Math.max(frame.width, frame.height) / 80);
  switch (mark.kind) {
    case "click": {
      const radii = Array.from({ length: mark.count }, (_, index) => unit * (1 + 0.55 * index));
      const outer = unit * (1 + 0.55 * (mark.count - 1));
      const className = mark.assumed ? "assumed" : mark.button;
      return [...rings(mark.at, radii, className), ...ticks(mark.at, outer, outer + unit * 0.7)];
    }
    case "move":
      return ticks(mark.at, unit * 0.4, unit * 1.4);
    case "drag":
      return [
        ...rings(mark.from, [unit * 0.6], ""),
        ...arrow(mark.from, mark.to, unit),
        ...rings(mark.to, [unit], ""),
      ];
    case "scroll": {
      const { x, y } = DIRECTIONS[mark.direction];
      const far = { x: mark.at.x + x * unit * 3.4, y: mark.at.y + y * unit * 3.4 };
      const near = { x: mark.at.x + x * unit, y: mark.at.y + y * unit };
      return [...rings(mark.at, [unit], mark.assumed ? "assumed" : ""), ...arrow(near, far, unit)];
    }
    case "region":
      return haloed("rect", "", { x: mark.at.x, y: mark.at.y, width: mark.width, height: mark.height });
  }
}

/** What lies outside the allowed region, as one shape to be shaded; none where everything is allowed. */
export function outsideOf(
  bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  viewport: Size,
  frame: Size,
): Shape[] {
  const whole =
    bounds.x <= 0 && bounds.y <= 0 && bounds.width >= viewport.width && bounds.height >= viewport.height;
  if (whole) return [];
  const inner = scaleMark(
    { kind: "region", at: bounds, width: bounds.width, height: bounds.height },
    viewport,
    frame,
  );
  if (inner.kind !== "region") return [];
  const { at, width, height } = inner;
  const hole = `M${at.x} ${at.y}h${width}v${height}h${-width}z`;
  return [
    shape("path", "outside", { d: `M0 0H${frame.width}V${frame.height}H0z${hole}`, "fill-rule": "evenodd" }),
    shape("path", "edge", { d: hole }),
  ];
}
