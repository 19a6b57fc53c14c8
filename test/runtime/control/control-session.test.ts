// The door of a run: counted, recorded, closed by what must close it. Judged by the fake display's events and the trace.
import { describe, expect, it } from "vitest";
import type { ActionName } from "../../../src/contract/actions.js";
import { parseAction, parseToolCall } from "../../../src/contract/parse-action.js";
import type { ActionOutcome } from "../../../src/runtime/control/action-port.js";
import { openControlSession } from "../../../src/runtime/control/control-session.js";
import { MemoryJournal } from "../../../src/runtime/control/memory-journal.js";
import { type FakeDesktopOptions, fakeDesktop } from "../../../src/runtime/drivers/index.js";
import { CAPS } from "../../adversarial/fixtures.js";
import { instantClock } from "../../adversarial/instant-clock.js";
import { type ControlSetup, controlOptions } from "./options.js";

const MODEL = { by: "model", turn: 1, callId: "toolu_1" } as const;
/** A tenth of the viewport, so that frames are cheap. */
const size = { width: 128, height: 80 };

async function open(setup: ControlSetup = {}, desktopOptions: FakeDesktopOptions = {}) {
  const desktop = fakeDesktop({ size, clock: instantClock(), ...desktopOptions });
  const options = await controlOptions({ desktop, clock: instantClock(), ...setup });
  const session = openControlSession(options);
  const act = (name: ActionName, input: unknown = {}) => session.act(parseAction(name, input), MODEL);
  return { desktop, session, journal: options.journal, act };
}

const INSIDE = { coordinate: [200, 200] };
const OUTSIDE = { coordinate: [5, 5] };
const codeOf = (outcome: ActionOutcome) => ("code" in outcome ? outcome.code : outcome.status);

describe("quotas", () => {
  it("Q-011 a hundred calls at once on a quota of ten: ten are executed", async () => {
    const { desktop, session, act } = await open({ declaration: { ...CAPS.A, maxActions: 10 } });
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => act("left_click", INSIDE)));
    expect(outcomes.filter((outcome) => outcome.status === "done")).toHaveLength(10);
    expect(outcomes.slice(0, 10).every((outcome) => outcome.status === "done")).toBe(true);
    expect(desktop.events.filter((event) => event.type === "button" && event.down)).toHaveLength(10);
    expect(session.counts().actions).toBe(10);
    expect(session.fatal?.code).toBe("E_QUOTA");
  });

  it("Q-001 the fourth click of three is refused, and ends the run even under refuse", async () => {
    const { desktop, session, act } = await open({ declaration: CAPS.Q });
    for (let n = 0; n < 3; n++) expect((await act("left_click", INSIDE)).status).toBe("done");
    const events = desktop.events.length;
    expect(codeOf(await act("left_click", INSIDE))).toBe("E_QUOTA");
    expect(session.fatal?.code).toBe("E_QUOTA");
    expect(desktop.events.length).toBe(events);
  });

  it("Q-002 refused clicks cost no action: three denied, then three executed", async () => {
    const { act } = await open({ declaration: CAPS.Q });
    for (let n = 0; n < 3; n++) expect(codeOf(await act("left_click", OUTSIDE))).toBe("E_BOUNDS");
    for (let n = 0; n < 3; n++) expect((await act("left_click", INSIDE)).status).toBe("done");
  });

  it("Q-005 waits and looks count as actions", async () => {
    const { session, act } = await open({ declaration: CAPS.Q });
    await act("wait", { duration: 0 });
    await act("screenshot");
    await act("cursor_position");
    expect(session.counts()).toEqual({ actions: 3, events: 0 });
    expect(codeOf(await act("wait", { duration: 0 }))).toBe("E_QUOTA");
  });

  it("Q-009 a held key is charged for the repeats that a server makes of it", async () => {
    const { session, act } = await open();
    await act("hold_key", { text: "a", duration: 5 });
    // One press, and (5000 − 660) / 40 repeats, rounded up.
    expect(session.counts().events).toBe(1 + 109);
  });

  it.each<readonly [ActionName, object, number]>([
    ["type", { text: "a\u{1f600}b" }, 3],
    ["key", { text: "a", repeat: 7 }, 7],
    ["scroll", { ...INSIDE, scroll_direction: "down", scroll_amount: 9 }, 9],
    ["triple_click", INSIDE, 3],
    ["left_click_drag", { start_coordinate: [150, 150], coordinate: [300, 300] }, 1],
    ["mouse_move", INSIDE, 0],
    ["hold_key", { text: "a", duration: 0.66 }, 1],
    ["hold_key", { text: "a", duration: 0.661 }, 2],
  ])("charges %s %j with %i events", async (name, input, events) => {
    const { session, act } = await open();
    expect((await act(name, input)).status).toBe("done");
    expect(session.counts()).toEqual({ actions: 1, events });
  });

  it("refuses what would pass the event budget before the first event", async () => {
    const { desktop, session, act } = await open({ declaration: { ...CAPS.A, maxEvents: 5 } });
    expect((await act("type", { text: "abc" })).status).toBe("done");
    const sent = desktop.events.length;
    expect(codeOf(await act("type", { text: "def" }))).toBe("E_QUOTA");
    expect(desktop.events.length).toBe(sent);
    expect(session.counts().events).toBe(3);
  });

  it("Q-017 two runs on one declaration count for themselves", async () => {
    const first = await open({ declaration: CAPS.Q });
    const second = await open({ declaration: CAPS.Q });
    const all = [];
    for (let n = 0; n < 3; n++)
      all.push(await first.act("left_click", INSIDE), await second.act("left_click", INSIDE));
    expect(all.every((outcome) => outcome.status === "done")).toBe(true);
    expect(codeOf(await first.act("left_click", INSIDE))).toBe("E_QUOTA");
    expect(second.session.fatal).toBeUndefined();
  });
});

