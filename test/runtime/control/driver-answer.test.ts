// A desktop may be anybody's: what it answers, and what it throws, is judged before it counts.
import { describe, expect, it } from "vitest";
import type { ActionName } from "../../../src/contract/actions.js";
import { parseAction } from "../../../src/contract/parse-action.js";
import type { Desktop, DesktopSession } from "../../../src/runtime/cap/desktop-port.js";
import { openControlSession } from "../../../src/runtime/control/control-session.js";
import { fakeDesktop } from "../../../src/runtime/drivers/index.js";
import { instantClock } from "../../adversarial/instant-clock.js";
import { controlOptions } from "./options.js";

const size = { width: 128, height: 80 };
const MODEL = { by: "model", turn: 1, callId: "toolu_1" } as const;

/** The fake desktop with another answer for one kind of result. */
async function open(kind: "frame" | "cursor" | "delivered", instead: (answer: object) => unknown) {
  const fake = fakeDesktop({ size, clock: instantClock() });
  const desktop: Desktop = {
    kind: "somebody's",
    async open(options) {
      const session = await fake.open(options);
      const perform = async (...[action, rest]: Parameters<DesktopSession["perform"]>) => {
        const answer = await session.perform(action, rest);
        return (answer.kind === kind ? await instead(answer) : answer) as typeof answer;
      };
      return Object.assign(Object.create(session) as DesktopSession, {
        size: session.size,
        serverId: session.serverId,
        kind: session.kind,
        released: session.released,
        lost: session.lost,
        perform,
        settle: session.settle.bind(session),
        releaseAll: session.releaseAll.bind(session),
        close: session.close.bind(session),
      });
    },
  };
  const options = await controlOptions({ desktop, clock: instantClock() });
  const session = openControlSession(options);
  const act = (name: ActionName, input: unknown = {}) => session.act(parseAction(name, input), MODEL);
  return { session, act, journal: options.journal };
}

function throws(error: unknown): () => never {
  return () => {
    throw error;
  };
}

describe("an answer to input", () => {
  it("as it should be is done (benign twin)", async () => {
    const { act } = await open("delivered", (answer) => answer);
    expect(await act("left_click", { coordinate: [200, 200] })).toMatchObject({ status: "done" });
  });

  it.each([
    ["a plain error", throws(new Error("boom"))],
    ["no error at all", throws("boom")],
    ["nothing", () => undefined],
    [
      "an answer that cannot be read",
      () => ({
        kind: "delivered",
        get events(): number {
          throw new Error("boom");
        },
        pointer: { x: 1, y: 1 },
      }),
    ],
    ["a picture", () => ({ kind: "frame", png: new Uint8Array(8), size })],
    ["a number of events that is none", (answer: object) => ({ ...answer, events: Number.NaN })],
    ["a pointer that is nowhere", (answer: object) => ({ ...answer, pointer: { x: 1.5, y: Number.NaN } })],
    ["a pointer off the display", (answer: object) => ({ ...answer, pointer: { x: 100_000, y: 0 } })],
  ])("%s: nobody knows what happened, and the run is over", async (_what, instead) => {
    const { session, act, journal } = await open("delivered", instead);
    const outcome = await act("left_click", { coordinate: [200, 200] });
    expect(outcome).toMatchObject({ status: "failed", code: "E_INDETERMINATE" });
    expect(journal.ofKind("receipt").map(({ data }) => data.status)).toEqual(["indeterminate"]);
    expect(session.fatal?.code).toBe("E_INDETERMINATE");
  });
});

describe("an answer to a look", () => {
  it.each([
    [
      "a picture of another size",
      (answer: object) => ({ ...answer, size: { width: 50, height: 40 } }),
      "E_ENV_DRIFT",
    ],
    ["nothing", () => undefined, "E_BACKEND"],
    ["a plain error", throws(new Error("boom")), "E_BACKEND"],
  ])("%s is no picture", async (_what, instead, code) => {
    const { session, act } = await open("frame", instead);
    await expect(session.observe("start")).rejects.toMatchObject({ code });
    expect(await act("screenshot")).toMatchObject({ status: expect.not.stringMatching(/done/), code });
  });

  it.each([
    ["a place of fractions", (answer: object) => ({ ...answer, at: { x: 1.5, y: Number.NaN } })],
    ["a place off the display", (answer: object) => ({ ...answer, at: { x: -1, y: 0 } })],
  ])("%s is no place", async (_what, instead) => {
    const { act } = await open("cursor", instead);
    expect(await act("cursor_position")).toMatchObject({ code: "E_BACKEND" });
  });
});
