// The caps that the adversarial rows are played against, as declarations and as the spec entries made of them.
import { digestBytes } from "../../src/base/digest.js";
import { requireValue } from "../../src/base/require.js";
import { type AgentEntry, declaredFields, sealSpec, serialiseSpec } from "../../src/contract/agent-spec.js";
import { type ComputerUseOptions, checkDeclaration } from "../../src/contract/declaration.js";

const A = {
  cap: "computer.screen + computer.input",
  width: 1280,
  height: 800,
  bounds: { x: 100, y: 100, width: 400, height: 300 },
  denyKeys: ["ctrl+alt+Delete", "ctrl+alt+BackSpace", "alt+F4", "super", "Return", "ctrl+w"],
  maxActions: 20,
  maxTurns: 10,
  onViolation: "refuse",
} as const satisfies ComputerUseOptions;

const { bounds: _bounds, ...unbounded } = A;

export const CAPS = {
  A,
  /** No screen. */
  B: { ...A, cap: "computer.input" },
  /** No keyboard. */
  C: { ...A, cap: "computer.screen + computer.input.pointer" },
  /** No pointer. */
  D: { ...A, cap: "computer.screen + computer.input.keyboard" },
  Q: { ...A, maxActions: 3, maxTurns: 4 },
  /** A with the clipboard's read word: what A's paste chords and middle clicks lack. */
  paste: { ...A, cap: "computer.screen + computer.input + computer.clipboard.read" },
  /** The whole viewport. */
  whole: unbounded,
  /** Every key with control aliases denied. */
  aliases: { ...A, denyKeys: ["Return", "Tab", "Escape", "BackSpace", "Delete"] },
  noControl: { ...A, denyKeys: ["ctrl"] },
  /** Alt allowed on pointer actions. */
  altPointer: { ...A, allowKeys: ["alt"] },
  /** Return allowed: newlines may be typed. */
  lines: { ...A, denyKeys: [] },
} as const satisfies Record<string, ComputerUseOptions>;

export type CapName = keyof typeof CAPS;

/** The spec entry of a declaration, as a build would write it. */
export function entryOf(options: ComputerUseOptions, agent = "Operator"): AgentEntry {
  const { declaration, problems } = checkDeclaration(options);
  const declared = requireValue(declaration, `fixture is no declaration: ${JSON.stringify(problems)}`);
  return {
    ...declaredFields(declared),
    agent,
    file: "src/operator.ts",
    uses: [{ function: "run", path: [{ file: "src/operator.ts", line: 1, column: 1, symbol: "run" }] }],
    sourceHash: digestBytes("operator"),
  };
}

export function capEntry(name: CapName): AgentEntry {
  return entryOf(CAPS[name]);
}

/** The bytes of a spec file with one agent for each cap, named after it. */
export function specText(): string {
  const names = Object.keys(CAPS) as CapName[];
  return serialiseSpec(
    sealSpec(
      "capuchin/test",
      names.map((name) => entryOf(CAPS[name], `Cap_${name}`)),
    ),
  );
}
