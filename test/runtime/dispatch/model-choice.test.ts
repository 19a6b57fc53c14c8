// Which pairs of model and tool start: those that the documentation lists. The rest is refused before anything is
// opened or asked, with the value and the way out.
import { afterEach, describe, expect, test } from "vitest";
import type { ToolVersion } from "../../../src/contract/models.js";
import { Dispatcher } from "../../../src/runtime/dispatch/dispatcher.js";
import type { ModelPort } from "../../../src/runtime/dispatch/model-port.js";
import { fakeDesktop } from "../../../src/runtime/testing/fake-desktop.js";
import { bench, closeAll, entryOf, instantClock, recorded, say } from "./setup.js";

afterEach(closeAll);

const SET = "computer_toolset_20260801";
const VERSIONS: readonly ToolVersion[] = [SET, "computer_20251124", "computer_20250124", "computer_20241022"];

/** Which versions the API takes, by model. */
const TAKES: Readonly<Record<string, readonly ToolVersion[]>> = {
  "claude-opus-5-5": [SET],
  "claude-haiku-5-5": [SET],
  "claude-mythos-5-2": [SET],
  "claude-opus-5": [SET, "computer_20251124"],
  "claude-fable-5-1": [SET, "computer_20251124"],
  "claude-opus-4-8": [SET, "computer_20251124"],
  "claude-opus-4-7": ["computer_20251124"],
  "claude-sonnet-4-6": ["computer_20251124"],
  "claude-haiku-4-5-20251001": ["computer_20250124"],
  "claude-3-5-sonnet-20241022": ["computer_20241022"],
  "claude-opus-9": [SET],
};

function port(model?: string): ModelPort {
  return {
    id: "none",
    ...(model === undefined ? {} : { model }),
    ask: () => Promise.reject(new Error("nothing may be asked")),
    close: async () => {},
  };
}

function start(entryModel: string | undefined, tool: ToolVersion, portModel?: string) {
  const entry = { ...entryOf(entryModel === undefined ? {} : { model: entryModel }), tool };
  return Dispatcher.fromSpec(entry, { model: port(portModel), desktop: fakeDesktop() });
}

const pairs = Object.entries(TAKES).flatMap(([model, takes]) =>
  VERSIONS.map((tool) => ({ model, tool, taken: takes.includes(tool) })),
);

describe("a spec that names its model", () => {
  test.each(pairs.filter(({ taken }) => taken))(
    "$model with $tool runs with that tool",
    ({ model, tool }) => {
      const dispatcher = start(model, tool);
      expect([dispatcher.modelId, dispatcher.tool]).toEqual([model, tool]);
    },
  );

  test.each(pairs.filter(({ taken }) => !taken))("$model with $tool is refused", ({ model, tool }) => {
    const takes = (TAKES[model] ?? []).join(" or ");
    expect(() => start(model, tool)).toThrow(
      expect.objectContaining({
        name: "ConfigurationError",
        code: "E_SPEC",
        message: expect.stringContaining(
          `"${model}" takes ${takes}, but the spec of Tester was built for ${tool}`,
        ),
      }),
    );
    expect(() => start(model, tool)).toThrow(
      /declare model: .* and build again, or choose a model that takes/,
    );
  });

  test("another model at run keeps the tool where it takes it, and is refused where not", () => {
    expect(start("claude-opus-4-6", "computer_20251124", "claude-opus-5").tool).toBe("computer_20251124");
    expect(() => start("claude-opus-4-6", "computer_20251124", "claude-opus-5-5")).toThrow(/E_SPEC|takes/);
    expect(() => start("claude-opus-5-5", SET, "claude-opus-4-7")).toThrow(
      /"claude-opus-4-7" takes computer_20251124/,
    );
  });
});

describe("a spec that names none", () => {
  test.each([
    ["claude-opus-5", SET],
    ["claude-opus-4-7", "computer_20251124"],
    ["claude-haiku-4-5", "computer_20250124"],
    ["somebody-elses-model", SET],
  ])("runs with %s by %s", (model, tool) => {
    expect(start(undefined, SET, model).tool).toBe(tool);
  });

  test("runs with the default model", () => {
    expect(start(undefined, SET).modelId).toBe("claude-opus-5-5");
  });
});

describe("a model whose end is announced", () => {
  async function adviceAt(model: string, day: string) {
    const clock = { ...instantClock(), now: () => `${day}T12:00:00.000Z` };
    const { dispatcher, events } = bench(recorded([[say("done")], [say("done")]]), { model }, { clock });
    const first = await dispatcher.run("go");
    await dispatcher.run("and again");
    const advice = events.flatMap((event) => (event.type === "advice" ? [event.message] : []));
    return { outcome: first.outcome, advice };
  }

  test("runs, with advice once a run", async () => {
    expect(await adviceAt("claude-sonnet-4-5", "2026-12-24")).toEqual({
      outcome: "completed",
      advice: [
        'the model "claude-sonnet-4-5" is being retired, the API no longer answers for it since 2026-11-30: choose another, such as claude-opus-5-5',
      ],
    });
    expect((await adviceAt("claude-opus-4-5", "2026-12-24")).advice).toEqual([
      expect.stringContaining("answers for it until 2027-01-22"),
    ]);
  });

  test("gives no advice long before, and none for other models", async () => {
    expect((await adviceAt("claude-opus-4-5", "2026-10-01")).advice).toEqual([]);
    expect((await adviceAt("claude-opus-5-5", "2029-01-01")).advice).toEqual([]);
  });
});
