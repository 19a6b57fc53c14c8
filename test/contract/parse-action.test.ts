// The one parser of actions: the shapes of all 17 members, in both wire styles.
import { describe, expect, it } from "vitest";
import { ACTION_LIST, type ActionName, isInputAction } from "../../src/contract/actions.js";
import { parseAction, parseToolCall } from "../../src/contract/parse-action.js";

/** The members of computer_toolset_20260801 as its documentation lists them. */
const MEMBERS = [
  "key",
  "hold_key",
  "type",
  "cursor_position",
  "mouse_move",
  "left_mouse_down",
  "left_mouse_up",
  "left_click",
  "left_click_drag",
  "right_click",
  "middle_click",
  "double_click",
  "triple_click",
  "scroll",
  "wait",
  "screenshot",
  "zoom",
];

const at = { x: 10, y: 20 };
const coordinate = [10, 20];

/** Good inputs of each member, and what they are read as. */
const GOOD: Readonly<Record<ActionName, readonly (readonly [input: unknown, read: unknown])[]>> = {
  screenshot: [[{}, {}]],
  cursor_position: [[{}, {}]],
  zoom: [[{ region: [10, 20, 30, 60] }, { region: { x: 10, y: 20, width: 20, height: 40 } }]],
  mouse_move: [[{ coordinate }, { coordinate: at }]],
  left_click: [
    [{}, {}],
    [{ coordinate: null, text: null }, {}],
    [{ coordinate }, { coordinate: at }],
    [
      { coordinate, text: "ctrl" },
      { coordinate: at, text: "ctrl" },
    ],
    [{ coordinate: [-0, 5] }, { coordinate: { x: 0, y: 5 } }],
  ],
  right_click: [[{ coordinate }, { coordinate: at }]],
  middle_click: [[{ coordinate }, { coordinate: at }]],
  double_click: [[{ coordinate }, { coordinate: at }]],
  triple_click: [[{ coordinate }, { coordinate: at }]],
  left_click_drag: [
    [
      { start_coordinate: [1, 2], coordinate },
      { start_coordinate: { x: 1, y: 2 }, coordinate: at },
    ],
    [
      { start_coordinate: [1, 2], coordinate, text: "shift" },
      { start_coordinate: { x: 1, y: 2 }, coordinate: at, text: "shift" },
    ],
  ],
  left_mouse_down: [[{}, {}]],
  left_mouse_up: [[{}, {}]],
  scroll: [
    [
      { coordinate, scroll_direction: "up", scroll_amount: 1 },
      { coordinate: at, scroll_direction: "up", scroll_amount: 1 },
    ],
    [
      { scroll_direction: "left", scroll_amount: 100 },
      { scroll_direction: "left", scroll_amount: 100 },
    ],
  ],
  type: [
    [{ text: "" }, { text: "" }],
    [{ text: "a\u{1f600}" }, { text: "a\u{1f600}" }],
  ],
  key: [
    [{ text: "ctrl+s" }, { text: "ctrl+s" }],
    [
      { text: "a", repeat: 100 },
      { text: "a", repeat: 100 },
    ],
    [{ text: "a", repeat: null }, { text: "a" }],
  ],
  hold_key: [
    [
      { text: "a", duration: 0.01 },
      { text: "a", duration: 10 },
    ],
    [
      { text: "a", duration: 10 },
      { text: "a", duration: 10_000 },
    ],
    [
      { text: "a", duration: 1.1 },
      { text: "a", duration: 1100 },
    ],
  ],
  wait: [
    [{ duration: 0 }, { duration: 0 }],
    [{ duration: 2.345 }, { duration: 2345 }],
    [{ duration: 10 }, { duration: 10_000 }],
  ],
};

