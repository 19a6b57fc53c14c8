import { describe, expect, it } from "vitest";
import { coloured, describeEvent, plain } from "../../../src/cli/run/progress.js";
import type { RunEvent } from "../../../src/runtime/dispatch/run-event.js";

const action = {
  type: "action",
  turn: 1,
  source: "model",
  name: "left_click",
  summary: "left_click (12, 40)",
} as const;

describe("describeEvent", () => {
  const cases: readonly (readonly [RunEvent, RegExp])[] = [
    [{ type: "turn", turn: 2, maxTurns: 30 }, /^turn 2 of at most 30$/],
    [
      { ...action, verdict: "allow", effect: "confirmed" },
      /^ {2}left_click \(12, 40\) +allowed {2}confirmed$/,
    ],
    [
      { ...action, name: "wait", summary: "wait 5 ms", verdict: "allow", effect: "confirmed" },
      /allowed {2}done$/,
    ],
    [{ ...action, verdict: "allow", effect: "suspected_noop" }, /allowed {2}no change seen$/],
    [
      { ...action, verdict: "deny", code: "E_BOUNDS", reason: "(12, 40) is outside" },
      /denied +E_BOUNDS: \(12, 40\) is outside$/,
    ],
    [{ ...action, verdict: "not_executed" }, /not run$/],
    [{ ...action, source: "agent", verdict: "allow", effect: "unverifiable" }, /^ {2}agent: left_click/],
  ];
  it.each(cases)("%j", (event, line) => {
    expect(describeEvent(event, plain)).toMatch(line);
  });

  it("keeps a model's words on one line, without anything that a terminal acts on", () => {
    const line = describeEvent(
      {
        type: "reply",
        turn: 1,
        stopReason: "tool_use",
        calls: 1,
        untrustedText: "ok\n\u001b]52;c;eA==\u0007 \u202egnp",
        usage: undefined,
      },
      plain,
    );
    expect(line).toBe("  model: “ok \\u{1b}]52;c;eA==\\u{7} \\u{202e}gnp”");
  });

  it("says nothing for a reply without words, and colours where it is told to", () => {
    const silent = {
      type: "reply",
      turn: 1,
      stopReason: "tool_use",
      calls: 1,
      untrustedText: " ",
      usage: undefined,
    };
    expect(describeEvent(silent as RunEvent, plain)).toBeUndefined();
    expect(describeEvent({ ...action, verdict: "not_executed" }, coloured)).toContain("\u001b[2m");
  });
});