describe("violations", () => {
  it("abort: the first one closes the door for good", async () => {
    const { desktop, session, journal, act } = await open({
      declaration: { ...CAPS.A, onViolation: "abort" },
    });
    expect(await act("left_click", OUTSIDE)).toMatchObject({
      status: "refused",
      code: "E_BOUNDS",
      violation: true,
    });
    expect(session.fatal).toMatchObject({ name: "SandboxViolation", kind: "out_of_bounds" });
    expect((await act("left_click", INSIDE)).status).toBe("refused");
    expect((await act("wait", { duration: 0 })).status).toBe("refused");
    expect(desktop.events).toEqual([]);
    expect(journal.ofKind("violation")[0]?.data).toMatchObject({ code: "E_BOUNDS", fatal: true });
    expect(journal.ofKind("intent")).toEqual([]);
  });

  it("refuse: ten are survived, the eleventh closes the door", async () => {
    const { session, act } = await open();
    for (let n = 0; n < 10; n++) await act("left_click", OUTSIDE);
    expect(session.fatal).toBeUndefined();
    expect((await act("left_click", INSIDE)).status).toBe("done");
    await act("key", { text: "Return" });
    expect(session.fatal).toMatchObject({ code: "E_KEY_DENIED" });
    expect((await act("left_click", INSIDE)).status).toBe("refused");
  });

  it("malformed and impossible actions are no violations", async () => {
    const { desktop, session, act } = await open({ declaration: { ...CAPS.A, onViolation: "abort" } });
    desktop.disturb({ pointer: { x: 20, y: 20 } });
    for (const [name, input] of [
      ["left_click", { coordinate: [1.5, 2] }],
      ["key", { text: "bogus" }],
      ["key", { text: "F13" }],
      ["key", { text: "a+b" }],
      ["type", { text: "a".repeat(10_001) }],
      ["left_mouse_up", {}],
    ] as const) {
      expect(await act(name, input)).toMatchObject({ status: "refused", violation: false });
    }
    expect(session.fatal).toBeUndefined();
    expect((await act("left_click", INSIDE)).status).toBe("done");
  });

  it("tell the model a fixed phrase: no limit, no value, no host detail", async () => {
    const { act } = await open();
    const outcome = await act("left_click", { coordinate: [7, 8] });
    expect(outcome).toMatchObject({ reason: "(7, 8) is outside x 100–499, y 100–399" });
    if (outcome.status !== "refused") throw new Error("allowed");
    expect(outcome.toModel).toBe("The target is outside the allowed region.");
  });
});

