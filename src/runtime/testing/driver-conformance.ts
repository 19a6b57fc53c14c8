// What every driver must do, as cases that any test runner can run: each throws when the driver does not. A case gets
// a session of its own, freshly opened, on a display of at least 200 × 200 pixels.
import assert from "node:assert/strict";
import { systemClock } from "../../base/clock.js";
import type { DriverAction } from "../../contract/driver-protocol.js";
import type { Point } from "../../contract/geometry.js";
import { keyOfCharacter, pressableKeys } from "../../contract/keys.js";
import { DriverError } from "../../diagnostics/errors.js";
import type { DesktopSession, Performed, PerformOptions } from "../cap/desktop-port.js";
import { mintPermitted, type PermittedAction } from "../cap/permitted.js";

/** An input event as somebody other than the driver saw it on the display. */
export type ObservedEvent =
  | { readonly type: "motion"; readonly x: number; readonly y: number }
  | {
      readonly type: "button";
      readonly button: number;
      readonly down: boolean;
      readonly x: number;
      readonly y: number;
    }
  /** `key` is the canonical id of the key table, or the character. */
  | { readonly type: "key"; readonly key: string; readonly down: boolean };

/** How the suite sees what a driver really did. */
export interface ConformanceTools {
  /** Every input event of the display since the session was opened. */
  events(): Promise<readonly ObservedEvent[]>;
  /** Gives some program the keyboard focus; not needed where text goes nowhere else. */
  focus?(): Promise<void>;
}

/** What a driver declares that it cannot do faithfully, and therefore refuses. */
export interface DriverProfile {
  /** Ids of the key table, those included that no driver is asked for. */
  readonly refusedKeys: readonly string[];
  /** Characters of `SAMPLE_TEXT`. */
  readonly refusedCharacters: string;
}

/** One promise of the driver port, to be run against a session. */
export interface ConformanceCase {
  readonly name: string;
  run(session: DesktopSession, tools: ConformanceTools): Promise<void>;
}

const A: Point = { x: 40, y: 50 };
const B: Point = { x: 160, y: 130 };

function perform(
  session: DesktopSession,
  action: DriverAction,
  options?: PerformOptions,
): Promise<Performed> {
  return session.perform(mintPermitted(action), options);
}

async function delivered(
  session: DesktopSession,
  action: DriverAction,
): Promise<{ events: number; pointer: Point }> {
  const done = await perform(session, action);
  assert.equal(done.kind, "delivered", `${action.kind} must answer that it was delivered`);
  if (done.kind !== "delivered") throw new Error("unreachable");
  return done;
}

async function refused(attempt: Promise<unknown>, code: string, events = 0): Promise<void> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error, `must be refused with ${code}, but was carried out`);
  assert.equal((error as Error & { code?: unknown }).code, code, error.message);
  if (error instanceof DriverError) assert.equal(error.events, events, "number of events already sent");
}

const buttons = (events: readonly ObservedEvent[]) => events.filter((event) => event.type === "button");
const keys = (events: readonly ObservedEvent[]) =>
  events.flatMap((event) => (event.type === "key" ? [`${event.down ? "+" : "-"}${event.key}`] : []));

function requireWholePng(png: Uint8Array, width: number, height: number): void {
  const bytes = Buffer.from(png);
  assert.equal(bytes.subarray(1, 4).toString("latin1"), "PNG", "a frame is a PNG file");
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [width, height], "size in the file");
  assert.equal(bytes.subarray(-8, -4).toString("latin1"), "IEND", "the file is whole");
}

async function capture(session: DesktopSession, action: Extract<DriverAction, { kind: "capture" }>) {
  const frame = await perform(session, action);
  if (frame.kind !== "frame") throw new Error(`capture answered ${frame.kind}`);
  return frame;
}

const looking: ConformanceCase[] = [
  {
    name: "a capture is a whole PNG of the display's size",
    async run(session) {
      const { png, size } = await capture(session, { kind: "capture" });
      assert.deepEqual(size, session.size);
      requireWholePng(png, session.size.width, session.size.height);
    },
  },
  {
    name: "a region is captured at its own size, the last pixel included, and never past the edge",
    async run(session) {
      const { width, height } = session.size;
      const corner = { x: width - 30, y: height - 20, width: 30, height: 20 };
      requireWholePng((await capture(session, { kind: "capture", region: corner })).png, 30, 20);
      await refused(perform(session, { kind: "capture", region: { ...corner, width: 31 } }), "E_SCHEMA");
    },
  },
  {
    name: "looking sends no event",
    async run(session, tools) {
      await perform(session, { kind: "capture" });
      await perform(session, { kind: "cursor" });
      await session.settle(1, 200);
      assert.deepEqual(await tools.events(), []);
    },
  },
  {
    name: "settle answers within its bound",
    async run(session) {
      assert.equal(typeof (await session.settle(20, 1000)), "boolean");
    },
  },
];

