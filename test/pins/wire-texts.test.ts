// Words that models, peers and scripts read. Literals, never compared with an imported constant.
import { expect, test } from "vitest";
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE, SIGNAL_EXIT } from "../../src/cli/io.js";
import { ACTION_LIST } from "../../src/contract/actions.js";
import { CAPABILITY_WORD_LIST } from "../../src/contract/capability.js";
import { DEFAULT_DENY_KEYS } from "../../src/contract/deny-keys.js";
import { RECORD_KINDS } from "../../src/contract/journal-records.js";
import { DEFAULT_MODEL, toolForModel } from "../../src/contract/models.js";
import { HALT_TEXT } from "../../src/runtime/dispatch/answer.js";
import { judgeReply } from "../../src/runtime/dispatch/stop-reason.js";

test("exit codes", () => {
  expect([EXIT_OK, EXIT_FAILED, EXIT_USAGE]).toEqual([0, 1, 2]);
  expect(SIGNAL_EXIT).toMatchObject({ SIGINT: 130, SIGTERM: 143 });
});

test("capability words", () => {
  expect(CAPABILITY_WORD_LIST).toEqual([
    "computer.screen",
    "computer.input",
    "computer.input.pointer",
    "computer.input.keyboard",
    "computer.clipboard",
    "computer.clipboard.read",
    "computer.clipboard.write",
    "computer.windows",
    "computer.spawn",
  ]);
});

test("keys denied by default", () => {
  expect(DEFAULT_DENY_KEYS).toEqual([
    "ctrl+alt+Delete",
    "ctrl+alt+BackSpace",
    "ctrl+alt+F1",
    "ctrl+alt+F2",
    "ctrl+alt+F3",
    "ctrl+alt+F4",
    "ctrl+alt+F5",
    "ctrl+alt+F6",
    "ctrl+alt+F7",
    "ctrl+alt+F8",
    "ctrl+alt+F9",
    "ctrl+alt+F10",
    "ctrl+alt+F11",
    "ctrl+alt+F12",
    "alt+F4",
    "alt+Tab",
    "super",
    "Print",
    "Sys_Req",
  ]);
});

test("the members of the hosted toolset, and the tool of the default model", () => {
  expect([...ACTION_LIST].sort()).toEqual([
    "cursor_position",
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
    "screenshot",
    "scroll",
    "triple_click",
    "type",
    "wait",
    "zoom",
  ]);
  expect(DEFAULT_MODEL).toBe("claude-opus-5-5");
  expect(toolForModel(DEFAULT_MODEL)).toBe("computer_toolset_20260801");
});

test("the text for calls after a failed one is the API's own", () => {
  expect(HALT_TEXT).toBe("Not executed: an earlier computer action in this turn failed.");
});

test("what each stop reason leads to", () => {
  const steps = [
    "refusal",
    "max_tokens",
    "model_context_window_exceeded",
    "compaction",
    "pause_turn",
    "end_turn",
    "stop_sequence",
    "tool_use",
    "later_reason",
    undefined,
  ].map((stopReason) => {
    const reply = { id: "msg_1", stopReason, content: [], usage: undefined };
    const step = judgeReply(reply, new Set());
    return step.kind === "end"
      ? `${stopReason}: ${step.outcome} ${step.code}: ${step.message}`
      : `${stopReason}: ${step.kind}`;
  });
  expect(steps).toEqual([
    "refusal: model_refused E_UNSUPPORTED: the model refused to go on; nothing of its reply was executed",
    "max_tokens: truncated E_PROTOCOL: the reply was cut off at the token limit; nothing of it was executed: raise maxTokens",
    "model_context_window_exceeded: full",
    "compaction: compacted",
    "pause_turn: continue",
    "end_turn: complete",
    "stop_sequence: complete",
    "tool_use: nudge",
    'later_reason: failed E_PROTOCOL: unknown stop reason "later_reason"; nothing of the reply was executed',
    "undefined: failed E_PROTOCOL: the reply has no stop reason; nothing of it was executed",
  ]);
});

test("the kinds of record in a trace", () => {
  expect(RECORD_KINDS).toEqual([
    "run_started",
    "desktop_opened",
    "frame",
    "picture",
    "model_request",
    "model_reply",
    "answers",
    "retry",
    "history_pruned",
    "action",
    "intent",
    "receipt",
    "verification",
    "violation",
    "endorsed",
    "control",
    "released",
    "run_ended",
  ]);
});
