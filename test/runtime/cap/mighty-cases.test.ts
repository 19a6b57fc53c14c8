// The cases of the Mighty language's sandbox and dispatcher tests, as data: what they do, and what comes of it here.
// Where Mighty's behaviour is a known gap the case is in `DROPPED` with its reason; docs/origins.md lists the same.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseCapability } from "../../../src/contract/capability.js";
import { canonicalChord, parseChord } from "../../../src/contract/keys.js";
import { parseAction, parseToolCall } from "../../../src/contract/parse-action.js";
import type { ComputerCapBuilder } from "../../../src/runtime/cap/cap-builder.js";
import { ComputerCap } from "../../../src/runtime/cap/computer-cap.js";

type Call = readonly [
  check: "screen" | "click" | "type" | "key" | "reset",
  ...values: readonly (number | string)[],
];
type Outcome = "ok" | "permission" | "out_of_bounds" | "denied_key" | "rate_limited";

function perform(cap: ComputerCap, [check, ...values]: Call): Outcome {
  try {
    if (check === "screen") cap.checkScreen();
    if (check === "click") cap.checkClick(Number(values[0]), Number(values[1]));
    if (check === "type") cap.checkTypeText(String(values[0]));
    if (check === "key") cap.checkKey(String(values[0]));
    if (check === "reset") cap.resetCounter();
    return "ok";
  } catch (error) {
    return (error as { kind: Outcome }).kind;
  }
}

const both = () => ComputerCap.builder().allowScreen().allowInput();

interface Case {
  readonly name: string;
  readonly cap: (builder: ComputerCapBuilder) => ComputerCapBuilder;
  readonly calls: readonly (readonly [Call, Outcome])[];
}

const SANDBOX: readonly Case[] = [
  {
    name: "an empty builder grants nothing",
    cap: (builder) => builder,
    calls: [
      [["screen"], "permission"],
      [["click", 1, 1], "permission"],
      [["key", "a"], "permission"],
      [["type", "a"], "permission"],
    ],
  },
  {
    name: "screen and input pass screen, click and type",
    cap: () => both(),
    calls: [
      [["screen"], "ok"],
      [["click", 5, 5], "ok"],
      [["type", "hello"], "ok"],
    ],
  },
  {
    name: "bounds 100..200 on both axes",
    cap: () => both().withBounds(100, 100, 200, 200),
    calls: [
      [["click", 150, 150], "ok"],
      [["click", 50, 150], "out_of_bounds"],
      [["click", 150, 250], "out_of_bounds"],
      [["click", 200, 150], "out_of_bounds"],
    ],
  },
  {
    name: "bounds 0..10 are half-open",
    cap: () => both().withBounds(0, 0, 10, 10),
    calls: [
      [["click", 0, 0], "ok"],
      [["click", 9, 9], "ok"],
      [["click", 10, 9], "out_of_bounds"],
      [["click", 9, 10], "out_of_bounds"],
    ],
  },
  {
    name: "a denied chord is denied in any order of its modifiers, and others pass",
    cap: () => both().denyKeys(["Ctrl+Alt+Del", "CMD+Q"]),
    calls: [
      [["key", "Alt+Ctrl+Del"], "denied_key"],
      [["key", "Enter"], "ok"],
    ],
  },
  {
    name: "three actions of three, then one more, then a reset",
    cap: () => both().maxActionsPerRun(3),
    calls: [
      [["click", 1, 1], "ok"],
      [["click", 1, 1], "ok"],
      [["click", 1, 1], "ok"],
      [["click", 1, 1], "rate_limited"],
      [["reset"], "ok"],
      [["click", 1, 1], "ok"],
    ],
  },
  {
    name: "a screen-only cap sees and does not click",
    cap: (builder) => builder.allowScreen(),
    calls: [
      [["screen"], "ok"],
      [["click", 1, 1], "permission"],
    ],
  },
  {
    name: "a quota of nothing refuses the very first action",
    cap: () => both().maxActionsPerRun(0),
    calls: [[["screen"], "rate_limited"]],
  },
  {
    name: "permission is reported before bounds, bounds before the quota",
    cap: (builder) => builder.allowScreen().withBounds(0, 0, 10, 10).maxActionsPerRun(0),
    calls: [[["click", 50, 50], "permission"]],
  },
  {
    name: "over quota and out of bounds is out of bounds",
    cap: () => both().withBounds(0, 0, 10, 10).maxActionsPerRun(0),
    calls: [[["click", 50, 50], "out_of_bounds"]],
  },
  {
    name: "a refused action costs nothing",
    cap: () => both().withBounds(0, 0, 10, 10).denyKeys(["ctrl+w"]).maxActionsPerRun(1),
    calls: [
      [["click", 50, 50], "out_of_bounds"],
      [["key", "ctrl+w"], "denied_key"],
      [["click", 5, 5], "ok"],
      [["click", 5, 5], "rate_limited"],
    ],
  },
];

