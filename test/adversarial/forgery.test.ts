// Forged, copied, subclassed, mutated and widened capabilities (rows F that meet the cap and the decorator). Code in
// this process is trusted but may be buggy: accidental forgery must fail; changed built-ins are out of scope.
import { createContext, runInContext } from "node:vm";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Action } from "../../src/contract/actions.js";
import { CAPABILITY_WORD_LIST } from "../../src/contract/capability.js";
import { parseAction } from "../../src/contract/parse-action.js";
import { ComputerCap, createGate, meetCaps, violationModeOf } from "../../src/runtime/cap/computer-cap.js";
import { openControlSession } from "../../src/runtime/control/control-session.js";
import { Dispatcher } from "../../src/runtime/dispatch/dispatcher.js";
import { fakeDesktop } from "../../src/runtime/drivers/index.js";
import { controlOptions } from "../runtime/control/options.js";
import { CAPS, capEntry, entryOf } from "./fixtures.js";
import { compromisedModel, SMALL_DISPLAY, smallEntry } from "./played-run.js";

const SIZE = { width: 1280, height: 800 };
const genuine = ComputerCap.fromSpec(capEntry("A"));
const shape = { screen: true, input: { mouse: true, keyboard: true }, width: 1280, height: 800, quota: 99 };

function action(name: Parameters<typeof parseAction>[0], input: unknown): Action {
  const parsed = parseAction(name, input);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.action;
}

/** What a fresh gate of the cap says of some telling actions. */
function decisions(cap: ComputerCap): string[] {
  const gate = createGate(cap, SIZE);
  return [
    action("left_click", { coordinate: [200, 200] }),
    action("left_click", { coordinate: [5, 5] }),
    action("left_click", { coordinate: [200, 200], text: "alt" }),
    action("key", { text: "ctrl+alt+Delete" }),
    action("key", { text: "Return" }),
    action("key", { text: "ctrl+v" }),
    action("type", { text: "a\nb" }),
    action("screenshot", {}),
  ].map((one) => {
    const verdict = gate.check(one, { pointer: undefined });
    return verdict.ok ? "allow" : verdict.code;
  });
}

const EXPECTED = [
  "allow",
  "E_BOUNDS",
  "E_KEY_DENIED",
  "E_KEY_DENIED",
  "E_KEY_DENIED",
  "E_GRANT",
  "E_TEXT_DENIED",
  "allow",
];

class Foreign {}
Object.defineProperty(Foreign, Symbol.for("capuchin.ComputerCap"), { value: true });

const FORGERIES: readonly (readonly [id: string, how: string, make: () => unknown])[] = [
  ["F-001", "a plain object of the same shape", () => shape],
  ["F-001", "null", () => null],
  ["F-001", "undefined", () => undefined],
  ["F-001", "a function", () => () => true],
  ["F-001", "an object whose constructor is a text", () => ({ constructor: "ComputerCap" })],
  [
    "F-001",
    "an object whose constructor cannot be read",
    () => ({
      get constructor() {
        throw new Error("no");
      },
    }),
  ],
  ["F-002", "Object.create of the prototype", () => Object.create(ComputerCap.prototype)],
  [
    "F-002",
    "a literal with the prototype set",
    () => Object.setPrototypeOf({ ...shape }, ComputerCap.prototype),
  ],
  ["F-002", "Object.create of a genuine cap", () => Object.create(genuine)],
  ["F-002", "a spread of a genuine cap", () => ({ ...genuine })],
  ["F-002", "a proxy of a genuine cap", () => new Proxy(genuine, {})],
  ["F-002", "JSON of a genuine cap", () => JSON.parse(JSON.stringify(genuine))],
  ["F-007", "a name and a constructor", () => ({ constructor: { name: "ComputerCap" } })],
  ["F-014", "a structured clone", () => structuredClone(genuine)],
  [
    "F-014",
    "a message",
    () => {
      const { port1, port2 } = new MessageChannel();
      port1.postMessage(genuine);
      const received: unknown = receiveMessageOnPort(port2)?.message;
      port1.close();
      return received;
    },
  ],
  [
    "F-014",
    "an object of another realm",
    () => runInContext("class ComputerCap {}; Object.freeze(new ComputerCap())", createContext({})),
  ],
];

