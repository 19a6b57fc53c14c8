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

export default defineConfig({
  test: {
    projects: [
      {
        // Needs no X server, no network and no apt package: pure logic, the fake desktop, loopback HTTP.
        resolve: { alias },
        test: {
          ...shared,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/package/**", "test/fixtures/**", "node_modules/**"],
          testTimeout: 20_000,
        },
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