const pointing: ConformanceCase[] = [
  {
    name: "a move is one motion, and the cursor is there",
    async run(session, tools) {
      const last = { x: session.size.width - 1, y: session.size.height - 1 };
      for (const at of [A, { x: 0, y: 0 }, last]) {
        assert.deepEqual(await delivered(session, { kind: "move", at }), {
          kind: "delivered",
          events: 1,
          pointer: at,
        });
        assert.deepEqual(await perform(session, { kind: "cursor" }), { kind: "cursor", at });
      }
      const motions = (await tools.events()).map((event) => event.type);
      assert.deepEqual(motions, ["motion", "motion", "motion"]);
    },
  },
  {
    name: "a point outside the display is refused, never clamped",
    async run(session, tools) {
      const { width, height } = session.size;
      for (const at of [
        { x: width, y: 0 },
        { x: 0, y: height },
        { x: -1, y: 0 },
      ]) {
        await refused(perform(session, { kind: "move", at }), "E_SCHEMA");
        await refused(
          perform(session, { kind: "click", at, button: "left", count: 1, modifiers: [] }),
          "E_SCHEMA",
        );
      }
      assert.deepEqual(await tools.events(), []);
    },
  },
  {
    name: "clicks are pairs of press and release at the point, one pair for each count",
    async run(session, tools) {
      for (const [button, number, count] of [
        ["left", 1, 1],
        ["middle", 2, 1],
        ["right", 3, 2],
      ] as const) {
        const before = buttons(await tools.events()).length;
        const done = await delivered(session, { kind: "click", at: A, button, count, modifiers: [] });
        assert.equal(done.events, 1 + 2 * count, "events are counted exactly");
        const pair = [true, false].map((down) => ({ type: "button", button: number, down, ...A }));
        const expected = Array.from({ length: count }, () => pair).flat();
        assert.deepEqual(buttons(await tools.events()).slice(before), expected);
      }
    },
  },
  {
    name: "a click holds its modifiers around the press",
    async run(session, tools) {
      await delivered(session, {
        kind: "click",
        at: A,
        button: "left",
        count: 1,
        modifiers: ["ctrl", "shift"],
      });
      const order = (await tools.events()).flatMap((event) =>
        event.type === "motion"
          ? []
          : [`${event.down ? "+" : "-"}${event.type === "key" ? event.key : "button"}`],
      );
      assert.deepEqual(order, ["+ctrl", "+shift", "+button", "-button", "-shift", "-ctrl"]);
    },
  },
  {
    name: "a drag walks at least ten steps between press and release",
    async run(session, tools) {
      await delivered(session, { kind: "drag", from: A, to: B, modifiers: [] });
      const events = await tools.events();
      const start = events.findIndex((event) => event.type === "button" && event.down);
      const end = events.findIndex((event) => event.type === "button" && !event.down);
      assert.deepEqual(events[start], { type: "button", button: 1, down: true, ...A });
      assert.deepEqual(events[end], { type: "button", button: 1, down: false, ...B });
      const steps = events.slice(start + 1, end);
      assert.ok(steps.length >= 10, `${steps.length} steps`);
      assert.ok(steps.every((event) => event.type === "motion"));
    },
  },
  {
    name: "press holds the button until release, and nothing else is clicked meanwhile",
    async run(session, tools) {
      await refused(perform(session, { kind: "release", at: A }), "E_STATE");
      await delivered(session, { kind: "press", at: A });
      await refused(
        perform(session, { kind: "click", at: B, button: "left", count: 1, modifiers: [] }),
        "E_STATE",
      );
      await delivered(session, { kind: "move", at: B });
      await delivered(session, { kind: "release", at: B });
      assert.deepEqual(buttons(await tools.events()), [
        { type: "button", button: 1, down: true, ...A },
        { type: "button", button: 1, down: false, ...B },
      ]);
    },
  },
  {
    name: "the wheel turns the way it was told, as often as it was told",
    async run(session, tools) {
      for (const [direction, button] of [
        ["up", 4],
        ["down", 5],
        ["left", 6],
        ["right", 7],
      ] as const) {
        const before = buttons(await tools.events()).length;
        const done = await delivered(session, { kind: "scroll", at: A, direction, amount: 3, modifiers: [] });
        assert.equal(done.events, 7, "one motion and three pairs");
        const turned = buttons(await tools.events()).slice(before);
        assert.deepEqual(
          turned.map((event) => [
            event.type === "button" && event.button,
            event.type === "button" && event.down,
          ]),
          [true, false, true, false, true, false].map((down) => [button, down]),
        );
      }
    },
  },
];

