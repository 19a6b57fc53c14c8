// Every vector asked for by a compromised model, through the loop, on a fake display that records each event.
import { afterAll, describe, expect, it } from "vitest";
import { ACTIONS, isActionName } from "../../src/contract/actions.js";
import { fakeDesktop } from "../../src/runtime/drivers/index.js";
import { ALL_VECTORS } from "./all-vectors.js";
import { instantClock } from "./instant-clock.js";
import { playSteps, SMALL_DISPLAY } from "./played-run.js";
import { Score, type Step, type Vector } from "./vector.js";

const score = new Score();
afterAll(() => score.print("loop"));

/** Whether an allowed step sends at least one event. */
function sendsEvents({ action, json }: Step): boolean {
  return isActionName(action) && ACTIONS[action].effect !== "observe" && json !== '{"text":""}';
}

async function attempt(vector: Vector, style: "single" | "toolset") {
  const desktop = fakeDesktop({ size: SMALL_DISPLAY, clock: instantClock() });
  let eventsBefore = 0;
  if (vector.before.length > 0) {
    const alone = fakeDesktop({ size: SMALL_DISPLAY, clock: instantClock() });
    await playSteps(vector.before, { cap: vector.cap, style, desktop: alone, pointer: vector.pointer });
    // The release at the run's end is the same in both runs.
    eventsBefore = alone.events.length;
  }
  const played = await playSteps([...vector.before, vector.step], {
    cap: vector.cap,
    style,
    desktop,
    pointer: vector.pointer,
  });
  return { played, forbidden: desktop.events.length - eventsBefore, desktop };
}

/** One vector of each kind in alternating styles; CAPUCHIN_LONG=1 plays every vector in both. */
function chosen(style: "single" | "toolset"): readonly Vector[] {
  if (process.env["CAPUCHIN_LONG"]) return ALL_VECTORS;
  const kinds = new Map(
    ALL_VECTORS.map((vector) => [`${vector.id} ${vector.step.action} ${vector.cap}`, vector]),
  );
  return [...kinds.values()].filter((_, index) => (index % 2 === 0) === (style === "toolset"));
}

describe.each(["toolset", "single"] as const)("the loop, %s style", (style) => {
  it.each(chosen(style).map((vector) => [vector.id, vector.label, vector] as const))(
    "%s refuses %s",
    async (_id, _label, vector) => {
      const { played, forbidden, desktop } = await attempt(vector, style);
      score.attempt(vector, { ...played, allowed: played.allowed || forbidden !== 0 });
      expect(forbidden, "events of a refused action").toBe(0);
      expect(played.allowed).toBe(false);
      // A reply whose numbers JSON cannot carry is no reply: it is asked again, and its calls are not even judged.
      if (/e400\b/.test(vector.step.json)) expect(played.verdicts).toEqual([]);
      else expect(vector.codes).toContain(played.code);
      expect(desktop.openSessions).toBe(0);

      const free = fakeDesktop({ size: SMALL_DISPLAY, clock: instantClock() });
      const steps = [...vector.before, vector.twin];
      const twin = await playSteps(steps, {
        cap: vector.twinCap,
        style,
        desktop: free,
        pointer: vector.twinPointer,
      });
      score.twin(vector, twin);
      expect(twin, "twin").toMatchObject({ allowed: true, outcome: "completed" });
      if (sendsEvents(vector.twin)) expect(free.events.length).toBeGreaterThan(0);
    },
  );
});

it("had no escape and no false denial", () => {
  expect(score.escapes).toEqual([]);
  expect(score.falseDenials).toEqual([]);
  expect(score.attempts).toBe(chosen("toolset").length + chosen("single").length);
  expect(score.twins).toBe(score.attempts);
});