describe("the trace", () => {
  it("has the verdict before the intent, the intent before the event, the receipt after it", async () => {
    const order: string[] = [];
    const journal = new MemoryJournal();
    const append = journal.append.bind(journal);
    journal.append = async (kind, data) => {
      await append(kind, data);
      order.push(kind);
    };
    const fault = () => {
      order.push("driver");
      return undefined;
    };
    const { act } = await open({ journal }, { fault });
    await act("left_click", INSIDE);
    const acting = order.filter((what) => what !== "driver" || order.length > 0);
    const intent = acting.indexOf("intent");
    expect(acting.indexOf("action")).toBeLessThan(intent);
    expect(acting[intent + 1]).toBe("driver");
    expect(acting[intent + 2]).toBe("receipt");
  });

  it("E_AUDIT: when the intent cannot be kept, nothing is executed", async () => {
    const { desktop, journal, act } = await open();
    await act("mouse_move", INSIDE);
    const events = desktop.events.length;
    journal.fail();
    await expect(act("left_click", INSIDE)).rejects.toMatchObject({ code: "E_AUDIT" });
    await expect(act("type", { text: "x" })).rejects.toMatchObject({ code: "E_AUDIT" });
    await expect(act("left_click", OUTSIDE)).rejects.toMatchObject({ code: "E_AUDIT" });
    expect(desktop.events.length).toBe(events);
  });

  it.each(["action", "intent"] as const)(
    "E_AUDIT: when the %s record alone cannot be kept, nothing is executed",
    async (broken) => {
      const journal = new MemoryJournal();
      const append = journal.append.bind(journal);
      journal.append = async (kind, data) => {
        if (kind === broken) journal.fail();
        await append(kind, data);
      };
      const { desktop, act } = await open({ journal });
      await expect(act("left_click", INSIDE)).rejects.toMatchObject({ code: "E_AUDIT" });
      expect(desktop.events).toEqual([]);
    },
  );

  it("holds no typed text and no unescaped reason", async () => {
    const { journal, act } = await open();
    await act("type", { text: "hunter2-secret" });
    await act("key", { text: "ctrl+\u202eevil" });
    await act("left_click", { "\u202ekey": 1 });
    expect(journal.text).not.toContain("hunter2");
    expect(journal.text).not.toContain("\u202e");
    expect(journal.text).toContain('"length":14');
  });
});