describe("forged caps", () => {
  it.each(FORGERIES)("%s refuses %s", (_id, _how, make) => {
    const forged = make() as ComputerCap;
    expect(ComputerCap.isGenuine(forged)).toBe(false);
    const refused = expect.objectContaining({ code: "E_CAP_FORGED" });
    expect(() => createGate(forged, SIZE)).toThrow(refused);
    expect(() => violationModeOf(forged)).toThrow(refused);
    expect(() => meetCaps(genuine, forged)).toThrow(refused);
    expect(() => meetCaps(forged, genuine)).toThrow(refused);
    expect(() => ComputerCap.prototype.attenuate.call(forged, {})).toThrow(refused);
    expect(() => ComputerCap.prototype.checkScreen.call(forged)).toThrow(refused);
  });

  it("F-001 gives a forged cap no session, and no event reaches a display", async () => {
    const desktop = fakeDesktop();
    const options = await controlOptions({ desktop });
    expect(() => openControlSession({ ...options, cap: shape as unknown as ComputerCap })).toThrow(
      expect.objectContaining({ code: "E_CAP_FORGED" }),
    );
    expect(desktop.performed).toEqual([]);
  });

  it("names the cap of another copy of the package as such", () => {
    expect(() => createGate(new Foreign() as unknown as ComputerCap, SIZE)).toThrow(
      expect.objectContaining({ code: "E_CAP_FOREIGN" }),
    );
  });

  it("a genuine cap passes", () => {
    expect(ComputerCap.isGenuine(genuine)).toBe(true);
    expect(decisions(genuine)).toEqual(EXPECTED);
  });
});

describe("construction", () => {
  const refused = expect.objectContaining({ code: "E_CAP_FORGED" });
  it("F-005 has no constructor for others, and no subclass", () => {
    class Evil extends ComputerCap {
      override get bounds() {
        return { x: 0, y: 0, width: 9999, height: 9999 };
      }
    }
    expect(() => new ComputerCap()).toThrow(refused);
    expect(() => new Evil()).toThrow(refused);
    expect(() => Reflect.construct(ComputerCap, [], Evil)).toThrow(refused);
    expect(() => Reflect.construct(ComputerCap, [])).toThrow(refused);
    expect(() => Reflect.construct(Object, [], ComputerCap)).not.toThrow();
    expect(ComputerCap.isGenuine(Reflect.construct(Object, [], ComputerCap))).toBe(false);
  });

  it("F-006 cannot be stamped on a foreign object by a returning super constructor", () => {
    class Returning {
      constructor(given: object) {
        // biome-ignore lint/correctness/noConstructorReturn: returning another object is the attack.
        return given;
      }
    }
    class Stamp extends Returning {
      readonly #mark = true;
      static marked(value: object): boolean {
        return #mark in value;
      }
    }
    const stamped = new Stamp(Object.create(ComputerCap.prototype) as object);
    expect(Stamp.marked(stamped)).toBe(true);
    expect(ComputerCap.isGenuine(stamped)).toBe(false);
  });

  it("F-007 decides by no instanceof", () => {
    class Impostor {}
    const had = Object.getOwnPropertyDescriptor(ComputerCap, Symbol.hasInstance);
    Object.defineProperty(ComputerCap, Symbol.hasInstance, { value: () => true, configurable: true });
    try {
      expect(() => createGate(new Impostor() as ComputerCap, SIZE)).toThrow(
        expect.objectContaining({ code: "E_CAP_FORGED" }),
      );
    } finally {
      if (had) Object.defineProperty(ComputerCap, Symbol.hasInstance, had);
      else delete (ComputerCap as unknown as Record<symbol, unknown>)[Symbol.hasInstance];
    }
  });
});

