import { defineConfig } from "vitest/config";

// Examples and the demo import the package by its name; here that is the sources, so that no build is needed.
const source = (path: string): string => new URL(`./src/${path}`, import.meta.url).pathname;
const alias = [
  { find: /^capuchin$/, replacement: source("index.ts") },
  { find: /^capuchin\/runtime$/, replacement: source("runtime/index.ts") },
  { find: /^capuchin\/testing$/, replacement: source("runtime/testing/index.ts") },
  { find: /^capuchin\/transformer$/, replacement: source("transformer/index.ts") },
];

const shared = { globals: false, passWithNoTests: false };

/** Whole parts together, in one process: still without an X server or a network, but no matter of seconds. */
const together = [
  "test/{cli,demo,examples,scripts,transformer}/**/*.test.ts",
  "test/runtime/{dispatch,testing}/**/*.test.ts",
  "test/adversarial/{command-line,loop,runs,replies,streams,network,below-http,retries,truncation,bug-reports,run-limits}.test.ts",
  "test/decorators/types.test.ts",
];
const elsewhere = ["test/e2e/**", "test/package/**", "test/fixtures/**", "node_modules/**"];
// Files share their workers' modules: loading them anew for each of so many files would take most of the time.
const inProcess = { ...shared, isolate: false, maxWorkers: 2, testTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        // Pure logic and the fake desktop: seconds. Needs no X server, no network and no apt package.
        resolve: { alias },
        test: {
          ...inProcess,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...together, ...elsewhere],
        },
      },
      {
        // The checker over projects, the loop over HTTP on loopback, the command line in process. Needs no more.
        resolve: { alias },
        test: { ...inProcess, name: "integration", include: together, exclude: elsewhere },
      },
      {
        // The built command line on a real X server; run one file at a time, displays are a shared resource.
        test: {
          ...shared,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        // The packed tarball as a user gets it: needs a build, and npm's registry or cache.
        test: {
          ...shared,
          name: "package",
          include: ["test/package/**/*.test.ts"],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
