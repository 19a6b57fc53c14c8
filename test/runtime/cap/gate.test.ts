// The gate's own rules: what is asked first, what is charged, what is kept. (Attempts to get past it: test/adversarial.)
import { describe, expect, it } from "vitest";
import { ACTION_LIST, type ActionName } from "../../../src/contract/actions.js";
import { CAPABILITY_WORD_LIST, type CapabilityWord } from "../../../src/contract/capability.js";
import { parseAction } from "../../../src/contract/parse-action.js";
import { ComputerCap, createGate, meetCaps, violationModeOf } from "../../../src/runtime/cap/computer-cap.js";

const SIZE = { width: 1024, height: 768 };
const AT = { pointer: { x: 10, y: 10 } };

const INPUTS: Readonly<Record<ActionName, object>> = {
  screenshot: {},
  cursor_position: {},
  zoom: { region: [0, 0, 10, 10] },
  mouse_move: { coordinate: [1, 1] },
  left_click: { coordinate: [1, 1] },
  right_click: { coordinate: [1, 1] },
  middle_click: { coordinate: [1, 1] },
  double_click: { coordinate: [1, 1] },
  triple_click: { coordinate: [1, 1] },
  left_click_drag: { start_coordinate: [1, 1], coordinate: [2, 2] },
  left_mouse_down: {},
  left_mouse_up: {},
  scroll: { coordinate: [1, 1], scroll_direction: "up", scroll_amount: 1 },
  type: { text: "a" },
  key: { text: "a" },
  hold_key: { text: "a", duration: 0.5 },
  wait: { duration: 0 },
};

/** The words that each action needs, as the design's table says. */
const NEEDS: Readonly<Record<ActionName, readonly CapabilityWord[]>> = {
  screenshot: ["computer.screen"],
  cursor_position: ["computer.screen"],
  zoom: ["computer.screen"],
  mouse_move: ["computer.input.pointer"],
  left_click: ["computer.input.pointer"],
  right_click: ["computer.input.pointer"],
  middle_click: ["computer.input.pointer", "computer.clipboard.read"],
  double_click: ["computer.input.pointer"],
  triple_click: ["computer.input.pointer"],
  left_click_drag: ["computer.input.pointer"],
  left_mouse_down: ["computer.input.pointer"],
  left_mouse_up: ["computer.input.pointer"],
  scroll: ["computer.input.pointer"],
  type: ["computer.input.keyboard"],
  key: ["computer.input.keyboard"],
  hold_key: ["computer.input.keyboard"],
  wait: [],
};

function action(name: ActionName, input: object = INPUTS[name]) {
  const parsed = parseAction(name, input);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.action;
}

function gateWith(words: readonly CapabilityWord[]) {
  const builder = ComputerCap.builder();
  for (const word of words) builder.allow(word);
  return createGate(builder.build(), SIZE);
}