describe("what the driver reports", () => {
  it("B-023 a pointer that was moved away between placing and pressing: E_STALE, no press", async () => {
    const { desktop, session, act } = await open({}, { fault: () => ({ warp: { x: 0, y: 0 } }) });
    const outcome = await act("left_click", INSIDE);
    expect(codeOf(outcome)).toBe("E_STALE");
    expect(desktop.events.filter((event) => event.type === "button")).toEqual([]);
    expect(session.fatal).toBeUndefined();
  });

  it("T-023 a modifier that is down already: nothing is typed", async () => {
    const { desktop, act } = await open();
    desktop.disturb({ keyDown: "ctrl" });
    expect(codeOf(await act("type", { text: "w" }))).toBe("E_STATE");
    expect(codeOf(await act("key", { text: "a" }))).toBe("E_STATE");
    expect(desktop.events).toEqual([]);
  });

  it("Q-013 a driver that fails half way: indeterminate, charged, never retried", async () => {
    const fault: NonNullable<FakeDesktopOptions["fault"]> = (action) =>
      action.kind === "drag" ? { code: "E_BACKEND", afterEvents: 3 } : undefined;
    const { desktop, session, journal, act } = await open({}, { fault });
    const outcome = await act("left_click_drag", { start_coordinate: [150, 150], coordinate: [300, 300] });
    expect(outcome).toMatchObject({ status: "failed", code: "E_INDETERMINATE" });
    expect(journal.ofKind("receipt").map((record) => record.data)).toMatchObject([
      { status: "indeterminate", code: "E_BACKEND", reason: expect.stringMatching(/\S/) },
    ]);
    expect(session.counts().actions).toBe(1);
    expect(desktop.performed.filter((action) => action.kind === "drag")).toEqual([]);
    // The button that the drag pressed was let go, and the run is over.
    expect(desktop.view.heldButtons).toEqual([]);
    expect(session.fatal?.code).toBe("E_INDETERMINATE");
  });

  it("a driver that fails before the first event: refused or failed, never indeterminate", async () => {
    const fault = (code: "E_TEXT_UNSUPPORTED" | "E_BACKEND") => (action: { kind: string }) =>
      action.kind === "type" ? ({ code, afterEvents: 0 } as const) : undefined;
    const soft = await open({}, { fault: fault("E_TEXT_UNSUPPORTED") });
    expect(await soft.act("type", { text: "x" })).toMatchObject({
      status: "refused",
      code: "E_TEXT_UNSUPPORTED",
    });
    expect(soft.session.fatal).toBeUndefined();
    const hard = await open({}, { fault: fault("E_BACKEND") });
    expect(await hard.act("type", { text: "x" })).toMatchObject({ status: "failed", code: "E_BACKEND" });
    expect(hard.session.fatal?.code).toBe("E_BACKEND");
  });

  it("a press that never happened leaves no button held in the gate's eyes", async () => {
    let failing = true;
    const fault: NonNullable<FakeDesktopOptions["fault"]> = (action) =>
      failing && action.kind === "press" ? { code: "E_STATE", afterEvents: 0 } : undefined;
    const { desktop, act } = await open({}, { fault });
    desktop.disturb({ pointer: { x: 20, y: 20 } });
    expect(codeOf(await act("left_mouse_down"))).toBe("E_STATE");
    expect((await act("left_click", INSIDE)).status).toBe("done");
    failing = false;
    expect((await act("left_mouse_down")).status).toBe("done");
    expect(codeOf(await act("left_click", INSIDE))).toBe("E_STATE");
    expect((await act("left_mouse_up")).status).toBe("done");
  });

  it("a release that never happened can be asked for again", async () => {
    let failing = true;
    const fault: NonNullable<FakeDesktopOptions["fault"]> = (action) =>
      failing && action.kind === "release" ? { code: "E_STALE", afterEvents: 0 } : undefined;
    const { desktop, act } = await open({}, { fault });
    desktop.disturb({ pointer: { x: 20, y: 20 } });
    expect((await act("left_mouse_down")).status).toBe("done");
    expect(codeOf(await act("left_mouse_up"))).toBe("E_STALE");
    failing = false;
    expect((await act("left_mouse_up")).status).toBe("done");
    expect(desktop.view.heldButtons).toEqual([]);
  });

  it("a display that is lost ends the run", async () => {
    const { desktop, session, act } = await open();
    desktop.lose("gone");
    const outcome = await act("left_click", INSIDE);
    expect(outcome.status).not.toBe("done");
    expect(codeOf(outcome)).toBe("E_DISPLAY_LOST");
    expect(session.fatal?.code).toBe("E_DISPLAY_LOST");
  });
});

