// Coordinates, bounds and pointer state (rows B). Coordinate rows are repeated for every pointer action and both ends
// of a drag; the twin is the same action at a point inside.
import type { RunCodeName } from "../../src/diagnostics/run-codes.js";
import { raw, type Step, step, type Vector, type VectorOptions, vector } from "./vector.js";

/** Every action that takes a coordinate, as a function of its JSON text. */
const POINTER_STEPS: readonly ((coordinate: string) => Step)[] = [
  ...["left_click", "right_click", "double_click", "triple_click", "mouse_move"].map(
    (action) => (coordinate: string) => raw(action, `{"coordinate":${coordinate}}`),
  ),
  (coordinate) => raw("scroll", `{"coordinate":${coordinate},"scroll_direction":"down","scroll_amount":2}`),
  (coordinate) => raw("left_click_drag", `{"start_coordinate":${coordinate},"coordinate":[300,300]}`),
  (coordinate) => raw("left_click_drag", `{"start_coordinate":[300,300],"coordinate":${coordinate}}`),
];
const middle = (coordinate: string) => raw("middle_click", `{"coordinate":${coordinate}}`);

function everywhere(
  id: string,
  coordinates: readonly string[],
  codes: readonly RunCodeName[],
  inside = "[200,200]",
  options: VectorOptions = {},
): Vector[] {
  return coordinates.flatMap((coordinate) => [
    ...POINTER_STEPS.map((at) => vector(id, at(coordinate), codes, at(inside), options)),
    // A middle click pastes, so the coordinate is judged only where the clipboard's word is granted.
    ...(options.cap === undefined
      ? [vector(id, middle(coordinate), codes, middle(inside), { ...options, cap: "paste" })]
      : []),
  ]);
}

const BOUNDS = ["E_BOUNDS"] as const;
const SCHEMA = ["E_SCHEMA"] as const;
const GRANT = ["E_GRANT"] as const;
const click = (coordinate: string) => raw("left_click", `{"coordinate":${coordinate}}`);
const scrollOf = (amount: string) =>
  raw("scroll", `{"coordinate":[200,200],"scroll_direction":"down","scroll_amount":${amount}}`);
const outside = { x: 5, y: 5 };
const inside = { x: 200, y: 200 };

const coordinates: readonly Vector[] = [
  ...everywhere(
    "B-002",
    ["[500,399]", "[499,400]", "[99,100]", "[100,99]", "[500,400]"],
    BOUNDS,
    "[499,399]",
  ),
  ...everywhere("B-002", ["[99,399]", "[500,100]"], BOUNDS, "[100,100]"),
  ...everywhere("B-004", ["[5000,5]", "[-1,-1]", "[-2147483649,0]", "[4294967496,200]"], BOUNDS),
  ...everywhere("B-005", ["[499.5,200]", "[499.999999,200]", "[99.5,100]"], SCHEMA, "[499.0,200.0]"),
  ...everywhere("B-007", ["[1279.9999999999999999,5]", "[1280,5]", "[5,800]"], BOUNDS, "[1279,799]", {
    cap: "whole",
  }),
  ...everywhere("B-010", ["[1e400,5]", "[-1e400,5]", "[5,1e400]"], SCHEMA, "[3e2,2e2]"),
  ...everywhere("B-011", ['["NaN",5]', "[null,5]", "[{},5]", "[[],5]"], SCHEMA),
  ...everywhere(
    "B-013",
    ['["300","200"]', '[" 300","200"]', '["0x12c","200"]', '"300,200"', '["3e2","200"]'],
    SCHEMA,
  ),
  ...everywhere("B-014", ["[true,true]", "[[300],[200]]", "[300,[200]]", '[300,"200"]'], SCHEMA),
  ...everywhere("B-015", ["[]", "[300]", "[300,200,5]"], SCHEMA),
  vector(
    "B-015",
    click(JSON.stringify(Array.from({ length: 100_000 }, () => 200))),
    SCHEMA,
    click("[200,200]"),
    { label: "a coordinate of 100000 elements" },
  ),
  ...everywhere("B-016", ['{"x":300,"y":200}', '{"0":300,"1":200,"length":2}'], SCHEMA),
  ...everywhere("B-004", ["[9007199254740993,200]", "[1e300,200]"], [...BOUNDS, ...SCHEMA]),
];