describe("F-008 mutation", () => {
  const attacks: readonly (readonly [string, (cap: Record<string, unknown>) => void])[] = [
    [
      "the deny-list's length",
      (cap) => {
        (cap["denyKeys"] as string[]).length = 0;
      },
    ],
    [
      "a deny entry",
      (cap) => {
        (cap["denyKeys"] as string[])[0] = "F1";
      },
    ],
    [
      "the bounds",
      (cap) => {
        (cap["bounds"] as { x: number }).x = 0;
      },
    ],
    [
      "the viewport",
      (cap) => {
        (cap["viewport"] as { width: number }).width = 9;
      },
    ],
    [
      "an own bounds",
      (cap) => {
        cap["bounds"] = { x: 0, y: 0, width: 1280, height: 800 };
      },
    ],
    [
      "an own check",
      (cap) => {
        cap["checkKey"] = () => {};
      },
    ],
    [
      "a new field",
      (cap) => {
        cap["quota"] = Number.POSITIVE_INFINITY;
      },
    ],
    [
      "its prototype",
      (cap) => {
        Object.setPrototypeOf(cap, null);
      },
    ],
  ];
  it.each(attacks)("cannot change %s", (_what, attack) => {
    const cap = ComputerCap.fromSpec(capEntry("A"));
    expect(() => attack(cap as unknown as Record<string, unknown>)).toThrow(TypeError);
    expect(decisions(cap)).toEqual(EXPECTED);
  });

  it("overridden getters and methods on the prototype do not reach the gate", () => {
    const had = Object.getOwnPropertyDescriptor(ComputerCap.prototype, "bounds");
    Object.defineProperty(ComputerCap.prototype, "bounds", {
      get: () => ({ x: 0, y: 0, width: 1280, height: 800 }),
      configurable: true,
    });
    try {
      expect(decisions(ComputerCap.fromSpec(capEntry("A")))).toEqual(EXPECTED);
    } finally {
      if (had) Object.defineProperty(ComputerCap.prototype, "bounds", had);
    }
  });

  it("keeps no hold on the entry it was made from", () => {
    const entry = structuredClone(capEntry("A")) as { bounds: { x: number }; denyKeys: string[] };
    const cap = ComputerCap.fromSpec(entry as never);
    entry.bounds.x = 0;
    entry.denyKeys.length = 0;
    expect(decisions(cap)).toEqual(EXPECTED);
  });

  it("reads each field of the entry once", () => {
    const entry = { ...capEntry("A") };
    let reads = 0;
    Object.defineProperty(entry, "bounds", {
      enumerable: true,
      get: () => (reads++ === 0 ? CAPS.A.bounds : { x: 0, y: 0, width: 1280, height: 800 }),
    });
    expect(decisions(ComputerCap.fromSpec(entry))).toEqual(EXPECTED);
    expect(reads).toBe(1);
  });
});

