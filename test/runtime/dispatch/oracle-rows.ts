// What both sides are given: one row for each promise, named for the table in docs/wire.md.
import type { ScriptReply } from "../../../src/runtime/testing/script-reply.js";
import { call, say } from "./setup.js";

export interface OracleRow {
  readonly name: string;
  /** One reply a turn; then the model says that it is done. */
  readonly replies: readonly ScriptReply[];
  /** Compare what the answers hold, too. */
  readonly shows?: true;
}

const click = (coordinate: unknown = [10, 10], more: object = {}) =>
  call("left_click", { coordinate, ...more });
const outside = () => click([200, 10]);
const typing = () => call("type", { text: "x" });
const plain = (name: string, input: unknown = {}, more: Record<string, unknown> = {}) => ({
  type: "tool_use",
  id: `plain_${plainIds++}`,
  name,
  input,
  ...more,
});
let plainIds = 1;

const one = (name: string, member: string, input: unknown): OracleRow => ({
  name,
  replies: [[call(member, input)]],
});
const reply = (name: string, ...replies: ScriptReply[]): OracleRow => ({ name, replies });
const stop = (name: string, stop_reason: string | null, content: object[]): OracleRow => ({
  name,
  replies: [{ content: content as never, stop_reason }],
});

const GOOD: readonly OracleRow[] = [
  one("screenshot", "screenshot", {}),
  one("cursor_position", "cursor_position", {}),
  one("zoom", "zoom", { region: [0, 0, 50, 50] }),
  one("mouse_move", "mouse_move", { coordinate: [1, 2] }),
  one("left_click", "left_click", { coordinate: [1, 2] }),
  one("left_click with a modifier", "left_click", { coordinate: [1, 2], text: "ctrl" }),
  reply("left_click at the pointer", [call("mouse_move", { coordinate: [1, 2] }), call("left_click", {})]),
  reply("left_click with null for absent", [
    call("mouse_move", { coordinate: [1, 2] }),
    call("left_click", { coordinate: null, text: null }),
  ]),
  one("right_click", "right_click", { coordinate: [1, 2] }),
  one("middle_click", "middle_click", { coordinate: [1, 2] }),
  one("double_click", "double_click", { coordinate: [1, 2] }),
  one("triple_click", "triple_click", { coordinate: [1, 2] }),
  one("left_click_drag", "left_click_drag", { start_coordinate: [1, 2], coordinate: [3, 4] }),
  reply("left_mouse_down, left_mouse_up", [
    call("mouse_move", { coordinate: [1, 2] }),
    call("left_mouse_down"),
    call("left_mouse_up"),
  ]),
  one("scroll", "scroll", { coordinate: [1, 2], scroll_direction: "down", scroll_amount: 3 }),
  one("type", "type", { text: "hé" }),
  one("key", "key", { text: "ctrl+s", repeat: 3 }),
  one("hold_key", "hold_key", { text: "a", duration: 0.01 }),
  one("wait", "wait", { duration: 0.01 }),
];

const SHAPES: readonly OracleRow[] = [
  one("coordinate is a text", "left_click", { coordinate: "evil" }),
  one("coordinates are texts", "left_click", { coordinate: ["1", "2"] }),
  one("coordinate is fractional", "left_click", { coordinate: [1.5, 2] }),
  one("three coordinates", "left_click", { coordinate: [1, 2, 3] }),
  one("coordinate is negative", "left_click", { coordinate: [-1, 5] }),
  one("coordinate is huge", "left_click", { coordinate: [1e300, 5] }),
  one("coordinate is missing", "mouse_move", {}),
  one("unknown field", "left_click", { coordinate: [1, 2], button: "right" }),
  one("field action in a member", "left_click", { action: "type", coordinate: [1, 2] }),
  one("input is a list", "screenshot", []),
  one("input is a text", "screenshot", "now"),
  one("input is null", "screenshot", null),
  one("modifier is no key", "left_click", { coordinate: [1, 2], text: "hyper" }),
  one("drag without a start", "left_click_drag", { coordinate: [3, 4] }),
  one("scroll sideways and down", "scroll", { scroll_direction: "diagonal", scroll_amount: 1 }),
  one("scroll by nothing", "scroll", { scroll_direction: "down", scroll_amount: 0 }),
  one("scroll by 101", "scroll", { scroll_direction: "down", scroll_amount: 101 }),
  one("text is a number", "type", { text: 7 }),
  one("text is missing", "type", {}),
  one("text has a control character", "type", { text: "a\u0007b" }),
  one("text has a lone surrogate", "type", { text: "a\ud800b" }),
  one("text has 10,001 characters", "type", { text: "a".repeat(10_001) }),
  one("key is empty", "key", { text: "" }),
  one("key is unknown", "key", { text: "NoSuchKey" }),
  one("key is denied", "key", { text: "alt+F4" }),
  one("repeat 0", "key", { text: "a", repeat: 0 }),
  one("repeat 101", "key", { text: "a", repeat: 101 }),
  one("repeat is a text", "key", { text: "a", repeat: "3" }),
  one("hold for 0 s", "hold_key", { text: "a", duration: 0 }),
  one("hold for 301 s", "hold_key", { text: "a", duration: 301 }),
  one("wait for less than nothing", "wait", { duration: -1 }),
  one("wait for 11 s", "wait", { duration: 11 }),
  one("wait for half a millisecond", "wait", { duration: 0.0005 }),
  one("zoom region inverted", "zoom", { region: [50, 50, 10, 10] }),
  one("zoom region of three numbers", "zoom", { region: [0, 0, 50] }),
  reply("button released that is not down", [
    call("mouse_move", { coordinate: [1, 2] }),
    call("left_mouse_up"),
  ]),
  reply("button pressed twice", [
    call("mouse_move", { coordinate: [1, 2] }),
    call("left_mouse_down"),
    call("left_mouse_down"),
  ]),
];