const keying: ConformanceCase[] = [
  {
    name: "a chord goes down in order and up in reverse, its key as often as told",
    async run(session, tools) {
      await delivered(session, { kind: "key", modifiers: ["ctrl", "alt"], key: "t", repeat: 2 });
      assert.deepEqual(keys(await tools.events()), [
        ...["+ctrl", "+alt"],
        ...["+t", "-t", "+t", "-t"],
        ...["-alt", "-ctrl"],
      ]);
    },
  },
  {
    name: "a chord of modifiers alone is pressed and released",
    async run(session, tools) {
      await delivered(session, { kind: "key", modifiers: ["shift"], repeat: 1 });
      assert.deepEqual(keys(await tools.events()), ["+shift", "-shift"]);
    },
  },
  {
    name: "a key outside the table, or none at all, is refused before any event",
    async run(session, tools) {
      await refused(
        perform(session, { kind: "key", modifiers: ["ctrl"], key: "Hyperspace", repeat: 1 }),
        "E_KEY_UNSUPPORTED",
      );
      await refused(perform(session, { kind: "key", modifiers: [], repeat: 1 }), "E_SCHEMA");
      assert.deepEqual(await tools.events(), []);
    },
  },
  {
    name: "a hold that is stopped lets go, and says that events were sent",
    async run(session, tools) {
      const controller = new AbortController();
      const holding = perform(
        session,
        { kind: "hold", modifiers: ["shift"], key: "Down", ms: 10_000 },
        { signal: controller.signal },
      );
      let over = false;
      const settled = () => {
        over = true;
      };
      holding.then(settled, settled);
      // A hold that fails at once must end the wait; what it failed with is shown below.
      while (!over && keys(await tools.events()).length < 2) await systemClock.sleep(1);
      controller.abort();
      await refused(holding, "E_INDETERMINATE", 4);
      const seen = keys(await tools.events());
      assert.deepEqual(seen.slice(0, 2), ["+shift", "+Down"]);
      // A display may repeat a key that is held; what counts is that both are up at the end.
      assert.deepEqual(seen.slice(-2), ["-Down", "-shift"]);
    },
  },
  {
    name: "text with a character that is never typed is refused before any event",
    async run(session, tools) {
      await refused(perform(session, { kind: "type", text: "ab\u202ec" }), "E_SCHEMA");
      await refused(perform(session, { kind: "type", text: "ab\u0003" }), "E_SCHEMA");
      assert.deepEqual(await tools.events(), []);
    },
  },
];