describe("pause and stop", () => {
  it("pause holds what comes next and lets go of what is held; resume goes on", async () => {
    const { desktop, session, journal, act } = await open();
    desktop.disturb({ pointer: { x: 20, y: 20 } });
    await act("left_mouse_down");
    expect(desktop.view.heldButtons).toEqual([1]);
    await session.pause("coffee");
    expect(desktop.view.heldButtons).toEqual([]);
    let done = false;
    const waiting = act("left_click", INSIDE).then((outcome) => {
      done = true;
      return outcome;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    await session.resume("back");
    expect((await waiting).status).toBe("done");
    expect(journal.ofKind("control").map((record) => record.data.what)).toEqual(["pause", "resume"]);
    expect(journal.ofKind("released").map((record) => record.data)).toEqual([
      { released: { keys: [], buttons: [1] }, when: "pause" },
    ]);
  });

  it("stop ends what waits in a pause, and is never resumed", async () => {
    const { desktop, session, act } = await open();
    await session.pause("coffee");
    const waiting = act("left_click", INSIDE);
    await session.stop("enough");
    expect(codeOf(await waiting)).toBe("E_REVOKED");
    await expect(session.resume("no")).rejects.toMatchObject({ code: "E_STATE" });
    expect(codeOf(await act("left_click", INSIDE))).toBe("E_REVOKED");
    expect(desktop.events).toEqual([]);
    await session.stop("again");
  });

  it("stop cuts the action under way short and lets go of what it held", async () => {
    let noteStarted = () => {};
    const started = new Promise<void>((resolve) => {
      noteStarted = resolve;
    });
    const fault: NonNullable<FakeDesktopOptions["fault"]> = (action) => {
      if (action.kind !== "type") return undefined;
      noteStarted();
      return "hang";
    };
    const { desktop, session, act } = await open({}, { fault });
    const typing = act("type", { text: "never typed" });
    await started;
    await session.stop("now");
    const outcome = await typing;
    expect(outcome.status).toBe("failed");
    expect(desktop.text).toBe("");
    expect(desktop.view.heldKeys).toEqual([]);
    expect(session.fatal?.code).toBe("E_REVOKED");
  });

  it("an aborted caller's action is not executed", async () => {
    const { desktop, session } = await open();
    const reason = new Error("caller left");
    const outcome = session.act(parseAction("left_click", INSIDE), MODEL, AbortSignal.abort(reason));
    await expect(outcome.then(codeOf, (error: unknown) => error)).resolves.not.toBe("done");
    expect(desktop.events).toEqual([]);
  });

  it("finish lets go once, and nothing can be done afterwards", async () => {
    const { desktop, session, journal, act } = await open();
    desktop.disturb({ pointer: { x: 20, y: 20 } });
    await act("left_mouse_down");
    await session.finish();
    await session.finish();
    expect(desktop.view.heldButtons).toEqual([]);
    expect(journal.ofKind("released")).toHaveLength(1);
    const events = desktop.events.length;
    expect((await act("left_click", INSIDE)).status).not.toBe("done");
    expect(desktop.events.length).toBe(events);
  });

  it("two sessions cannot both hold one display", async () => {
    const desktop = fakeDesktop({ size, clock: instantClock() });
    const options = await controlOptions({ desktop, clock: instantClock() });
    const other = await controlOptions({ clock: instantClock() });
    const first = openControlSession(options);
    const second = openControlSession({ ...other, desktop: options.desktop, cap: options.cap });
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? first : second)).map((session) =>
        session.act(parseAction("left_click", INSIDE), MODEL),
      ),
    );
    const done = results.filter((outcome) => outcome.status === "done").length;
    expect(done).toBe(desktop.performed.filter((action) => action.kind === "click").length);
    for (const outcome of results) expect(["done", "E_LEASE"]).toContain(codeOf(outcome));
  });
});

describe("calls", () => {
  it("that did not parse are recorded and refused, whatever their name", async () => {
    const { desktop, session, journal } = await open();
    for (const name of ["bash", "__proto__", "a".repeat(100_000), "\u202e"]) {
      const outcome = await session.act(parseToolCall({ name, input: {} }, ["toolset"]), {
        ...MODEL,
        callId: name,
      });
      expect(codeOf(outcome)).toBe("E_UNKNOWN_TOOL");
    }
    expect(desktop.events).toEqual([]);
    expect(journal.ofKind("action")).toHaveLength(4);
    for (const { data } of journal.ofKind("action"))
      expect(data.callId?.length ?? 0).toBeLessThanOrEqual(128);
  });

  it.each([
    ["A", ["screenshot", "left_click", "type"], ["middle_click"]],
    ["B", ["left_click", "key", "wait"], ["screenshot", "zoom", "cursor_position"]],
    ["C", ["screenshot", "scroll"], ["type", "key", "hold_key"]],
    ["D", ["cursor_position", "type"], ["left_click", "mouse_move", "left_mouse_down", "scroll"]],
    ["paste", ["middle_click"], []],
  ] as const)("cap %s is offered what it grants and nothing else", async (cap, has, lacks) => {
    const { session } = await open({ declaration: CAPS[cap] });
    for (const name of has) expect(session.offered()).toContain(name);
    for (const name of lacks) expect(session.offered()).not.toContain(name);
  });
});