describe("sandbox", () => {
  it.each(SANDBOX)("$name", ({ cap, calls }) => {
    const built = cap(ComputerCap.builder()).build();
    expect(calls.map(([call]) => perform(built, call))).toEqual(calls.map(([, outcome]) => outcome));
  });

  it("counts what was consumed: nothing, then screen, click, type and key", () => {
    const cap = both().build();
    expect(cap.actionsConsumed()).toBe(0);
    for (const call of [["screen"], ["click", 1, 1], ["type", "x"], ["key", "a"]] as const)
      perform(cap, call);
    expect(cap.actionsConsumed()).toBe(4);
  });

  it("a narrowed cap shares the count of the one it came from: one click each of two, the third is refused", () => {
    const cap = both().maxActionsPerRun(2).build();
    const other = cap.attenuate({});
    expect(perform(cap, ["click", 1, 1])).toBe("ok");
    expect(perform(other, ["click", 1, 1])).toBe("ok");
    expect(perform(cap, ["click", 1, 1])).toBe("rate_limited");
    expect(perform(other, ["click", 1, 1])).toBe("rate_limited");
  });

  it("refuses what is no text, no number, as malformed", () => {
    const cap = both().build();
    for (const call of [
      () => cap.checkTypeText(["a"] as never),
      () => cap.checkTypeText(null as never),
      () => cap.checkTypeText(5 as never),
      () => cap.checkKey(119 as never),
      () => cap.checkKey(["ctrl", "c"] as never),
      () => cap.checkClick("5" as never, 5),
      () => cap.checkClick(5.5, 5),
      () => cap.checkClick(Number.NaN, 5),
    ])
      expect(call).toThrow(expect.objectContaining({ name: "SandboxViolation", kind: "malformed" }));
    expect(cap.actionsConsumed()).toBe(0);
  });

  it("keeps what the builder was told", () => {
    const cap = both().withBounds(10, 20, 30, 40).denyKeys(["ctrl+w"]).maxActionsPerRun(5).build();
    expect(cap.capability).toBe("computer.input + computer.screen");
    expect(cap.bounds).toEqual({ x: 10, y: 20, width: 20, height: 20 });
    expect(cap.denyKeys).toContain("ctrl+w");
    expect(cap.maxActions).toBe(5);
  });

  it.each([
    ["inverted bounds", () => both().withBounds(30, 40, 10, 20)],
    ["empty bounds", () => both().withBounds(10, 10, 10, 20)],
    ["a missing corner", () => both().withBounds(...([5] as unknown as [number, number, number, number]))],
    ["keys given as one text", () => both().denyKeys("super")],
    ["keys given as one text before a list", () => both().denyKeys("super").denyKeys(["a"])],
    ["allowed keys given as one text", () => both().allowKeys("super")],
    ["an empty key text", () => both().denyKeys([""])],
    ["an unknown key", () => both().denyKeys(["ctrl+bogus"])],
    ["a negative quota", () => both().maxActionsPerRun(-1)],
    ["a quota that is no number", () => both().maxActionsPerRun(Number.NaN)],
    ["a viewport of nothing", () => both().withViewport(0, 10)],
  ])("%s are refused when the cap is built, not taken to mean nothing", (_what, make) => {
    expect(() => make().build()).toThrow(expect.objectContaining({ code: "E_SPEC" }));
  });
});

