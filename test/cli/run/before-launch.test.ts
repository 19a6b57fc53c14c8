// What is found out before a display is opened, with what to do about it.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireProgram } from "../../../src/cli/run/find-program.js";
import { requireModule } from "../../../src/cli/run/prepare.js";
import { temporaryFolder } from "../../runtime/store/temporary-folder.js";
import { FakeIo } from "../fake-io.js";

describe("the program of --app", () => {
  function setUp() {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "bin", "folder"));
    for (const name of ["bin/form", "bin/data"]) writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, "bin/form"), 0o755);
    chmodSync(join(folder, "bin/data"), 0o644);
    const io = new FakeIo(folder);
    io.env["PATH"] = `/no/such/folder:${join(folder, "bin")}`;
    return { folder, io };
  }

  it("is found in PATH by its name, and below the folder by its path", () => {
    const { folder, io } = setUp();
    for (const name of ["form", "bin/form", "./bin/form", join(folder, "bin/form")]) {
      expect(requireProgram(name, io)).toBe(join(folder, "bin/form"));
    }
  });

  it.each([
    ["nosuch", /no folder of PATH holds a program "nosuch"; install it, or name its path/],
    ["data", /no folder of PATH holds/],
    ["folder", /no folder of PATH holds/],
    ["./form", /"\.\/form" is no program that can be run/],
    ["bin/data", /is no program that can be run; check the path and its rights/],
  ])("%s is refused as a setting", (name, message) => {
    const { io } = setUp();
    expect(() => requireProgram(name, io)).toThrow(message);
    expect(() => requireProgram(name, io)).toThrow(expect.objectContaining({ code: "E_CONFIG" }));
  });
});

describe("the module", () => {
  it("that is misspelt is told with the one that may be meant", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "src", "agent.ts"), "");
    expect(requireModule(folder, "src/agent.ts")).toMatch(/\/src\/agent\.ts$/);
    expect(() => requireModule(folder, "src/agnt.ts")).toThrow(/did you mean "src\/agent\.ts"\?$/);
    expect(() => requireModule(folder, "src/zebra.ts")).toThrow(/does not exist$/);
    expect(() => requireModule(folder, "scr/agent.ts")).toThrow(/there is no such folder$/);
  });
});