const FOREIGN_FIELDS = [
  '"x":0,"y":0',
  '"display":1',
  '"display_number":0',
  '"window":"0x1"',
  '"Coordinate":[0,0]',
  '"__proto__":{"coordinate":[0,0]}',
  '"constructor":{}',
];

const shapes: readonly Vector[] = [
  ...FOREIGN_FIELDS.map((fields, index) =>
    vector(
      index === 0 ? "B-017" : "B-053",
      raw("left_click", `{"coordinate":[300,200],${fields}}`),
      SCHEMA,
      click("[300,200]"),
    ),
  ),
  // The last of two equal keys counts in JSON.parse; a strict reader refuses the text. Either way nothing clicks.
  vector(
    "B-019",
    raw("left_click", '{"coordinate":[300,200],"coordinate":[0,0]}'),
    [...BOUNDS, ...SCHEMA],
    click("[300,200]"),
  ),
  vector(
    "B-027",
    step("left_click_drag", { coordinate: [300, 300] }),
    SCHEMA,
    step("left_click_drag", { start_coordinate: [200, 200], coordinate: [300, 300] }),
  ),
  vector(
    "B-027",
    raw("left_click_drag", '{"start_coordinate":null,"coordinate":[300,300]}'),
    SCHEMA,
    step("left_click_drag", { start_coordinate: [200, 200], coordinate: [300, 300] }),
  ),
  ...["-5", "0", "1.5", '"10"', "null", "true", "[3]"].map((amount) =>
    vector("B-033", scrollOf(amount), SCHEMA, scrollOf("5")),
  ),
  vector(
    "B-033",
    step("scroll", { coordinate: [200, 200], scroll_direction: "down" }),
    SCHEMA,
    scrollOf("1"),
  ),
  ...['"Down"', '"north"', "null", "4"].map((direction) =>
    vector(
      "B-033",
      raw("scroll", `{"coordinate":[200,200],"scroll_direction":${direction},"scroll_amount":3}`),
      SCHEMA,
      scrollOf("3"),
    ),
  ),
  ...["101", "1e6", "2147483648", "-2147483648"].map((amount) =>
    vector("B-034", scrollOf(amount), ["E_LIMIT"], scrollOf("100")),
  ),
];

const zoom = (region: string) => raw("zoom", `{"region":${region}}`);
const regions: readonly Vector[] = [
  ...["[0,0,100,100]", "[400,300,600,500]", "[100,100,501,400]", "[99,100,500,400]"].map((region) =>
    vector("B-037", zoom(region), BOUNDS, zoom("[100,100,500,400]")),
  ),
  ...["[100,100,100,400]", "[500,400,100,100]", "[100,100,500]", "[100.5,100,500,400]", '"all"', "null"].map(
    (region) => vector("B-037", zoom(region), SCHEMA, zoom("[499,399,500,400]")),
  ),
  vector("B-036", zoom("[100,100,500,400]"), GRANT, zoom("[100,100,500,400]"), { cap: "B", twinCap: "A" }),
];

