import { defineConfig } from "vitest/config";

const shared = { globals: false, passWithNoTests: false };

export default defineConfig({
  test: {
    projects: [
      {
        // Needs no X server, no network and no apt package: pure logic, the fake desktop, loopback HTTP.
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
