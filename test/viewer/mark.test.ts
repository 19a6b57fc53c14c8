import fc from "fast-check";
import { expect, it } from "vitest";
import { scalePoint, scaleRect } from "../../src/contract/geometry.js";
import { outsideOf, scaleMark } from "../../src/viewer/model/mark.js";
import { markOf } from "../../src/viewer/model/place.js";

const side = fc.integer({ min: 1, max: 4096 });
const size = fc.record({ width: side, height: side });

it("a mark is mapped as the gate maps the action itself", () => {
  fc.assert(
    fc.property(size, size, fc.nat(4095), fc.nat(4095), (from, to, x, y) => {
      const at = { x: x % from.width, y: y % from.height };
      expect(scaleMark({ kind: "move", at }, from, to)).toEqual({
        kind: "move",
        at: scalePoint(at, from, to),
      });
      const rect = { ...at, width: from.width - at.x, height: from.height - at.y };
      const mark = scaleMark({ kind: "region", at, width: rect.width, height: rect.height }, from, to);
      const { x: left, y: top, width, height } = scaleRect(rect, from, to);
      expect(mark).toEqual({ kind: "region", at: { x: left, y: top }, width, height });
    }),
  );
});

it("each kind of action has its mark, and an input that is not the action's has none", () => {
  const at = { x: 3, y: 4 };
  expect(markOf({ name: "double_click", input: { coordinate: at } })).toMatchObject({
    kind: "click",
    count: 2,
    at,
  });
  expect(markOf({ name: "right_click", input: { coordinate: at } })).toMatchObject({ button: "right" });
  expect(markOf({ name: "left_click", input: {}, pointer: at })).toMatchObject({ at, assumed: true });
  expect(markOf({ name: "left_click", input: {} })).toBeUndefined();
  expect(
    markOf({ name: "left_click_drag", input: { start_coordinate: at, coordinate: { x: 9, y: 9 } } }),
  ).toEqual({
    kind: "drag",
    from: at,
    to: { x: 9, y: 9 },
  });
  expect(markOf({ name: "scroll", input: { coordinate: at, scroll_direction: "up" } })).toMatchObject({
    kind: "scroll",
    direction: "up",
  });
  expect(markOf({ name: "scroll", input: { coordinate: at, scroll_direction: "sideways" } })).toBeUndefined();
  expect(markOf({ name: "zoom", input: { region: { x: 1, y: 2, width: 3, height: 4 } } })).toEqual({
    kind: "region",
    at: { x: 1, y: 2 },
    width: 3,
    height: 4,
  });
  expect(markOf({ name: "type", input: { text: "x" } })).toBeUndefined();
});

it("what lies outside the bounds is shaded only where something does", () => {
  const viewport = { width: 100, height: 100 };
  expect(outsideOf({ x: 0, y: 0, ...viewport }, viewport, viewport)).toEqual([]);
  expect(
    outsideOf({ x: 0, y: 0, width: 50, height: 100 }, viewport, viewport).map((s) => s.className),
  ).toEqual(["outside", "edge"]);
});
