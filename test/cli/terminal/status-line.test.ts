import { describe, expect, it } from "vitest";
import type { Output } from "../../../src/cli/io.js";
import { fitColumns, StatusLine } from "../../../src/cli/terminal/status-line.js";
import { canRedraw, usesColour } from "../../../src/cli/terminal/style.js";
import { Screen } from "./screen.js";

class ScreenOutput implements Output {
  readonly isTerminal = true;
  readonly isClosed = false;
  readonly failure = undefined;
  readonly screen: Screen;
  readonly columns: number | undefined;

  constructor(columns: number | undefined) {
    this.columns = columns;
    this.screen = new Screen(columns ?? 80);
  }

  async write(text: string): Promise<void> {
    this.screen.write(text);
  }
}

describe("a line that is drawn over", () => {
  it("stands below what is printed, and leaves nothing", async () => {
    const output = new ScreenOutput(40);
    const line = new StatusLine(output, { colour: true });
    await line.show("turn 1/30  asking the model  0:00");
    await line.print("turn 1\n");
    expect(output.screen.lines).toEqual(["turn 1", "turn 1/30  asking the model  0:00"]);
    await line.show("turn 1/30  0:01");
    expect(output.screen.lines).toEqual(["turn 1", "turn 1/30  0:01"]);
    await line.clear();
    await line.print("completed\n");
    expect(output.screen.lines).toEqual(["turn 1", "completed"]);
  });

  it("never wraps, however narrow the terminal and however wide the characters", async () => {
    for (const columns of [1, 2, 10, 33]) {
      const output = new ScreenOutput(columns);
      const line = new StatusLine(output, { colour: false });
      await line.show("turn 1/30  asking the model  0:00  12,345 tokens");
      await line.show("日本語日本語日本語日本語日本語日本語");
      await line.clear();
      expect(output.screen.wrapped).toBe(0);
      expect(output.screen.lines).toEqual([]);
    }
  });

  it("is cut with an ellipsis within its columns, wide characters counted double", () => {
    expect(fitColumns("abcdef", 6)).toBe("abcdef");
    expect(fitColumns("abcdef", 5)).toBe("abcd…");
    expect(fitColumns("日本語", 5)).toBe("日本…");
    expect(fitColumns("日本語", 4)).toBe("日…");
    expect(fitColumns("日本語", 6)).toBe("日本語");
    expect(fitColumns("abc", 0)).toBe("");
  });
});

describe("what a terminal may be sent", () => {
  const terminal = { isTerminal: true } as Output;
  const pipe = { isTerminal: false } as Output;
  it.each<readonly [string, Output, Record<string, string>, boolean, boolean]>([
    ["a terminal", terminal, { TERM: "xterm" }, true, true],
    ["a terminal that says nothing of itself", terminal, {}, true, true],
    ["a dumb terminal", terminal, { TERM: "dumb" }, false, false],
    ["NO_COLOR", terminal, { NO_COLOR: "1" }, false, true],
    ["an empty NO_COLOR, which counts as none", terminal, { NO_COLOR: "" }, true, true],
    ["FORCE_COLOR over NO_COLOR", terminal, { FORCE_COLOR: "1", NO_COLOR: "1" }, true, true],
    ["FORCE_COLOR=0", terminal, { FORCE_COLOR: "0" }, false, true],
    ["a pipe", pipe, { TERM: "xterm" }, false, false],
    ["FORCE_COLOR on a pipe: colour, and no drawing", pipe, { FORCE_COLOR: "1" }, true, false],
  ])("%s", (_what, output, env, colour, redraw) => {
    expect([usesColour(output, env), canRedraw(output, env)]).toEqual([colour, redraw]);
  });
});
