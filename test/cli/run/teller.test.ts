import { describe, expect, it } from "vitest";
import type { Output } from "../../../src/cli/io.js";
import { formatCount, formatElapsed, RunStatus } from "../../../src/cli/run/run-status.js";
import { Teller } from "../../../src/cli/run/teller.js";
import type { RunEvent } from "../../../src/runtime/dispatch/run-event.js";
import { ManualClock } from "../../../src/runtime/testing/manual-clock.js";
import { Screen } from "../terminal/screen.js";

const EVENTS: readonly RunEvent[] = [
  { type: "turn", turn: 1, maxTurns: 30 },
  {
    type: "reply",
    turn: 1,
    stopReason: "tool_use",
    calls: 2,
    untrustedText: "\u001b]0;owned\u0007 look: \u202e\u009b2J",
    usage: { inputTokens: 1200, outputTokens: 34, cacheReadTokens: 0, cacheWriteTokens: 0 },
  },
  {
    type: "action",
    turn: 1,
    source: "model",
    name: "left_click",
    summary: "left_click (10, 10)",
    verdict: "deny",
    code: "E_BOUNDS",
    reason: "outside",
  },
];

class KeptOutput implements Output {
  isClosed = false;
  readonly failure = undefined;
  readonly writes: string[] = [];

  readonly isTerminal: boolean;
  readonly columns: number | undefined;

  constructor(isTerminal: boolean, columns: number | undefined) {
    this.isTerminal = isTerminal;
    this.columns = columns;
  }

  async write(text: string): Promise<void> {
    this.writes.push(text);
  }
}

function tell(isTerminal: boolean, env: Record<string, string> = {}) {
  const output = new KeptOutput(isTerminal, isTerminal ? 80 : undefined);
  const clock = new ManualClock();
  let closed = 0;
  const teller = new Teller(output, { env, clock, onClosed: () => closed++ });
  return { output, clock, teller, closed: () => closed };
}

function screenOf(writes: readonly string[]): readonly string[] {
  const screen = new Screen(80);
  for (const text of writes) screen.write(text);
  return screen.lines;
}

describe("on a terminal", () => {
  it("shows turn, what is awaited, time, tokens and refusals, and leaves the lines alone [C-002]", async () => {
    const { output, clock, teller } = tell(true);
    for (const event of EVENTS) teller.event(event);
    await new Promise(setImmediate);
    clock.advance(1000);
    await new Promise(setImmediate);
    expect(screenOf(output.writes).at(-1)).toBe("turn 1/30  action 2 of 2  0:01  1,234 tokens  1 denied");
    await teller.end();
    expect(clock.sleeping).toBe(0);
    const lines = screenOf(output.writes);
    expect(lines).toEqual([
      "turn 1 of at most 30",
      "  model: “\\u{1b}]0;owned\\u{7} look: \\u{202e}\\u{9b}2J”",
      expect.stringMatching(/^ {2}left_click \(10, 10\) +denied {3}E_BOUNDS: outside$/),
    ]);
  });

  it("makes room for what the agent's own code writes", async () => {
    const { output, teller } = tell(true);
    teller.doing("loading the module");
    teller.around(() => {
      output.writes.push("agent log\n");
      return true;
    }, "agent log\n");
    expect(screenOf(output.writes)).toEqual(["agent log", "loading the module  0:00"]);
    teller.around(() => {
      output.writes.push("no end");
      return true;
    }, "no end");
    expect(screenOf(output.writes)).toEqual(["agent log", "no end"]);
    await teller.end();
    expect(screenOf(output.writes)).toEqual(["agent log", "no end"]);
  });
});

describe("where no terminal reads", () => {
  it.each([
    ["a pipe", false, {}],
    ["a dumb terminal", true, { TERM: "dumb" }],
  ] as const)("%s gets whole plain lines, and no more as time passes", async (_what, isTerminal, env) => {
    const { output, clock, teller } = tell(isTerminal, env);
    for (const event of EVENTS) teller.event(event);
    clock.advance(60_000);
    await teller.end();
    const text = output.writes.join("");
    expect(text).not.toMatch(/[\r\u001b]/);
    expect(text.split("\n")).toHaveLength(4);
  });

  it("says when nobody reads any more", async () => {
    const { output, teller, closed } = tell(false);
    output.isClosed = true;
    teller.line("x");
    await teller.end();
    expect(closed()).toBe(1);
  });
});

describe("the words of the status", () => {
  it("gives time and counts as people read them", () => {
    expect([0, 59_999, 60_000, 3_723_000].map(formatElapsed)).toEqual(["0:00", "0:59", "1:00", "1:02:03"]);
    expect([0, 999, 1000, 1_234_567].map(formatCount)).toEqual(["0", "999", "1,000", "1,234,567"]);
  });

  it("holds numbers and fixed words only, whatever the events say", () => {
    const status = new RunStatus();
    const seen = EVENTS.map((event) => {
      status.note(event);
      return status.describe(0);
    });
    status.note({ type: "retry", turn: 1, attempt: 2, reason: "\u001b[2J", waitMs: 5 });
    seen.push(status.describe(0));
    for (const text of seen) expect(text).toMatch(/^[a-z0-9 /:,()]+$/);
    expect(seen).toEqual([
      "turn 1/30  asking the model  0:00",
      "turn 1/30  action 1 of 2  0:00  1,234 tokens",
      "turn 1/30  action 2 of 2  0:00  1,234 tokens  1 denied",
      "turn 1/30  asking again (attempt 2)  0:00  1,234 tokens  1 denied",
    ]);
  });
});
