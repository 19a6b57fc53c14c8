import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealSpec, serialiseSpec } from "../../../src/contract/agent-spec.js";
import { ConfigurationError } from "../../../src/diagnostics/errors.js";
import { readSpecFile } from "../../../src/runtime/store/spec-file.js";
import { temporaryFolder } from "./temporary-folder.js";

const good = serialiseSpec(sealSpec("test", []));

function refusal(path: string): string {
  try {
    readSpecFile(path);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code: "E_SPEC" });
    return (error as Error).message;
  }
  throw new Error("the spec was taken");
}

describe("readSpecFile", () => {
  it("takes a regular file of ours, read-only or group-writable", () => {
    const path = join(temporaryFolder(), "spec.json");
    writeFileSync(path, good);
    for (const mode of [0o644, 0o444, 0o600, 0o664]) {
      chmodSync(path, mode);
      expect(readSpecFile(path).agents).toEqual([]);
    }
  });

  const inPlace: readonly (readonly [what: string, make: (path: string) => void, reason: RegExp])[] = [
    ["nothing", () => {}, /does not exist/],
    ["a folder", (path) => mkdirSync(path), /is a folder/],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), /is a pipe/],
    [
      "a link to a good spec",
      (path) => {
        writeFileSync(`${path}.real`, good);
        symlinkSync(`${path}.real`, path);
      },
      /symbolic link/,
    ],
    ["a dangling link", (path) => symlinkSync("nowhere", path), /symbolic link/],
    [
      "a file that everyone may write",
      (path) => {
        writeFileSync(path, good);
        chmodSync(path, 0o666);
      },
      /written by everyone/,
    ],
    [
      "a file over 4 MiB",
      (path) => writeFileSync(path, Buffer.alloc(4 * 1024 * 1024 + 1, 0x20)),
      /more than/,
    ],
    ["an empty file", (path) => writeFileSync(path, ""), /not JSON/],
    ["one blank more", (path) => writeFileSync(path, `${good} `), /canonical text/],
    ["another digest", (path) => writeFileSync(path, good.replace('"test"', '"tost"')), /digest/],
  ];
  it.each(inPlace)("refuses %s", (_what, make, reason) => {
    const path = join(temporaryFolder(), "spec.json");
    make(path);
    const message = refusal(path);
    expect(message).toMatch(reason);
    expect(message).toContain(path);
  });

  it.each(["/dev/zero", "/dev/null"])("refuses %s", (path) => {
    expect(refusal(path)).toMatch(/is a device/);
  });

  it("refuses a socket", async () => {
    const path = join(temporaryFolder(), "s");
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once("listening", resolve));
    expect(refusal(path)).toMatch(/socket/);
    await new Promise((resolve) => server.close(resolve));
  });

  it("escapes a path before it names it", () => {
    expect(refusal(join(temporaryFolder(), "a\u001b[2Jb"))).toContain("\\u{1b}[2J");
  });

  it.runIf(process.getuid?.() === 0)("refuses a file of another user", () => {
    const path = join(temporaryFolder(), "spec.json");
    writeFileSync(path, good);
    chownSync(path, 12345, 12345);
    expect(refusal(path)).toMatch(/another user/);
  });
});