const obeying: ConformanceCase[] = [
  {
    name: "only a permitted action is carried out, and only once",
    async run(session, tools) {
      const forged = Object.freeze({ kind: "move", at: A }) as unknown as PermittedAction;
      await refused(session.perform(forged), "E_CAP_FORGED");
      const token = mintPermitted({ kind: "move", at: A });
      await session.perform(token);
      await refused(session.perform(token), "E_REPLAY");
      assert.equal((await tools.events()).length, 1);
    },
  },
  {
    name: "waiting is not a driver's to do",
    async run(session) {
      await refused(perform(session, { kind: "wait", ms: 1 }), "E_UNSUPPORTED");
    },
  },
  {
    name: "actions asked for at once are carried out one after the other",
    async run(session, tools) {
      await Promise.all([
        delivered(session, { kind: "drag", from: A, to: B, modifiers: [] }),
        delivered(session, { kind: "click", at: A, button: "right", count: 1, modifiers: [] }),
      ]);
      const order = buttons(await tools.events()).map((event) => event.type === "button" && event.button);
      assert.deepEqual(order, [1, 1, 3, 3]);
    },
  },
  {
    name: "an action stopped before it began sends nothing",
    async run(session, tools) {
      const stopped = perform(session, { kind: "move", at: A }, { signal: AbortSignal.abort() });
      await refused(stopped, "E_STATE");
      assert.deepEqual(await tools.events(), []);
    },
  },
  {
    name: "releaseAll lets go of what is down, and says what it was",
    async run(session, tools) {
      await delivered(session, { kind: "press", at: A });
      assert.deepEqual(await session.releaseAll(), { keys: [], buttons: [1] });
      assert.deepEqual(await session.releaseAll(), { keys: [], buttons: [] });
      assert.equal(buttons(await tools.events()).length, 2);
    },
  },
  {
    name: "close is final, may be repeated, and lets go of what is down",
    async run(session, tools) {
      await delivered(session, { kind: "press", at: A });
      const before = await tools.events();
      assert.equal(buttons(before).length, 1);
      await Promise.all([session.close(), session.close()]);
      await session.close();
      await refused(perform(session, { kind: "cursor" }), "E_STATE");
    },
  },
];

/** Every ASCII character that can be typed, and some that a plain keyboard has not. */
export const SAMPLE_TEXT = `${Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join("")}\n\téüßñ€я日😀`;

/** The key of a character, or the character where the key table has none. */
function keyNamed(key: string): string {
  return keyOfCharacter(key)?.key ?? key;
}

/** What was pressed, without Shift: which character needs it depends on the keyboard map. */
function pressed(events: readonly ObservedEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "key" && event.down && event.key !== "shift" ? [keyNamed(event.key)] : [],
  );
}

function abilities({ refusedKeys, refusedCharacters }: DriverProfile): ConformanceCase[] {
  const typed = [...SAMPLE_TEXT].filter((character) => !refusedCharacters.includes(character)).join("");
  return [
    {
      name: "every key of the table that is not refused is pressed as itself, and let go",
      async run(session, tools) {
        const ids = pressableKeys().filter((id) => !refusedKeys.includes(id));
        for (const key of ids) {
          const before = (await tools.events()).length;
          await delivered(session, { kind: "key", modifiers: [], key, repeat: 1 });
          const events = (await tools.events()).slice(before);
          assert.deepEqual(pressed(events), [key]);
          const ups = keys(events).filter((event) => event.startsWith("-"));
          assert.equal(2 * ups.length, keys(events).length, `${key}: a release for each press`);
        }
      },
    },
    {
      name: "every key that is declared as refused is refused by name, before any event",
      async run(session, tools) {
        for (const key of refusedKeys) {
          const attempt = perform(session, { kind: "key", modifiers: ["ctrl"], key, repeat: 1 });
          await refused(attempt, "E_KEY_UNSUPPORTED");
          await assert.rejects(attempt, (error: Error) => error.message.includes(`${key} `));
        }
        assert.deepEqual(await tools.events(), []);
      },
    },
    {
      name: "every character that is not refused is typed as itself, in order",
      async run(session, tools) {
        await tools.focus?.();
        const before = (await tools.events()).length;
        await delivered(session, { kind: "type", text: typed });
        const events = (await tools.events()).slice(before);
        assert.deepEqual(pressed(events), [...typed].map(keyNamed));
      },
    },
    {
      name: "a text with a character that is declared as refused is refused by its code point, before any event",
      async run(session, tools) {
        await tools.focus?.();
        const before = (await tools.events()).length;
        for (const character of refusedCharacters) {
          const attempt = perform(session, { kind: "type", text: `ab${character}` });
          await refused(attempt, "E_TEXT_UNSUPPORTED");
          const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
          await assert.rejects(attempt, (error: Error) => error.message.includes(`${code} cannot be typed`));
        }
        assert.equal((await tools.events()).length, before);
      },
    },
  ];
}

/** Every case, in the order in which a driver is best built, for a driver that refuses nothing. */
export const driverConformance: readonly ConformanceCase[] = [...looking, ...pointing, ...keying, ...obeying];

/** Every case, and what the driver declares: what it refuses is tried and must be refused; all else must be right. */
export function conformanceOf(profile: DriverProfile): readonly ConformanceCase[] {
  return [...driverConformance, ...abilities(profile)];
}
