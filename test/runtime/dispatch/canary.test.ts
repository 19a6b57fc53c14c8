// A run by `launch` with a canary in every inlet: nothing of what it writes or tells may hold one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { computerUse } from "../../../src/decorators/index.js";
import { anthropic } from "../../../src/runtime/dispatch/anthropic.js";
import { recordTo } from "../../../src/runtime/dispatch/recording.js";
import type { RunEvent } from "../../../src/runtime/dispatch/run-event.js";
import { computer } from "../../../src/runtime/runs/computer.js";
import { launch } from "../../../src/runtime/runs/launch.js";
import type { LaunchOptions } from "../../../src/runtime/runs/launch-options.js";
import { fakeDesktop } from "../../../src/runtime/testing/fake-desktop.js";
import { type MessagesServer, startMessagesServer } from "../../../src/runtime/testing/messages-server.js";
import type { ScriptReply } from "../../../src/runtime/testing/script-reply.js";
import { runCli } from "../../cli/fake-io.js";
import { filesBelow, findCanaries } from "../../tools/canary.js";
import { call, FULL_CAP, instantClock } from "./setup.js";

const KEY = "sk-canary/Key+0123456789==";
const DECLARED = 'p\u00e4ss"w\\rd canary';
const OTHER = "token-canary-42";
const TYPED = "typed canary \u00fc1";
const BY_AGENT = "agent typed canary";
const GOAL = "goal canary that nobody declared";
const WORDS = "words canary of the model";
const THOUGHT = "thought canary of the model";
const ENVIRONMENT = "environment canary value";

/** What no trace may hold, whatever was declared. */
const WITHHELD = { TYPED, BY_AGENT, GOAL, WORDS, THOUGHT, ENVIRONMENT };
const SECRETS = { KEY, DECLARED, OTHER };

