import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";
import { FakeIo, runCli } from "./fake-io.js";
import { entryOf, writeSpec } from "./spec-fixture.js";

const CAP_A = {
  cap: "computer.screen + computer.input",
  width: 1280,
  height: 800,
  bounds: { x: 100, y: 100, width: 400, height: 300 },
  denyKeys: ["Return", "ctrl+w"],
  maxActions: 20,
  onViolation: "refuse",
};

interface Verdict {
  verdict: string;
  code?: string;
  reason?: string;
  action?: Record<string, unknown>;
}

async function judge(
  lines: string | AsyncIterable<Uint8Array>,
  options: Record<string, unknown> = CAP_A,
  flags: readonly string[] = [],
): Promise<Verdict[]> {
  const spec = writeSpec(temporaryFolder(), [entryOf("A", options)]);
  const ran = await runCli(["gate", "--spec", spec, "--agent", "A", ...flags], { stdin: lines });
  expect(ran.stderr).toBe("");
  expect(ran.code).toBe(0);
  return ran.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const member = (name: string, input: unknown) => JSON.stringify({ name, toolset_name: "computer", input });
const single = (action: string, input: object = {}) =>
  JSON.stringify({ name: "computer", input: { action, ...input } });
const click = (x: number, y: number) => member("left_click", { coordinate: [x, y] });

describe("one line", () => {
  const allowed: readonly (readonly [string, string, object])[] = [
    [
      "a toolset member",
      click(100, 100),
      { kind: "click", at: { x: 100, y: 100 }, button: "left", count: 1, modifiers: [] },
    ],
    [
      "the single tool",
      single("left_click", { coordinate: [499, 399] }),
      { kind: "click", at: { x: 499, y: 399 }, button: "left", count: 1, modifiers: [] },
    ],
    ["a key", member("key", { text: "CTRL+s" }), { kind: "key", modifiers: ["ctrl"], key: "s", repeat: 1 }],
    ["text", member("type", { text: "é日本" }), { kind: "type", text: "é日本" }],
    ["a wait", member("wait", { duration: 0.5 }), { kind: "wait", ms: 500 }],
    [
      "type, id and a direct caller beside the call",
      JSON.stringify({
        type: "tool_use",
        id: "toolu_1",
        caller: { type: "direct" },
        ...JSON.parse(member("screenshot", {})),
      }),
      { kind: "capture" },
    ],
  ];
  it.each(allowed)("allows %s and gives the canonical action", async (_what, line, action) => {
    expect(await judge(`${line}\n`)).toEqual([{ verdict: "allow", action }]);
  });

  const denied: readonly (readonly [string, string, string])[] = [
    ["a click outside", click(500, 100), "E_BOUNDS"],
    ["a denied chord", member("key", { text: "ctrl+w" }), "E_KEY_DENIED"],
    ["a chord denied by default", member("key", { text: "ctrl+alt+Delete" }), "E_KEY_DENIED"],
    ["an alias of a denied key", member("key", { text: "KP_Enter" }), "E_KEY_DENIED"],
    ["text with a denied key", member("type", { text: "ls\n" }), "E_TEXT_DENIED"],
    [
      "a middle click without the clipboard's word",
      member("middle_click", { coordinate: [200, 200] }),
      "E_GRANT",
    ],
    ["an unknown key", member("key", { text: "Pointer_Button1" }), "E_KEY_UNKNOWN"],
    ["an unknown member", member("left_clik", {}), "E_UNKNOWN_ACTION"],
    ["another tool", JSON.stringify({ name: "bash", input: { command: "id" } }), "E_UNKNOWN_TOOL"],
    ["another toolset", JSON.stringify({ name: "key", toolset_name: "os", input: {} }), "E_PROTOCOL"],
    ["a member without its toolset", JSON.stringify({ name: "key", input: { text: "a" } }), "E_PROTOCOL"],
    ["an unknown parameter", member("left_click", { coordinate: [200, 200], force: true }), "E_SCHEMA"],
    ["a number over a limit", member("wait", { duration: 11 }), "E_LIMIT"],
    ["no JSON", "left_click 3 4", "E_SCHEMA"],
    ["a list", "[]", "E_SCHEMA"],
    ["a string", '"x"', "E_SCHEMA"],
    ["null", "null", "E_SCHEMA"],
    ["blanks only", "   ", "E_SCHEMA"],
    ["a byte order mark", `\ufeff${click(200, 200)}`, "E_SCHEMA"],
    ["two blocks in one line", `${click(200, 200)}${click(200, 200)}`, "E_SCHEMA"],
    ["a name twice", '{"name":"computer","name":"bash","input":{"action":"screenshot"}}', "E_SCHEMA"],
    [
      "a name twice, spelled otherwise, deep inside",
      '{"name":"key","toolset_name":"computer","input":{"text":"a","\\u0074ext":"Return"}}',
      "E_SCHEMA",
    ],
    [
      "an unknown field of the block",
      '{"name":"computer","input":{"action":"screenshot"},"x":1}',
      "E_SCHEMA",
    ],
    ["a __proto__ field", '{"name":"computer","input":{"action":"screenshot"},"__proto__":{}}', "E_SCHEMA"],
    [
      "another type of block",
      '{"type":"text","name":"computer","input":{"action":"screenshot"}}',
      "E_SCHEMA",
    ],
    ["an id that is no string", '{"id":1,"name":"computer","input":{"action":"screenshot"}}', "E_SCHEMA"],
    [
      "a caller that is a program",
      '{"caller":{"type":"code_execution_20250825"},"name":"computer","input":{"action":"screenshot"}}',
      "E_PROTOCOL",
    ],
    ["a nesting without end", "[".repeat(100_000), "E_SCHEMA"],
  ];
  it.each(denied)("denies %s", async (_what, line, code) => {
    const verdicts = await judge(`${line}\n`);
    expect(verdicts).toEqual([{ verdict: "deny", code, reason: expect.any(String) }]);
  });

  it("denies bytes that are no UTF-8", async () => {
    async function* bytes() {
      yield Uint8Array.of(0x7b, 0xff, 0x7d, 0x0a);
    }
    expect(await judge(bytes())).toMatchObject([{ verdict: "deny", code: "E_SCHEMA" }]);
  });

  it("escapes what it quotes", async () => {
    const [verdict] = await judge(`${member("\u001b]52;c;eA==\u0007\u202e", {})}\n`);
    expect(verdict?.reason).toContain("\\u{1b}]52");
  });
});

describe("the stream", () => {
  it("answers each line that is not empty exactly once, the last one without a line feed too", async () => {
    const verdicts = await judge(`\n${click(1, 1)}\r\n\r\n\n${click(200, 200)}\nx`);
    expect(verdicts.map((verdict) => verdict.code ?? verdict.verdict)).toEqual([
      "E_BOUNDS",
      "allow",
      "E_SCHEMA",
    ]);
  });

  it("answers a line before the next one arrives", async () => {
    const spec = writeSpec(temporaryFolder(), [entryOf("A", CAP_A)]);
    const answersSeen: number[] = [];
    async function* lines(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 3; count++) {
        yield Buffer.from(`${click(200, 200)}\n`);
        answersSeen.push(io.stdout.text.split("\n").length - 1);
      }
    }
    const io: FakeIo = new FakeIo("/", lines());
    const { runCommandLine } = await import("../../src/cli/command-line.js");
    expect(await runCommandLine(["gate", "--spec", spec, "--agent", "A"], io)).toBe(0);
    expect(answersSeen).toEqual([1, 2, 3]);
  });

  it("says what is wrong with a line of a few megabytes, as a run does [B-015, T-016]", async () => {
    const ones = member("left_click", { coordinate: Array(1_000_000).fill(1) });
    const text = member("type", { text: "x".repeat(3_000_000) });
    expect(await judge(`${ones}\n${text}\n`)).toMatchObject([{ code: "E_SCHEMA" }, { code: "E_LIMIT" }]);
  });

  it("denies a line over 32 MiB without keeping it, and goes on", async () => {
    async function* huge(): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent <= 32; sent++) yield Buffer.alloc(1024 * 1024, 0x20);
      yield Buffer.from(`\n${click(200, 200)}\n`);
    }
    expect(await judge(huge())).toMatchObject([{ code: "E_LIMIT" }, { verdict: "allow" }]);
  });

  it("stops quietly when nobody reads the answers any more", async () => {
    const spec = writeSpec(temporaryFolder(), [entryOf("A", CAP_A)]);
    async function* lines(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${click(200, 200)}\n`);
      io.stdout.isClosed = true;
      for (;;) yield Buffer.from(`${click(200, 200)}\n`);
    }
    const io: FakeIo = new FakeIo("/", lines());
    const { runCommandLine } = await import("../../src/cli/command-line.js");
    expect(await runCommandLine(["gate", "--spec", spec, "--agent", "A"], io)).toBe(1);
    expect(io.stderr.text).toBe("");
  });
});

describe("the state of the run", () => {
  it("spends the quota on allowed actions only, and then denies", async () => {
    const lines = [click(200, 200), click(1, 1), "x", click(201, 200), click(202, 200), click(203, 200)];
    const verdicts = await judge(lines.join("\n"), { ...CAP_A, maxActions: 3 });
    expect(verdicts.map((verdict) => verdict.code ?? "allow")).toEqual([
      "allow",
      "E_BOUNDS",
      "E_SCHEMA",
      "allow",
      "allow",
      "E_QUOTA",
    ]);
  });

  it("counts no turns, and answers every line on its merits whatever onViolation says", async () => {
    const options = { ...CAP_A, maxActions: undefined, maxTurns: 2, onViolation: "abort" };
    const lines = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? click(1, 1) : click(200, 200)));
    const verdicts = await judge(lines.join("\n"), options);
    expect(verdicts.filter((verdict) => verdict.verdict === "allow")).toHaveLength(20);
  });

  it("knows no pointer until an allowed action places it", async () => {
    const bare = member("left_click", {});
    const lines = [bare, click(1, 1), bare, member("mouse_move", { coordinate: [150, 160] }), bare];
    const verdicts = await judge(lines.join("\n"));
    expect(verdicts.map((verdict) => verdict.code ?? "allow")).toEqual([
      "E_BOUNDS",
      "E_BOUNDS",
      "E_BOUNDS",
      "allow",
      "allow",
    ]);
    expect(verdicts[4]?.action).toMatchObject({ at: { x: 150, y: 160 } });
  });

  it("takes the pointer from --cursor, inside and outside the region", async () => {
    const bare = `${member("left_click", {})}\n`;
    expect(await judge(bare, CAP_A, ["--cursor", "100,399"])).toMatchObject([{ verdict: "allow" }]);
    expect(await judge(bare, CAP_A, ["--cursor", "99,399"])).toMatchObject([{ code: "E_BOUNDS" }]);
  });

  it("remembers a button that is held", async () => {
    const down = member("left_mouse_down", {});
    const up = member("left_mouse_up", {});
    const verdicts = await judge([up, down, down, click(200, 200), up, click(200, 200)].join("\n"), CAP_A, [
      "--cursor",
      "150,150",
    ]);
    expect(verdicts.map((verdict) => verdict.code ?? "allow")).toEqual([
      "E_STATE",
      "allow",
      "E_STATE",
      "E_STATE",
      "allow",
      "allow",
    ]);
  });
});

describe("flags", () => {
  it("refuses a pointer outside the viewport, an unknown agent and an unreadable spec", async () => {
    const spec = writeSpec(temporaryFolder(), [entryOf("FormFiller", CAP_A)]);
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [["--spec", spec, "--agent", "FormFiller", "--cursor", "1280,0"], /outside the 1280 × 800 viewport/],
      [["--spec", spec, "--agent", "FormFilla"], /did you mean "FormFiller"/],
      [["--spec", "/dev/zero", "--agent", "A"], /E_SPEC.*device/],
    ];
    for (const [flags, message] of cases) {
      const ran = await runCli(["gate", ...flags], { stdin: `${click(200, 200)}\n` });
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr).toMatch(message);
    }
  });
});
