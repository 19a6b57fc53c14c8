// The floors: which folder may import which, and which packages. One table; floors.test.ts derives the same from the
// imports. A folder that is not listed may not exist. `onUse` is what may be reached by `import()` only.

export interface FolderRule {
  readonly folders: readonly string[];
  readonly onUse?: readonly string[];
  /** Bare specifiers; `node:*` stands for every built-in module but node:child_process. */
  readonly packages: readonly string[];
}

const GROUND = ["base", "contract", "diagnostics"] as const;

export const FLOORS: Readonly<Record<string, FolderRule>> = {
  base: { folders: [], packages: ["node:crypto", "node:perf_hooks"] },
  contract: { folders: ["base"], packages: ["zod"] },
  diagnostics: { folders: ["base", "contract"], packages: [] },
  journal: { folders: GROUND, packages: [] },
  "runtime/cap": { folders: GROUND, packages: [] },
  decorators: { folders: GROUND, packages: [] },
  transformer: {
    folders: [...GROUND, "decorators"],
    packages: ["ts-morph", "zod", "node:module", "node:path", "node:fs", "node:fs/promises", "node:url"],
  },
  /** Only serve.ts listens; the page itself needs nothing of Node. */
  viewer: { folders: [...GROUND, "journal"], packages: ["node:http", "node:net"] },
  "runtime/control": { folders: [...GROUND, "journal", "runtime/cap"], packages: ["zod"] },
  "runtime/dispatch": {
    folders: [...GROUND, "journal", "runtime/cap", "runtime/control"],
    packages: [
      "@anthropic-ai/sdk",
      "zod",
      // For pictures/ only.
      "fast-png",
      "sharp",
      "node:buffer",
      "node:crypto",
      "node:http",
      "node:https",
      "node:fs",
      "node:path",
      "node:url",
    ],
  },
  "runtime/drivers": {
    folders: [...GROUND, "runtime/cap"],
    packages: ["@nut-tree-fork/nut-js", "fast-png", "sharp", "x11", "zod", "node:*", "node:child_process"],
  },
  "runtime/store": {
    folders: [...GROUND, "journal", "runtime/cap", "runtime/control"],
    packages: ["node:crypto", "node:fs", "node:path"],
  },
  "runtime/runs": {
    folders: [...GROUND, "journal", "decorators", "runtime/cap", "runtime/control", "runtime/dispatch"],
    onUse: ["runtime/drivers", "runtime/store"],
    packages: ["zod", "node:async_hooks", "node:util"],
  },
  "runtime/testing": {
    folders: [
      ...GROUND,
      "journal",
      "decorators",
      "runtime/cap",
      "runtime/control",
      "runtime/dispatch",
      "runtime/drivers",
      "runtime/runs",
      "runtime/store",
    ],
    packages: ["zod", "fast-png", "node:*"],
  },
  /** src/runtime/index.ts, the entry `capuchin/runtime`. */
  runtime: {
    folders: [
      ...GROUND,
      "journal",
      "decorators",
      "runtime/cap",
      "runtime/control",
      "runtime/dispatch",
      "runtime/drivers",
      "runtime/runs",
      "runtime/store",
      // The scripted model, which `--model script:` plays.
      "runtime/testing",
    ],
    packages: [],
  },
  /** src/index.ts, the entry `capuchin`: loads neither the checker nor a driver. */
  "": {
    folders: [...GROUND, "decorators", "runtime/cap", "runtime/control", "runtime/dispatch", "runtime/runs"],
    packages: [],
  },
  cli: {
    folders: [
      ...GROUND,
      "journal",
      "decorators",
      "viewer",
      "transformer",
      "runtime",
      "runtime/cap",
      "runtime/control",
      "runtime/dispatch",
      "runtime/runs",
      "runtime/store",
    ],
    onUse: ["runtime/drivers"],
    packages: ["commander", "zod", "ts-morph", "node:*"],
  },
};

/** A package that is imported in one place of the product only, whatever the table above says. */
export const SINGLE_PLACE: Readonly<Record<string, readonly string[]>> = {
  "@anthropic-ai/sdk": ["runtime/dispatch"],
  "node:child_process": ["runtime/drivers", "runtime/children"],
  // The command line compiles a module in memory with the compiler that the checker brings.
  "ts-morph": ["transformer", "cli"],
  commander: ["cli"],
  x11: ["runtime/drivers"],
  "@nut-tree-fork/nut-js": ["runtime/drivers"],
  // Captures are encoded in the driver's process, pictures for the model in ours.
  sharp: ["runtime/drivers", "runtime/dispatch"],
};

/** Files that may read clocks, start timers or draw random numbers. */
export const CLOCK_FILES: readonly string[] = ["base/clock.ts"];

/** Files that may make a token which a driver accepts. */
export const MINT_FILES: readonly string[] = [
  "runtime/cap/permitted.ts",
  "runtime/cap/gate.ts",
  // The conformance kit stands in for the gate when it tests a driver; it hands no token out.
  "runtime/testing/driver-conformance.ts",
];