describe("key normalisation", () => {
  it.each([
    ["ctrl+alt+del", "ctrl+alt+Delete"],
    ["alt+ctrl+del", "ctrl+alt+Delete"],
    ["shift+alt+x", "alt+shift+x"],
    ["CMD+Q", "super+q"],
    ["Enter", "Return"],
    ["Control+L", "ctrl+l"],
  ])("%s is %s", (text, canonical) => {
    expect(canonicalChord(text)).toBe(canonical);
  });
});

describe("what passed Mighty's deny-list", () => {
  const cap = () =>
    both().denyKeys(["ctrl+alt+delete", "cmd+q", "win+l", "ctrl+w", "enter", "f1", "alt+f4"]).build();
  it.each([
    "ctrl+alt+del",
    "Return",
    "KP_Enter",
    "ctrl+m",
    "ctrl+j",
    "meta+q",
    "super+q",
    "windows+l",
    "Super_L+l",
    "Control_L+Alt_L+Delete",
    "Alt_L+F4",
    "option+f4",
    "ctrl+ctrl+alt+delete",
    "ctrl+alt+shift+delete",
    "ctrl+shift+w",
    "alt+Tab",
    "super",
  ])("%s is denied", (text) => {
    expect(perform(cap(), ["key", text])).toBe("denied_key");
  });
  it.each([
    "ctrl+alt+delete+",
    "ctrl+l ctrl+w",
    "ctrl-alt-delete",
    "0xffff",
    "119",
    "f999",
    "ctrl+W ",
    "ctrl + alt + delete",
  ])("%s is no key", (text) => {
    expect(perform(cap(), ["key", text])).toBe("unknown_key");
  });
  it.each(["f", "f2", "ctrl+l", "ctrl", "alt+F5", "space", "ctrl+o"])("%s is allowed", (text) => {
    expect(perform(cap(), ["key", text])).toBe("ok");
  });
  it("the letter f is the letter f", () => {
    expect(parseChord("f")).toEqual({ ok: true, chord: { modifiers: [], key: "f" } });
  });
});

const single = (input: object) => parseToolCall({ name: "computer", input }, ["single"]);

describe("dispatcher, parsing", () => {
  it.each<readonly [string, object, object]>([
    ["screenshot", { action: "screenshot" }, { name: "screenshot" }],
    [
      "left_click by coordinate",
      { action: "left_click", coordinate: [3, 4] },
      { name: "left_click", input: { coordinate: { x: 3, y: 4 } } },
    ],
    ["double_click", { action: "double_click", coordinate: [3, 4] }, { name: "double_click" }],
    ["type", { action: "type", text: "hi" }, { name: "type", input: { text: "hi" } }],
    ["key", { action: "key", text: "Return" }, { name: "key", input: { text: "Return" } }],
    [
      "drag",
      { action: "left_click_drag", start_coordinate: [10, 20], coordinate: [100, 200] },
      {
        name: "left_click_drag",
        input: { start_coordinate: { x: 10, y: 20 }, coordinate: { x: 100, y: 200 } },
      },
    ],
  ])("%s", (_name, input, action) => {
    expect(single(input)).toMatchObject({ ok: true, action });
  });

  it("an unknown action and a missing one are malformed", () => {
    expect(single({ action: "teleport" })).toMatchObject({ ok: false, code: "E_UNKNOWN_ACTION" });
    expect(single({ text: "x" })).toMatchObject({ ok: false, code: "E_SCHEMA" });
  });
});

