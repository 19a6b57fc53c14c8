import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.js";
import { TraceJournal } from "../../src/runtime/store/trace-journal.js";
import { deny, END, START } from "../journal/sample.js";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";
import { FakeIo, runCli } from "./fake-io.js";

async function writeTrace(): Promise<{ folder: string; head: string; frame: string }> {
  const folder = join(temporaryFolder(), "trace");
  const journal = TraceJournal.create(folder);
  await journal.append("run_started", START);
  const png = Buffer.from("picture");
  const digest = await journal.keepFrame(png);
  const size = { width: 4, height: 3 };
  await journal.append("frame", { digest, size, bytes: png.length, reason: "start" });
  await journal.append("action", deny(1, "x\u001b[31m\u202e is outside"));
  await journal.append("action", {
    actionId: "action-2",
    source: "model",
    turn: 1,
    callId: "call-2",
    name: "type",
    input: { text: START.goal },
    verdict: "allow",
  });
  await journal.append("run_ended", END);
  await journal.close();
  return { folder, head: journal.head, frame: join(folder, "frames", `${digest.slice(7)}.png`) };
}

function edit(folder: string, change: (lines: string[]) => string[]): void {
  const path = join(folder, "trace.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(
    path,
    change(lines)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

describe("trace verify", () => {
  it("accepts a whole trace and prints its anchor", async () => {
    const { folder, head } = await writeTrace();
    const ran = await runCli(["trace", "verify", folder]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toBe(`intact and complete\n5 records verified, 1 frame, head ${head}\n`);
  });

  const changes: readonly (readonly [string, (folder: string, frame: string) => void, RegExp])[] = [
    [
      "an altered record",
      (folder) => edit(folder, (lines) => lines.map((line) => line.replace("action-2", "action-3"))),
      /not intact: record 3: altered/,
    ],
    [
      "a removed record",
      (folder) => edit(folder, (lines) => lines.filter((_, index) => index !== 2)),
      /not intact: record 2: records are missing before it/,
    ],
    ["no end", (folder) => edit(folder, (lines) => lines.slice(0, -1)), /not intact: incomplete/],
    ["an empty trace", (folder) => writeFileSync(join(folder, "trace.jsonl"), ""), /incomplete/],
    ["a missing frame", (_folder, frame) => rmSync(frame), /record 1: its frame sha256:.*does not exist/],
    ["an altered frame", (_folder, frame) => writeFileSync(frame, "other"), /record 1: .*another content/],
  ];
  it.each(changes)("exits 1 for %s and says where", async (_what, change, message) => {
    const { folder, frame } = await writeTrace();
    change(folder, frame);
    const ran = await runCli(["trace", "verify", folder]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(message);
  });

  it("exits 2 when there is no trace", async () => {
    const ran = await runCli(["trace", "verify", temporaryFolder()]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/trace\.jsonl does not exist/);
  });
});

describe("trace show", () => {
  it("lists actions with their verdicts, withholds typed text, and escapes what others wrote", async () => {
    const { folder } = await writeTrace();
    const ran = await runCli(["trace", "show", folder]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("left_click 1,2 ─ deny E_BOUNDS: x\\u{1b}[31m\\u{202e} is outside");
    expect(ran.stdout).toContain("type ‹5 characters› ─ allow");
    expect(ran.stdout).toContain("ended: completed");
    expect(ran.stdout).toMatch(/intact and complete\n$/);
  });

  it("counts one thing as one, tells events sent from events charged, and names a picture without words", async () => {
    const folder = join(temporaryFolder(), "trace");
    const journal = TraceJournal.create(folder);
    await journal.append("run_started", START);
    const frame = await journal.keepFrame(Buffer.from("picture"));
    const size = { width: 4, height: 3 };
    await journal.append("frame", { digest: frame, size, bytes: 7, reason: "start" });
    await journal.append("model_request", { turn: 1, messages: 1, images: 2, bytes: 9, digest: frame });
    const answers = [
      { callId: "call-1", isError: false, text: "Clicked." },
      { callId: "call-2", isError: false, text: "", frame },
    ];
    await journal.append("answers", { turn: 1, answers });
    await journal.append("run_ended", { ...END, actions: 2, events: 1 });
    await journal.close();
    const { stdout } = await runCli(["trace", "show", folder]);
    expect(stdout).toContain("request: 1 message, 2 images\n");
    expect(stdout).toContain("told: Clicked. | (a picture)\n");
    expect(stdout).toContain("ended: completed ─ 1 turn, 2 actions, 1 event charged\n");
  });

  it("stops reading when nobody reads its output any more", async () => {
    const { folder } = await writeTrace();
    const io = new FakeIo("/");
    io.stdout.isClosed = true;
    expect(await runCommandLine(["trace", "show", folder], io)).toBe(0);
    expect(io.stdout.text + io.stderr.text).toBe("");
  });

  it("says clearly when what it shows is not all, and shows nothing unverified", async () => {
    const { folder } = await writeTrace();
    edit(folder, (lines) => lines.map((line) => line.replace("action-2", "action-3")));
    const ran = await runCli(["trace", "show", folder]);
    expect(ran.stdout).toContain("left_click 1,2");
    expect(ran.stdout).not.toContain("type ");
    expect(ran.stdout).toMatch(/NOT INTACT: record 3: altered/);
  });
});