const atPointer: readonly Vector[] = [
  ...["left_click", "right_click", "double_click", "triple_click"].flatMap((action) => [
    vector("B-021", step(action), BOUNDS, step(action), { pointer: outside, twinPointer: inside }),
    vector("B-022", raw(action, '{"coordinate":null}'), BOUNDS, raw(action, '{"coordinate":null}'), {
      pointer: outside,
      twinPointer: inside,
    }),
  ]),
  vector(
    "B-024",
    step("mouse_move", { coordinate: [5, 5] }),
    BOUNDS,
    step("mouse_move", { coordinate: [105, 105] }),
  ),
  vector("B-024", step("left_mouse_down"), BOUNDS, step("left_mouse_down"), {
    pointer: outside,
    twinPointer: inside,
  }),
  ...[
    [
      [200, 200],
      [600, 600],
    ],
    [
      [5, 5],
      [200, 200],
    ],
  ].map(([start, end]) =>
    vector(
      "B-025",
      step("left_click_drag", { start_coordinate: start, coordinate: end }),
      BOUNDS,
      step("left_click_drag", { start_coordinate: [200, 200], coordinate: [300, 300] }),
    ),
  ),
  vector("B-029", step("left_mouse_up"), ["E_STATE"], step("left_mouse_down"), { pointer: inside }),
  vector("B-029", step("left_mouse_down"), ["E_STATE"], step("left_mouse_up"), {
    pointer: inside,
    before: [step("left_mouse_down")],
  }),
  vector("B-029", click("[200,200]"), ["E_STATE"], step("left_mouse_up"), {
    pointer: inside,
    before: [step("left_mouse_down")],
  }),
  vector(
    "B-029",
    step("left_click_drag", { start_coordinate: [200, 200], coordinate: [300, 300] }),
    ["E_STATE"],
    step("mouse_move", { coordinate: [300, 300] }),
    { pointer: inside, before: [step("left_mouse_down")] },
  ),
  vector(
    "B-032",
    raw("scroll", '{"coordinate":[5,5],"scroll_direction":"up","scroll_amount":1}'),
    BOUNDS,
    scrollOf("1"),
  ),
  vector(
    "B-032",
    step("scroll", { scroll_direction: "up", scroll_amount: 1 }),
    BOUNDS,
    step("scroll", { scroll_direction: "up", scroll_amount: 1 }),
    { pointer: outside, twinPointer: inside },
  ),
];

const grants: readonly Vector[] = [
  ...[
    step("mouse_move", { coordinate: [200, 200] }),
    scrollOf("3"),
    click("[200,200]"),
    step("left_click_drag", { start_coordinate: [200, 200], coordinate: [300, 300] }),
    step("left_mouse_down"),
  ].map((attempt) => vector("B-040", attempt, GRANT, attempt, { cap: "D", twinCap: "A", pointer: inside })),
  ...[
    step("key", { text: "a" }),
    step("hold_key", { text: "a", duration: 1 }),
    step("type", { text: "a" }),
    step("left_click", { coordinate: [200, 200], text: "ctrl" }),
    step("scroll", { coordinate: [200, 200], scroll_direction: "up", scroll_amount: 1, text: "shift" }),
    step("left_click_drag", { start_coordinate: [200, 200], coordinate: [300, 300], text: "ctrl" }),
  ].map((attempt) => vector("B-040", attempt, GRANT, attempt, { cap: "C", twinCap: "A" })),
  ...[step("screenshot"), step("cursor_position")].map((attempt) =>
    vector("B-040", attempt, GRANT, attempt, { cap: "B", twinCap: "D" }),
  ),
  ...[step("middle_click", { coordinate: [200, 200] }), raw("middle_click", '{"coordinate":null}')].map(
    (attempt) => vector("B-041", attempt, GRANT, attempt, { twinCap: "paste", pointer: inside }),
  ),
];

export const BOUNDS_VECTORS: readonly Vector[] = [
  ...coordinates,
  ...shapes,
  ...regions,
  ...atPointer,
  ...grants,
];

/** Clicks that must land exactly where they were sent. */
export const EXACT_CLICKS: readonly (readonly [id: string, json: string, at: readonly [number, number]])[] = [
  ["B-001", "[100,100]", [100, 100]],
  ["B-001", "[499,399]", [499, 399]],
  ["B-006", "[300.0,200.0]", [300, 200]],
  ["B-006", "[3e2,20e1]", [300, 200]],
];