function stripped(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe("members", () => {
  it("are the toolset's, all of them and no other", () => {
    expect([...ACTION_LIST].sort()).toEqual([...MEMBERS].sort());
  });

  const rows = ACTION_LIST.flatMap((name) => GOOD[name].map(([input, read]) => [name, input, read] as const));
  it.each(rows)("%s takes %j", (name, input, read) => {
    const parsed = parseAction(name, input);
    expect(parsed.ok ? "" : parsed.reason).toBe("");
    if (parsed.ok) expect(stripped(parsed.action)).toEqual({ name, input: read });
    const single = parseToolCall({ name: "computer", input: { action: name, ...(input as object) } }, [
      "single",
    ]);
    const member = parseToolCall({ name, toolset_name: "computer", input }, ["toolset"]);
    expect(stripped(single)).toEqual(stripped(parsed));
    expect(stripped(member)).toEqual(stripped(parsed));
  });

  it.each(ACTION_LIST)("%s refuses an unknown field, and reads no inherited one", (name) => {
    const [input] = GOOD[name].at(-1) ?? [{}];
    for (const extra of ["action", "x", "display", "duration_ms", "Coordinate", "constructor"]) {
      expect(parseAction(name, { ...(input as object), [extra]: 1 })).toMatchObject({
        ok: false,
        code: "E_SCHEMA",
      });
    }
    const own = Object.defineProperty({ ...(input as object) }, "__proto__", { value: {}, enumerable: true });
    expect(parseAction(name, own)).toMatchObject({ ok: false, code: "E_SCHEMA" });
    const heir = Object.assign(Object.create({ x: 1, coordinate: "wrong" }) as object, input);
    expect(parseAction(name, heir).ok).toBe(true);
  });

  it.each(["zoom", "mouse_move", "left_click_drag", "scroll", "type", "key", "hold_key", "wait"] as const)(
    "%s refuses an empty input, and inherits none",
    (name) => {
      expect(parseAction(name, {})).toMatchObject({ ok: false, code: "E_SCHEMA" });
      const [input] = GOOD[name][0] ?? [{}];
      expect(parseAction(name, Object.create(input as object))).toMatchObject({
        ok: false,
        code: "E_SCHEMA",
      });
    },
  );

  it("are input actions unless they look or wait", () => {
    expect(ACTION_LIST.filter((name) => !isInputAction(name))).toEqual([
      "screenshot",
      "cursor_position",
      "zoom",
      "wait",
    ]);
  });
});

describe("double fetch", () => {
  it("B-050 takes an accessor's first answer only", () => {
    let reads = 0;
    const input = {
      get coordinate() {
        return reads++ === 0 ? [200, 200] : [0, 0];
      },
    };
    expect(parseAction("left_click", input)).toMatchObject({
      ok: true,
      action: { input: { coordinate: { x: 200, y: 200 } } },
    });
    expect(reads).toBe(1);
  });

  it("B-050 reads a call's parts once each, and its action with its fields", () => {
    const reads: string[] = [];
    const watched = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(from, key, receiver) {
          reads.push(String(key));
          return Reflect.get(from, key, receiver) as unknown;
        },
      });
    const parsed = parseToolCall(
      watched({ name: "computer", input: watched({ action: "key", text: "a" }) }),
      ["single"],
    );
    expect(parsed.ok).toBe(true);
    expect(reads.sort()).toEqual(["action", "input", "name", "text", "toolset_name"]);
  });

  it("refuses what throws while it is read", () => {
    const thrower = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    expect(parseAction("screenshot", thrower)).toMatchObject({ ok: false, code: "E_SCHEMA" });
    const getter = {
      get name(): string {
        throw new Error("no");
      },
    };
    expect(parseToolCall(getter, ["single"])).toMatchObject({ ok: false });
  });
});

describe("reasons", () => {
  it("name the action, the field and the value's escape", () => {
    const bad = parseAction("left_click", { coordinate: [1.5, 2] });
    expect(bad).toMatchObject({ ok: false, reason: expect.stringMatching(/^left_click: coordinate\.0: /) });
    const field = parseAction("screenshot", { "a\u202eb": 1 });
    expect(field).toMatchObject({ ok: false, reason: expect.stringContaining('"a\\u{202e}b"') });
  });

  it("guess the action that was meant", () => {
    const parsed = parseToolCall({ name: "leftclick", toolset_name: "computer", input: {} }, ["toolset"]);
    expect(parsed).toMatchObject({
      ok: false,
      code: "E_UNKNOWN_ACTION",
      reason: expect.stringContaining("did you mean left_click?"),
    });
  });

  it("B-015 stay short for a huge input", () => {
    const huge = parseAction("left_click", { coordinate: Array.from({ length: 1_000_000 }, () => 1) });
    expect(huge).toMatchObject({ ok: false, code: "E_SCHEMA" });
    const key = parseAction("screenshot", { ["k".repeat(1_000_000)]: 1 });
    expect(key.ok ? 0 : key.reason.length).toBeLessThan(200);
    const tool = parseToolCall({ name: "n".repeat(1_000_000) }, ["single"]);
    expect(tool.ok ? 0 : tool.reason.length).toBeLessThan(200);
  });
});