describe("F-011 polluted prototypes", () => {
  const polluted: string[] = [];
  function pollute(key: string, value: unknown): void {
    Object.defineProperty(Object.prototype, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
    polluted.push(key);
  }
  afterEach(() => {
    for (const key of polluted.splice(0)) delete (Object.prototype as Record<string, unknown>)[key];
  });

  it("fills no missing field of a spec entry from the prototype", () => {
    const { denyKeys: _denyKeys, ...missing } = capEntry("A");
    pollute("denyKeys", []);
    let code: unknown;
    try {
      ComputerCap.fromSpec(missing as never);
    } catch (error) {
      code = (error as { code?: unknown }).code;
    }
    expect(code).toBe("E_SPEC");
  });

  const widenings: readonly (readonly [string, unknown])[] = [
    ["allowKeys", ["alt", "super", "Return"]],
    ["bounds", { x: 0, y: 0, width: 1280, height: 800 }],
    ["maxActions", 1_000_000],
    ["maxEvents", 100_000_000],
    ["words", CAPABILITY_WORD_LIST],
    ["onViolation", "refuse"],
    ["denyKeys", []],
    ["text", "ctrl"],
    ["coordinate", { x: 200, y: 200 }],
  ];
  it.each(widenings)("a cap decides the same with Object.prototype.%s set", (key, value) => {
    const entry = structuredClone(capEntry("A"));
    pollute(key, value);
    const got = decisions(ComputerCap.fromSpec(entry));
    const built = ComputerCap.builder().allowScreen().allowInput().build();
    const limits = [built.maxActions, built.bounds.width, built.denyKeys.length];
    const mode = violationModeOf(built);
    for (const name of polluted.splice(0)) delete (Object.prototype as Record<string, unknown>)[name];
    expect(got).toEqual(EXPECTED);
    expect(limits).toEqual([undefined, 1024, 19]);
    expect(mode).toBe("abort");
  });

  it("takes no default of a declaration from the prototype", () => {
    pollute("maxTurns", 10_000);
    pollute("allowKeys", ["super"]);
    pollute("name", "Other");
    const entry = entryOf({ cap: "computer.screen" });
    for (const name of polluted.splice(0)) delete (Object.prototype as Record<string, unknown>)[name];
    expect(entry.maxTurns).toBe(30);
    expect(entry.allowKeys).toBeUndefined();
    expect(entry.denyKeys).toContain("super");
  });
});

describe("F-015 attenuation", () => {
  const cap = ComputerCap.fromSpec(capEntry("A"));
  const screenOnly = cap.attenuate({ words: ["computer.screen"] });

  it.each([
    ["maxActions", { maxActions: 1_000_000 }],
    ["maxEvents", { maxEvents: 10_001 }],
    ["bounds", { bounds: { x: 99, y: 100, width: 400, height: 300 } }],
    ["bounds, one pixel wider", { bounds: { x: 100, y: 100, width: 401, height: 300 } }],
    ["denyKeys", { denyKeys: [] }],
    ["one deny entry less", { denyKeys: cap.denyKeys.slice(1) }],
    ["words", { words: ["computer.spawn"] as const }],
    ["a word above", { words: ["computer.screen", "computer.input", "computer.clipboard"] as const }],
  ])("cannot widen %s", (_what, by) => {
    expect(() => cap.attenuate(by)).toThrow(expect.objectContaining({ code: "E_CAP_WIDEN" }));
  });

  it("cannot win back a word or a mode", () => {
    expect(() => screenOnly.attenuate({ words: ["computer.input"] })).toThrow(
      expect.objectContaining({ code: "E_CAP_WIDEN" }),
    );
    const strict = cap.attenuate({ onViolation: "abort" });
    expect(() => strict.attenuate({ onViolation: "refuse" })).toThrow(
      expect.objectContaining({ code: "E_CAP_WIDEN" }),
    );
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "computer.screen"],
    ["an unknown field", { quota: 1e6 }],
    ["a field that cannot be narrowed", { maxTurns: 1 }],
    ["a capability text", { cap: "computer.screen" }],
    ["words as a text", { words: "computer.screen" }],
    ["an unknown word", { words: ["computer.everything"] }],
    ["a limit that is no number", { maxActions: "5" }],
    ["a limit of NaN", { maxActions: Number.NaN }],
    ["an infinite limit", { maxActions: Number.POSITIVE_INFINITY }],
    ["a negative limit", { maxActions: -1 }],
    ["bounds with a fraction", { bounds: { x: 100.5, y: 100, width: 10, height: 10 } }],
    ["an unknown key", { denyKeys: [...cap.denyKeys, "ctrl+*"] }],
  ])("refuses %s as malformed", (_what, by) => {
    expect(() => cap.attenuate(by as never)).toThrow(expect.objectContaining({ code: "E_SPEC" }));
  });

  it("takes a long deny-list", () => {
    const many = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index)).flatMap(
      (letter) => [`ctrl+${letter}`, `ctrl+shift+${letter}`, `alt+${letter}`],
    );
    const narrowed = cap.attenuate({ denyKeys: [...cap.denyKeys, ...many] });
    expect(narrowed.denyKeys.length).toBeGreaterThan(78);
  });

  const narrowing = fc.oneof(
    fc.record({ words: fc.subarray([...CAPABILITY_WORD_LIST]) }),
    fc.record({
      words: fc.subarray(["computer.screen", "computer.input.keyboard", "computer.input.pointer"]),
    }),
    fc.record({
      bounds: fc.record({
        x: fc.integer({ min: 95, max: 300 }),
        y: fc.integer({ min: 95, max: 300 }),
        width: fc.integer({ min: 1, max: 250 }),
        height: fc.integer({ min: 1, max: 150 }),
      }),
    }),
    fc.record({ denyKeys: fc.subarray([...cap.denyKeys, "ctrl+q", "a", "Tab"], { minLength: 18 }) }),
    fc.record({ denyKeys: fc.subarray(["ctrl+q", "a", "Tab"]).map((more) => [...more, ...cap.denyKeys]) }),
    fc.record({ maxActions: fc.integer({ min: 0, max: 30 }) }),
    fc.record({ maxEvents: fc.integer({ min: 1, max: 12_000 }) }),
    fc.record({ onViolation: fc.constantFrom("abort", "refuse") }),
  ) as fc.Arbitrary<Parameters<typeof cap.attenuate>[0]>;
  const attempt = fc.oneof(
    fc
      .tuple(
        fc.integer({ min: 95, max: 505 }),
        fc.integer({ min: 95, max: 405 }),
        fc.constantFrom("alt", "ctrl", undefined),
      )
      .map(([x, y, text]) => action("left_click", { coordinate: [x, y], text })),
    fc
      .constantFrom("a", "ctrl+q", "Return", "Tab", "super", "ctrl+v", "F1", "ctrl+alt+Delete")
      .map((text) => action("key", { text })),
    fc.constantFrom("a", "ab\n", "\t", "x").map((text) => action("type", { text })),
    fc.constant(action("screenshot", {})),
  );

  it("allows no action that the cap before did not, whatever the chain", () => {
    let narrowed = 0;
    let widened = 0;
    fc.assert(
      fc.property(
        fc.array(narrowing, { minLength: 1, maxLength: 4 }),
        fc.array(attempt, { maxLength: 12 }),
        (chain, tries) => {
          let child = cap;
          for (const by of chain) {
            try {
              child = child.attenuate(by);
              narrowed += 1;
            } catch (error) {
              widened += 1;
              expect((error as { code?: unknown }).code).toBe("E_CAP_WIDEN");
            }
          }
          const wide = createGate(cap, SIZE);
          const narrow = createGate(child, SIZE);
          for (const one of tries) {
            if (!narrow.commit(one, { pointer: undefined }).ok) continue;
            expect(wide.commit(one, { pointer: undefined }).ok).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
    // Both happened often, or the property said nothing.
    expect(Math.min(narrowed, widened)).toBeGreaterThan(100);
  });
});

describe("a cap given to a dispatcher beside the spec", () => {
  const model = compromisedModel([], "toolset");
  const entry = smallEntry("A", "toolset");

  it("can only narrow the spec", async () => {
    const wide = ComputerCap.builder().allowScreen().allowInput().allow("computer.clipboard");
    const cap = wide.withViewport(1280, 800).allowKeys(["super", "alt"]).build();
    const desktop = fakeDesktop({ size: SMALL_DISPLAY });
    const dispatcher = Dispatcher.fromSpec(entry, { model, desktop, cap });
    const session = await dispatcher.open();
    const press = (text: string) => session.act(parseAction("key", { text }), { by: "agent", turn: 0 });
    expect((await press("a")).status).toBe("done");
    const pressed = desktop.events.length;
    for (const text of ["ctrl+v", "super", "Return", "ctrl+w"]) {
      expect((await press(text)).status).toBe("refused");
    }
    expect(desktop.events.length).toBe(pressed);
    await dispatcher.close();
  });

  it("must be genuine, and of the same viewport", () => {
    const desktop = fakeDesktop();
    const forged = { ...shape } as unknown as ComputerCap;
    expect(() => Dispatcher.fromSpec(entry, { model, desktop, cap: forged })).toThrow(
      expect.objectContaining({ code: "E_CAP_FORGED" }),
    );
    const other = ComputerCap.builder().allowScreen().allowInput().withViewport(1920, 1080).build();
    expect(() => Dispatcher.fromSpec(entry, { model, desktop, cap: other })).toThrow(
      expect.objectContaining({ code: "E_CAP_WIDEN" }),
    );
  });
});