describe("permission", () => {
  it.each(ACTION_LIST)("%s needs its words, all of them, and nothing more", (name) => {
    const one = name === "left_mouse_up" ? "left_mouse_down" : name;
    const allowed = (words: readonly CapabilityWord[]) => gateWith(words).check(action(one), AT);
    expect(allowed(NEEDS[name]).ok).toBe(true);
    for (const missing of NEEDS[name]) {
      const others = CAPABILITY_WORD_LIST.filter(
        (word) => word !== missing && !missing.startsWith(`${word}.`),
      );
      expect(allowed(others)).toMatchObject({ ok: false, code: "E_GRANT", kind: "permission" });
    }
  });

  it("is asked for before bounds, keys and text, and those before the quota", () => {
    const cap = ComputerCap.builder().allowScreen().withBounds(0, 0, 5, 5).maxActionsPerRun(0).build();
    const screenOnly = createGate(cap, SIZE);
    expect(screenOnly.check(action("left_click", { coordinate: [50, 50] }), AT)).toMatchObject({
      code: "E_GRANT",
    });
    expect(screenOnly.check(action("key", { text: "bogus" }), AT)).toMatchObject({ code: "E_GRANT" });
    expect(screenOnly.check(action("screenshot"), AT)).toMatchObject({ code: "E_QUOTA" });
    const full = createGate(
      ComputerCap.builder().allowInput().withBounds(0, 0, 5, 5).maxActionsPerRun(0).build(),
      SIZE,
    );
    expect(full.check(action("left_click", { coordinate: [50, 50] }), AT)).toMatchObject({
      code: "E_BOUNDS",
    });
    expect(full.check(action("key", { text: "super" }), AT)).toMatchObject({ code: "E_KEY_DENIED" });
    expect(full.check(action("type", { text: "\u0007" }), AT)).toMatchObject({ code: "E_TEXT_DENIED" });
    expect(full.check(action("left_mouse_up"), { pointer: { x: 1, y: 1 } })).toMatchObject({
      code: "E_STATE",
    });
    expect(full.check(action("left_click"), AT)).toMatchObject({ code: "E_QUOTA" });
  });

  it("of a modifier is asked for before the place it is held at", () => {
    const cap = ComputerCap.builder().allow("computer.input.pointer").withBounds(0, 0, 5, 5).build();
    const gate = createGate(cap, SIZE);
    const click = action("left_click", { coordinate: [50, 50], text: "ctrl" });
    expect(gate.check(click, AT)).toMatchObject({ code: "E_GRANT" });
  });
});

describe("charging", () => {
  it("check costs nothing, commit costs one action, a refusal nothing", () => {
    const gate = gateWith(["computer.input"]);
    for (let n = 0; n < 5; n++) gate.check(action("left_click"), AT);
    expect(gate.usage()).toEqual({ actions: 0, events: 0 });
    expect(gate.commit(action("double_click"), AT).ok).toBe(true);
    expect(gate.usage()).toEqual({ actions: 1, events: 2 });
    expect(gate.commit(action("screenshot"), AT).ok).toBe(false);
    expect(gate.usage()).toEqual({ actions: 1, events: 2 });
  });

  it("pictures that the runtime takes for itself cost nothing, and need the screen's word", () => {
    const gate = gateWith(["computer.screen"]);
    expect("ok" in gate.observe("capture")).toBe(false);
    expect(gate.usage()).toEqual({ actions: 0, events: 0 });
    expect(gateWith(["computer.input"]).observe("capture")).toMatchObject({ ok: false, code: "E_GRANT" });
    expect("ok" in gateWith(["computer.input"]).locatePointer()).toBe(false);
    expect(gateWith(["computer.input.keyboard"]).locatePointer()).toMatchObject({
      ok: false,
      code: "E_GRANT",
    });
  });
});

describe("the meet of two caps", () => {
  const of = (build: (builder: ReturnType<typeof ComputerCap.builder>) => unknown) => {
    const builder = ComputerCap.builder();
    build(builder);
    return builder.build();
  };
  const wide = of((b) =>
    b.allowScreen().allowInput().withBounds(0, 0, 500, 500).denyKeys(["ctrl+w"]).maxActionsPerRun(9),
  );
  const other = of((b) =>
    b
      .allow("computer.input.keyboard")
      .allow("computer.clipboard")
      .withBounds(400, 400, 900, 700)
      .denyKeys(["F1"])
      .allowKeys(["super"]),
  );

  it("allows what both allow, in either order", () => {
    for (const met of [meetCaps(wide, other), meetCaps(other, wide)]) {
      expect(met.capability).toBe("computer.input.keyboard");
      expect(met.bounds).toEqual({ x: 400, y: 400, width: 100, height: 100 });
      expect(met.maxActions).toBe(9);
      expect(met.denyKeys).toEqual(expect.arrayContaining(["ctrl+w", "F1", "super"]));
      expect(violationModeOf(met)).toBe("abort");
    }
  });

  it("refuses caps that do not meet", () => {
    const far = of((b) => b.allowInput().withBounds(600, 600, 700, 700));
    const small = of((b) => b.allowInput().withViewport(640, 480));
    for (const one of [far, small])
      expect(() => meetCaps(wide, one)).toThrow(expect.objectContaining({ code: "E_CAP_WIDEN" }));
  });
});