let folder = "";
let server: MessagesServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capuchin-canary-"));
  process.env["CAPUCHIN_TEST_CANARY"] = ENVIRONMENT;
});
afterEach(async () => {
  delete process.env["CAPUCHIN_TEST_CANARY"];
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const everySecret = Object.values(SECRETS).join(" ");

const REPLIES: readonly ScriptReply[] = [
  // What a server says when it refuses: our own headers, in its words.
  { status: 503, body: { error: { message: `x-api-key ${everySecret} ${"pad ".repeat(60)}${OTHER}` } } },
  { status: 200, body: `{"type":"message","role":"${everySecret}` },
  {
    content: [
      { type: "thinking", thinking: `${THOUGHT}: ${DECLARED}`, signature: `${KEY}` },
      { type: "text", text: `${WORDS}, I type ${TYPED}, and ${OTHER.slice(0, 7)}` },
      { type: "text", text: `${OTHER.slice(7)} goes over two blocks` },
      { type: `kind_of_${OTHER}`, note: `${WORDS} ${DECLARED}` },
      call("type", { text: TYPED }, { id: `id_${OTHER}` }),
      call("key", { text: OTHER }, { id: "k1" }),
      call("left_click", { coordinate: [1, 2] }, { id: "k2" }),
    ],
  },
  [call("type", { text: `${DECLARED}${TYPED}`, [DECLARED]: WORDS, [WORDS]: 1 }, { id: "m1" })],
  [call(`no ${OTHER} action`, { note: DECLARED }, { id: "m2" })],
  [call("type", { text: [DECLARED] }, { id: "m3" })],
  [call("type", `${DECLARED} ${TYPED}`, { id: "m4" })],
  [call("left_click", { coordinate: [DECLARED, TYPED] }, { id: "m5", caller: { type: DECLARED } })],
  { content: [{ type: "text", text: "x" }], stop_reason: `${"a".repeat(30)}${OTHER}` },
];

async function run(more: Partial<LaunchOptions<object>> = {}) {
  const replies = [...REPLIES];
  server = await startMessagesServer({
    apiKey: KEY,
    name: "canary",
    play: () => replies.shift() ?? [{ type: "text", text: "done" }],
  });
  class Operator {
    async run(goal: string) {
      await computer.type(this, BY_AGENT);
      await computer.run(this, goal, { system: `${WORDS} ${DECLARED}` });
    }
  }
  const agent = computerUse({ cap: FULL_CAP, width: 200, height: 100, onViolation: "refuse" })(Operator);
  const events: RunEvent[] = [];
  const model = recordTo(join(folder, "recording"), anthropic({ apiKey: KEY, baseURL: server.baseURL }), {
    secrets: [DECLARED, OTHER],
  });
  const result = await launch(agent, {
    goal: `${GOAL}: ${DECLARED}`,
    derive: true,
    model,
    desktop: fakeDesktop(),
    trace: join(folder, "trace"),
    secrets: [DECLARED, OTHER],
    clock: instantClock(),
    onEvent: (event) => events.push(event),
    ...more,
  });
  return { result, events };
}

/** What the commands that read a trace print. */
async function printed(): Promise<{ name: string; bytes: string }[]> {
  const trace = join(folder, "trace");
  const lines = [
    ["trace", "show", trace],
    ["trace", "verify", trace],
    ["trace", "replay", trace],
    ["trace", "replay", trace, "--json"],
    ["trace", "export", trace, "--html", join(folder, "report.html")],
  ];
  const all: { name: string; bytes: string }[] = [];
  for (const argv of lines) {
    const ran = await runCli(argv);
    expect(ran.code, `${argv.join(" ")}: ${ran.stderr}`).toBe(0);
    all.push({ name: argv.slice(0, 2).join(" "), bytes: ran.stdout + ran.stderr });
  }
  return all;
}

test("no artefact holds a secret, a typed text or the model's words", async () => {
  const { result, events } = await run();
  // It went through all of it, to the stop reason that nobody knows.
  expect(result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" }, turns: 7, actions: 2 });
  expect(events.filter(({ type }) => type === "retry")).toHaveLength(2);
  const outputs = await printed();
  const trace = filesBelow(join(folder, "trace"));
  const report = filesBelow(folder).filter(({ name }) => name.endsWith(".html"));
  expect(trace.length).toBeGreaterThan(8);
  expect(report).toHaveLength(1);
  const told = [
    { name: "result", bytes: JSON.stringify(result) },
    { name: "events", bytes: JSON.stringify(events.filter(({ type }) => type !== "reply")) },
  ];
  expect(findCanaries([...trace, ...outputs, ...report], { ...WITHHELD, ...SECRETS })).toEqual([]);
  // What is told while it happens holds the model's words, without secrets and typed texts.
  expect(findCanaries(told, { ...SECRETS, TYPED, BY_AGENT, GOAL, ENVIRONMENT })).toEqual([]);
  const live = { name: "all events", bytes: JSON.stringify(events) };
  expect(live.bytes).toContain(WORDS);
  expect(findCanaries([live], { ...SECRETS, TYPED, BY_AGENT, ENVIRONMENT })).toEqual([]);
});

test("a recording holds everything but the secrets", async () => {
  await run();
  const files = filesBelow(join(folder, "recording"));
  expect(files).toHaveLength(7);
  expect(findCanaries(files, SECRETS)).toEqual([]);
  expect(findCanaries(files, { TYPED, WORDS, THOUGHT })).not.toEqual([]);
});

test("kept words are without secrets and typed texts, over blocks too", async () => {
  await run({ traceWords: "kept" });
  const trace = filesBelow(join(folder, "trace"));
  expect(findCanaries(trace, { ...SECRETS, TYPED, BY_AGENT, GOAL, ENVIRONMENT })).toEqual([]);
  const words = trace.map(({ bytes }) => bytes.toString("utf8")).join("\n");
  expect(words).toContain(`${WORDS}, I type [typed], and [secret]`);
  expect(words).toContain("[secret] goes over two blocks");
  expect(words).toContain(`${THOUGHT}: [secret]`);
});

test("the search finds what it looks for", () => {
  const place = (text: string) => [{ name: "a", bytes: `x${text}y` }];
  for (const text of [
    DECLARED,
    JSON.stringify(DECLARED),
    Buffer.from(`zz${DECLARED}`).toString("base64"),
    Buffer.from(DECLARED).toString("hex"),
  ]) {
    expect(findCanaries(place(text), { DECLARED })).not.toEqual([]);
  }
  expect(findCanaries(place("nothing"), { DECLARED })).toEqual([]);
});