/** Cases of Mighty that hold here with another outcome, and why. */
const DROPPED: readonly {
  readonly name: string;
  readonly why: string;
  readonly here: () => unknown;
  readonly is: unknown;
}[] = [
  {
    name: "left_click with x and y",
    why: "one source of coordinates only: a checker may read one and an executor the other",
    here: () => single({ action: "left_click", x: 3, y: 4 }).ok,
    is: false,
  },
  {
    name: "drag with x, y and start_coordinate",
    why: "one source of coordinates only",
    here: () => single({ action: "left_click_drag", x: 100, y: 200, start_coordinate: [10, 20] }).ok,
    is: false,
  },
  {
    name: "drag without a start begins at its end",
    why: "a drag that presses nowhere known is refused",
    here: () => parseAction("left_click_drag", { coordinate: [1, 2] }).ok,
    is: false,
  },
  {
    name: "a 64-bit coordinate is cut to 32 bits",
    why: "refused, never wrapped or clamped",
    here: () => perform(both().build(), ["click", 4_294_967_346, 5]),
    is: "out_of_bounds",
  },
  {
    name: "scroll without coordinate or amount is 0, 0, 0",
    why: "the amount is required; without a coordinate it acts at the pointer's real place",
    here: () => single({ action: "scroll" }).ok,
    is: false,
  },
  {
    name: "done and stop are actions",
    why: "no hosted tool has them; a reply without calls is the end (only scripts of the simple dialect know them)",
    here: () => single({ action: "done", summary: "x" }).ok,
    is: false,
  },
  {
    name: "denied keys are listed as they were given",
    why: "the list is the effective one: canonical, with the defaults",
    here: () => both().denyKeys(["CTRL+W"]).build().denyKeys.length,
    is: 20,
  },
  {
    name: "meta, cmd and win are three keys",
    why: "they are one key on the keyboard",
    here: () => canonicalChord("meta+q") === canonicalChord("win+q"),
    is: true,
  },
  {
    name: "a cap with_bounds has a counter of its own",
    why: "narrowing must not give a fresh quota",
    here: () => {
      const cap = both().maxActionsPerRun(1).build();
      perform(cap, ["click", 1, 1]);
      return perform(cap.attenuate({ bounds: { x: 0, y: 0, width: 5, height: 5 } }), ["click", 1, 1]);
    },
    is: "rate_limited",
  },
  {
    name: "an empty or inverted rectangle rejects everything silently",
    why: "a bad declaration fails when it is made",
    here: () => {
      try {
        return both().withBounds(5, 5, 5, 5).build();
      } catch (error) {
        return (error as { code: unknown }).code;
      }
    },
    is: "E_SPEC",
  },
  {
    name: "any dotted word is a capability",
    why: "the vocabulary is closed: a misspelt word would grant nothing and prove nothing",
    here: () => parseCapability("computer.inptu").ok,
    is: false,
  },
  {
    name: "the initial screenshot counts as an action",
    why: "pictures that the loop takes by itself cost none",
    here: () => both().maxActionsPerRun(1).build().actionsConsumed(),
    is: 0,
  },
  {
    name: "a drag costs two actions",
    why: "one action is one action; amounts are charged to the event budget",
    here: () => parseAction("left_click_drag", { start_coordinate: [1, 1], coordinate: [2, 2] }).ok,
    is: true,
  },
  {
    name: "an input-only agent cannot run",
    why: "only the model loop needs the screen; the agent's own code may act without it",
    here: () => ComputerCap.builder().allowInput().build().allows("computer.screen"),
    is: false,
  },
];

describe("with another outcome than in Mighty", () => {
  it.each(DROPPED)("$name: $why", ({ here, is }) => {
    expect(here()).toEqual(is);
  });

  it("are listed in docs/origins.md", () => {
    const text = readFileSync(new URL("../../../docs/origins.md", import.meta.url), "utf8");
    const section = text.split("## Tests of Mighty")[1] ?? "";
    const rows = section
      .split("\n")
      .filter((line) => line.startsWith("| ") && !line.startsWith("| case") && !line.startsWith("| ---"))
      .map((line) => line.split("|")[1]?.trim());
    expect(rows).toEqual(expect.arrayContaining(DROPPED.map(({ name }) => name)));
  });
});
