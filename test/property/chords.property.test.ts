// K-073: whatever key text is thrown at the gate, what it lets through never holds a denied chord. The judge is an
// independent reading, and the events of the fake display. CAPUCHIN_LONG=1 tries 100,000 texts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAction } from "../../src/contract/parse-action.js";
import { ComputerCap, createGate } from "../../src/runtime/cap/computer-cap.js";
import type { FakeEvent } from "../../src/runtime/drivers/index.js";
import { fakeDesktop } from "../../src/runtime/drivers/index.js";
import { CAPS, entryOf } from "../adversarial/fixtures.js";
import { instantClock } from "../adversarial/instant-clock.js";
import { referenceDenies, referenceNames } from "./chord-reference.js";

const RUNS = process.env["CAPUCHIN_LONG"] ? 100_000 : 3_000;
const SEED = Number(process.env["CAPUCHIN_SEED"] ?? 20_261_130);
const DENIED = [
  "ctrl+alt+Delete",
  "ctrl+alt+BackSpace",
  "alt+F4",
  "super",
  "Return",
  "ctrl+w",
  "alt+Tab",
  "Print",
];
const declaration = {
  ...CAPS.A,
  denyKeys: ["Return", "ctrl+w"],
  maxActions: 1_000_000,
  maxEvents: 100_000_000,
};
const cap = ComputerCap.fromSpec(entryOf(declaration));

const PIECES = [
  "ctrl",
  "Control_L",
  "CTRL",
  "control_r",
  "ctl",
  "alt",
  "Alt_R",
  "option",
  "opt",
  "shift",
  "Shift_L",
  "super",
  "meta",
  "Hyper_L",
  "cmd",
  "win",
  "os",
  "Delete",
  "del",
  "KP_Delete",
  "KP_Decimal",
  "BackSpace",
  "F4",
  "KP_F4",
  "f4",
  "Tab",
  "KP_Tab",
  "Return",
  "enter",
  "KP_Enter",
  "Linefeed",
  "m",
  "j",
  "M",
  "w",
  "W",
  "Print",
  "prtsc",
  "a",
  "0xff0d",
  "36",
  "U0077",
  "i",
  "h",
  "3",
  "bracketleft",
  "Insert",
  "KP_0",
  "v",
  "",
  " ",
  "Bogus",
  "Escape",
  "plus",
  "Sys_Req",
];
const joiner = fc.constantFrom("+", "+", "+", "+", " ", "++", "-", "+ ", "\uff0b", "");
const chordLike = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), joiner), { minLength: 1, maxLength: 5 })
  .map((parts) =>
    parts.map(([piece, join], index) => (index === parts.length - 1 ? piece : piece + join)).join(""),
  );
const wellFormed = fc
  .array(fc.constantFrom(...PIECES.filter((piece) => piece.trim() !== "")), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("+"));
const asciiNoise = fc.string({
  unit: fc.constantFrom(..."abcdefABCDEF0123456789_+ -".split("")),
  maxLength: 24,
});
const anyText = fc.oneof(
  { weight: 4, arbitrary: wellFormed },
  { weight: 3, arbitrary: chordLike },
  { weight: 2, arbitrary: asciiNoise },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 24 }) },
);

function judge(text: string) {
  const parsed = parseAction("key", { text });
  return parsed.ok
    ? createGate(cap, { width: 1280, height: 800 }).check(parsed.action, { pointer: undefined })
    : parsed;
}

describe("K-073 random key texts", () => {
  it("pass only when an independent reading finds nothing denied in them", () => {
    let allowed = 0;
    let denied = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        const verdict = judge(text);
        const names = referenceNames(text);
        if (verdict.ok) {
          allowed += 1;
          expect(names, "only plain names are read").toBeDefined();
          expect(names && referenceDenies(names, DENIED)).toBe(false);
          return;
        }
        denied += 1;
        // The other way round: what both read, and nothing denied is in it, is not refused as denied.
        if (verdict.code !== "E_KEY_DENIED") return;
        expect(names).toBeDefined();
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(Math.min(allowed, denied)).toBeGreaterThan(RUNS / 20);
  });

  it("are refused as denied when the independent reading says so and every name is known", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const names = referenceNames(text);
        if (!names || !referenceDenies(names, DENIED)) return;
        const verdict = judge(text);
        expect(verdict.ok).toBe(false);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it("read the same whatever the order and repetition of their modifiers", () => {
    const modifier = fc.constantFrom<string>("ctrl", "Alt_L", "shift", "Control_R", "super");
    fc.assert(
      fc.property(
        fc.array(modifier, { maxLength: 3 }),
        fc.constantFrom("a", "Delete", "F4", "Tab", "v"),
        fc.nat(3),
        (modifiers, key, at) => {
          const code = (text: string) => {
            const verdict = judge(text);
            return verdict.ok ? JSON.stringify(verdict.plan) : verdict.code;
          };
          const straight = code([...modifiers, key].join("+"));
          expect(code([...modifiers].reverse().toSpliced(at, 0, key).join("+"))).toBe(straight);
          expect(code([...modifiers, ...modifiers.slice(0, 1), key].join("+"))).toBe(straight);
        },
      ),
      { numRuns: Math.min(RUNS, 1000), seed: SEED },
    );
  });

  it("never make the display hold a denied set of keys at once", async () => {
    const desktop = fakeDesktop({ clock: instantClock() });
    const session = await desktop.open({ size: { width: 1280, height: 800 } });
    const gate = createGate(cap, session.size);
    const texts = fc.sample(wellFormed, { numRuns: Math.min(RUNS, 1500), seed: SEED });
    let pressed = 0;
    for (const text of texts) {
      const parsed = parseAction("key", { text });
      const decided = parsed.ok ? gate.commit(parsed.action, { pointer: undefined }) : parsed;
      if (!decided.ok) continue;
      await session.perform(decided.permitted);
      pressed += 1;
    }
    expect(pressed).toBeGreaterThan(100);
    for (const held of everHeld(desktop.events))
      expect(referenceDenies(held, DENIED), [...held].join("+")).toBe(false);
    await session.close();
  });
});

/** Every set of keys that was down at some moment. */
function* everHeld(events: readonly FakeEvent[]): Generator<ReadonlySet<string>> {
  const down = new Set<string>();
  for (const event of events) {
    if (event.type !== "key") continue;
    const name = event.key.toLowerCase();
    if (event.down) down.add(name);
    else down.delete(name);
    yield new Set(down);
  }
}
