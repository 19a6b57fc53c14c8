// What is declared and checked but not built yet answers so, and only to agents that declare its word.
import { describe, expect, it } from "vitest";
import { computer, computerUse, launch } from "../../../src/index.js";

type Call = (agent: object) => Promise<unknown>;

const CALLS: readonly (readonly [name: string, word: string, call: Call])[] = [
  ["clipboard.read", "computer.clipboard.read", (agent) => computer.clipboard.read(agent)],
  ["clipboard.write", "computer.clipboard.write", (agent) => computer.clipboard.write(agent, "x")],
  ["windows.list", "computer.screen", (agent) => computer.windows.list(agent)],
  ["observe", "computer.screen", (agent) => computer.observe(agent)],
];

async function codeOf(cap: string, call: Call): Promise<unknown> {
  class Agent {
    async run() {
      await call(this);
    }
  }
  const declared = computerUse({ cap: cap as "computer.screen", name: "Agent" })(Agent);
  const result = await launch(declared, { goal: "go", derive: true });
  return result.outcome === "completed" ? "completed" : result.error.code;
}

describe("a function that is not built yet", () => {
  it.each(CALLS)("%s is E_UNSUPPORTED with %s, and E_GRANT without", async (_name, word, call) => {
    expect(await codeOf(word, call)).toBe("E_UNSUPPORTED");
    const other = word === "computer.screen" ? "computer.input.pointer" : "computer.screen";
    expect(await codeOf(other, call)).toBe("E_GRANT");
  });
});
