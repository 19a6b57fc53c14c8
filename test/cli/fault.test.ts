import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.js";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";
import { FakeIo, runCli } from "./fake-io.js";
import { entryOf, writeSpec } from "./spec-fixture.js";

const spec = () => writeSpec(temporaryFolder(), [entryOf("A", { cap: "computer.screen" })]);

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"name":"computer","input":{"action":"screenshot"}}\n');
  throw new TypeError("broken\u001b[2J");
}

describe("a fault of our own", () => {
  it("is exit 2, is called one, and shows its stack only on request", async () => {
    for (const debug of [false, true]) {
      const ran = await runCli(["gate", "--spec", spec(), "--agent", "A"], {
        stdin: breaking(),
        env: debug ? { CAPUCHIN_DEBUG: "1" } : {},
      });
      expect(ran.code).toBe(2);
      expect(ran.stderr).toMatch(/internal error, a fault of capuchin .* TypeError: broken\\u\{1b\}/);
      expect(/\n {4}at /.test(ran.stderr)).toBe(debug);
    }
  });
});

describe("an output that cannot be written", () => {
  it("is exit 2 with the reason, whatever the command came to", async () => {
    const io = new FakeIo("/");
    io.stdout.isClosed = true;
    io.stdout.failure = "ENOSPC";
    expect(await runCommandLine(["explain"], io)).toBe(2);
    expect(io.stderr.text).toBe("capuchin: standard output cannot be written (ENOSPC)\n");
  });

  it("is no error when the reader just went away", async () => {
    const io = new FakeIo("/");
    io.stdout.isClosed = true;
    expect(await runCommandLine(["explain"], io)).toBe(0);
    expect(io.stderr.text).toBe("");
  });
});