const NAMES: readonly OracleRow[] = [
  one("unknown member", "fly", {}),
  one("member constructor", "constructor", {}),
  one("member __proto__", "__proto__", {}),
  one("member in other letters", "Left_Click", { coordinate: [1, 2] }),
  one("member computer", "computer", { action: "screenshot" }),
  reply("member without toolset_name", [plain("left_click", { coordinate: [1, 2] })]),
  reply("member with toolset_name null", [
    plain("left_click", { coordinate: [1, 2] }, { toolset_name: null }),
  ]),
  reply("member of another toolset", [plain("left_click", {}, { toolset_name: "browser" })]),
  reply("toolset_name in other letters", [plain("left_click", {}, { toolset_name: "Computer" })]),
  reply("tool computer, action left_click", [
    plain("computer", { action: "left_click", coordinate: [1, 2] }),
  ]),
  reply("tool computer, action done", [plain("computer", { action: "done" })]),
  reply("tool that is none", [plain("bash", { command: "ls" })]),
  reply("call by a program", [
    click([1, 2], {}),
    { ...click(), caller: { type: "code_execution_20260120", tool_id: "t" } },
  ]),
];

const BATCHES: readonly OracleRow[] = [
  reply("all fine", [click(), typing(), click()]),
  reply("the first fails", [outside(), typing(), click()]),
  reply("one in the middle fails", [click(), outside(), typing()]),
  reply("the last fails", [click(), typing(), outside()]),
  reply("two would fail", [outside(), outside()]),
  reply("words in between", [say("first"), click(), say("then"), outside(), typing()]),
  reply("an unknown member in the middle", [click(), call("fly"), typing()]),
  reply("a tool that is none in the middle", [click(), plain("bash"), typing()]),
  reply("a tool that is none after a failure", [outside(), plain("bash"), typing()]),
  reply("a failure ends with its turn", [outside(), click()], [click(), outside(), click()]),
  reply("three turns", [click()], [typing()], [click(), typing()]),
  reply(
    "twenty calls",
    Array.from({ length: 20 }, () => typing()),
  ),
  reply("an id twice in a reply", [
    call("type", { text: "x" }, { id: "same" }),
    call("type", { text: "y" }, { id: "same" }),
  ]),
  reply(
    "an id twice in two replies",
    [call("type", { text: "x" }, { id: "again" })],
    [call("type", { text: "x" }, { id: "again" })],
  ),
  reply("an id that is a path", [call("type", { text: "x" }, { id: "../x" })]),
];

const CONTENT: readonly OracleRow[] = [
  { ...one("what a click's answer holds", "left_click", { coordinate: [1, 2] }), shows: true },
  { ...one("what a screenshot's answer holds", "screenshot", {}), shows: true },
  { ...one("what a zoom's answer holds", "zoom", { region: [0, 0, 50, 50] }), shows: true },
  { ...one("what a position's answer holds", "cursor_position", {}), shows: true },
  { ...one("what a wait's answer holds", "wait", { duration: 0.01 }), shows: true },
  { ...reply("what a failure's answers hold", [outside(), typing()]), shows: true },
  { ...reply("what a batch's answers hold", [click(), typing()]), shows: true },
];

const STOPS: readonly OracleRow[] = [
  stop("max_tokens beside a call", "max_tokens", [click()]),
  stop("refusal beside a call", "refusal", [click()]),
  stop("end_turn beside a call", "end_turn", [click()]),
  stop("stop_sequence beside a call", "stop_sequence", [click()]),
  stop("pause_turn beside a call", "pause_turn", [click()]),
  stop("pause_turn without a call", "pause_turn", [say("a moment")]),
  stop("no stop reason beside a call", null, [click()]),
  stop("unknown stop reason beside a call", "later_reason", [click()]),
  stop("context exceeded beside a call", "model_context_window_exceeded", [click()]),
  stop("tool_use without a call", "tool_use", [say("I click")]),
  stop("tool_use without any block", "tool_use", []),
];

export const ORACLE_ROWS: readonly OracleRow[] = [
  ...GOOD,
  ...SHAPES,
  ...NAMES,
  ...BATCHES,
  ...CONTENT,
  ...STOPS,
];
