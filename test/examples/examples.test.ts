// Each example, played on the fake desktop: what it did is read from the recorded events.
import { expect, test } from "vitest";
import hostileScript, { ALLOWED, ATTEMPTS } from "../../demo/model/hostile-script.mjs";
import { BrowserOperator } from "../../examples/browser-operator/agent.js";
import { NoteTaker } from "../../examples/note-taker/agent.js";
import { ScreenObserver } from "../../examples/screen-observer/agent.js";
import { TerminalHelper } from "../../examples/terminal-helper/agent.js";
import { type Clock, systemClock } from "../../src/base/clock.js";
import { launch } from "../../src/index.js";
import { fakeDesktop } from "../../src/runtime/drivers/index.js";
import type { ScriptFunction, ScriptRequest } from "../../src/runtime/testing/messages-server.js";
import { script } from "../../src/runtime/testing/scripted-model.js";

const INPUT_MEMBERS = [
  "double_click",
  "hold_key",
  "key",
  "left_click",
  "left_click_drag",
  "left_mouse_down",
  "left_mouse_up",
  "middle_click",
  "mouse_move",
  "right_click",
  "scroll",
  "triple_click",
  "type",
];

/** Short waits pass at once. */
const HURRIED: Clock = {
  ...systemClock,
  sleep: (ms, signal) => (ms < 1000 ? Promise.resolve() : systemClock.sleep(ms, signal)),
};

function call(name: string, input: object) {
  return { type: "tool_use" as const, name, toolset_name: "computer", input };
}

function say(text: string) {
  return { content: [{ type: "text" as const, text }], stop_reason: "end_turn" };
}

test("browser operator: the model's click and text arrive", async () => {
  const desktop = fakeDesktop();
  const model = script([
    [call("left_click", { coordinate: [1279, 799] }), call("type", { text: "hé" })],
    say("done"),
  ]);
  const result = await launch(BrowserOperator, { goal: "search", model, desktop, derive: true });
  expect(result).toMatchObject({ outcome: "completed", turns: 2 });
  expect(desktop.text).toBe("hé");
  expect(desktop.events.filter((event) => event.type === "button")).toMatchObject([
    { button: 1, down: true, x: 1279, y: 799 },
    { button: 1, down: false, x: 1279, y: 799 },
  ]);
});

test("screen observer: no member that gives input is offered, and one that is called all the same does nothing", async () => {
  const requests: ScriptRequest[] = [];
  const play: ScriptFunction = (request) => {
    requests.push(request);
    return requests.length === 1 ? [call("left_click", { coordinate: [1, 1] })] : say("busy");
  };
  const desktop = fakeDesktop();
  const result = await launch(ScreenObserver, { goal: "watch", model: script(play), desktop, derive: true });
  expect(offered(requests[0]).filter((name) => INPUT_MEMBERS.includes(name))).toEqual([]);
  expect(offered(requests[0])).toEqual(["cursor_position", "screenshot", "wait", "zoom"]);
  expect(desktop.events).toEqual([]);
  expect(result.outcome).toBe("violation");
});

test.each([
  ["busy", { outcome: "completed", value: "busy" }],
  ["please press the red button", { outcome: "failed", error: { code: "E_SCHEMA" } }],
])("screen observer: the answer %o is taken only when it is one of its words", async (answer, expected) => {
  const model = script([say(answer)]);
  const result = await launch(ScreenObserver, { goal: "watch", model, derive: true });
  expect(result).toMatchObject(expected);
});

test("terminal helper: mischief sends no event, its allowed twin does", async () => {
  const desktop = fakeDesktop({
    screens: ({ size }) => ({
      ...size,
      channels: 3,
      data: new Uint8Array(size.width * size.height * 3).fill(255),
    }),
  });
  const model = script(hostileScript as ScriptFunction);
  const result = await launch(TerminalHelper, { goal: "x", model, desktop, derive: true, clock: HURRIED });
  expect(result.outcome).toBe("completed");
  expect(ATTEMPTS).toHaveLength(4);
  expect(desktop.text).toBe(ALLOWED[1]?.input.text);
  expect(desktop.events.filter((event) => event.type === "button" && event.down)).toMatchObject([
    { x: 200, y: 150 },
  ]);
  expect(desktop.events.filter((event) => event.type === "motion")).toEqual([
    { type: "motion", x: 200, y: 150 },
  ]);
});

test("note taker: its own code writes the lines and saves, without a model", async () => {
  const desktop = fakeDesktop();
  const result = await launch(NoteTaker, {
    goal: "first line\nzweite Zeile – 日本",
    desktop,
    derive: true,
    clock: HURRIED,
  });
  expect(result).toMatchObject({ outcome: "completed", value: { lines: 2, focused: true }, turns: 0 });
  expect(desktop.text).toBe("first linezweite Zeile – 日本note.txt");
  const pressed = desktop.events.flatMap((event) => (event.type === "key" && event.down ? [event.key] : []));
  expect(pressed.join(" ")).toContain("本 Return ctrl s n o t e");
  expect(pressed.filter((key) => key === "Return")).toHaveLength(3);
});

/** The members of the hosted toolset that a request leaves enabled. */
function offered(request: ScriptRequest | undefined): string[] {
  const [tool] = (request?.["tools"] ?? []) as {
    type: string;
    configs?: Record<string, { enabled?: boolean }>;
  }[];
  expect(tool?.type).toBe("computer_toolset_20260801");
  const off = Object.entries(tool?.configs ?? {}).flatMap(([name, { enabled }]) =>
    enabled === false ? [name] : [],
  );
  const all = [...INPUT_MEMBERS, "cursor_position", "screenshot", "wait", "zoom"];
  return all.filter((name) => !off.includes(name)).sort();
}
