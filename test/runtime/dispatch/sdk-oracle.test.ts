// The SDK's own tool runner as the measure: for the same replies and the same failing action it must answer the same
// calls with the same verdicts and the same halt text as our loop. It knows no gate, so its driver fails by itself
// where our bounds do.
import Anthropic from "@anthropic-ai/sdk";
import { BetaAbstractComputerToolset20260801, ToolError } from "@anthropic-ai/sdk/helpers/beta/toolsets";
import { afterEach, expect, test } from "vitest";
import { ACTION_LIST } from "../../../src/contract/actions.js";
import { HALT_TEXT } from "../../../src/runtime/dispatch/answer.js";
import { buildToolEntry } from "../../../src/runtime/dispatch/tool-entry.js";
import { type ScriptRequest, startMessagesServer } from "../../../src/runtime/testing/messages-server.js";
import type { ScriptReply } from "../../../src/runtime/testing/script-reply.js";
import { bench, call, closeAll, recorded, resultsOf, say, textOfResult } from "./setup.js";

afterEach(closeAll);

const BOUND = 100;

class Desktop extends BetaAbstractComputerToolset20260801 {
  readonly done: string[] = [];

  constructor() {
    super({ confirm: async () => true });
  }

  protected override async left_click(_context: unknown, input: { coordinate?: readonly number[] | null }) {
    if ((input.coordinate?.[0] ?? 0) >= BOUND) throw new ToolError("outside");
    this.done.push("left_click");
  }

  protected override async type_() {
    this.done.push("type");
  }
}

interface Verdict {
  readonly id: string;
  readonly toolset: string | undefined;
  readonly isError: boolean;
  readonly isHalt: boolean;
}

function verdictsOf(request: ScriptRequest | undefined): Verdict[] {
  return resultsOf(request).map((result) => ({
    id: result.tool_use_id,
    toolset: result.toolset_name,
    isError: result.is_error === true,
    isHalt:
      typeof result.content === "string" ? result.content === HALT_TEXT : textOfResult(result) === HALT_TEXT,
  }));
}

async function playSDK(reply: ScriptReply) {
  const seen: ScriptRequest[] = [];
  const replies = [reply, [say("end")]];
  const server = await startMessagesServer({
    apiKey: "sk-oracle",
    name: "oracle",
    play: (request) => {
      seen.push(request);
      return replies.shift() ?? [say("end")];
    },
  });
  try {
    const client = new Anthropic({ apiKey: "sk-oracle", baseURL: server.baseURL, maxRetries: 0 });
    const desktop = new Desktop();
    await client.beta.messages
      .toolRunner({
        model: "claude-opus-5-5",
        max_tokens: 100,
        messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
        tools: [desktop],
        thread: false,
        stream: false,
      })
      .runUntilDone();
    return { seen, done: desktop.done };
  } finally {
    await server.close();
  }
}

async function playOurs(reply: ScriptReply) {
  const model = recorded([reply]);
  const bounds = { x: 0, y: 0, width: BOUND, height: BOUND };
  const { dispatcher, journal } = bench(model, { bounds, onViolation: "refuse" });
  await dispatcher.run("go");
  const done = journal
    .ofKind("action")
    .filter((record) => record.data.verdict === "allow")
    .map((record) => record.data.name);
  return { seen: model.seen, done };
}

const inside = () => call("left_click", { coordinate: [10, 10] });
const outside = () => call("left_click", { coordinate: [200, 10] });
const typing = () => call("type", { text: "x" });

test.each<[string, ScriptReply]>([
  ["all fine", [inside(), typing(), inside()]],
  ["the first fails", [outside(), typing(), inside()]],
  ["one in the middle fails", [inside(), outside(), typing()]],
  ["the last fails", [inside(), typing(), outside()]],
  ["two would fail", [outside(), outside()]],
  ["words in between", [say("first"), inside(), say("then"), outside(), typing()]],
])("the same verdicts when %s", async (_name, reply) => {
  const theirs = await playSDK(reply);
  const ours = await playOurs(reply);
  expect(theirs.seen).toHaveLength(2);
  expect(verdictsOf(ours.seen[1])).toEqual(verdictsOf(theirs.seen[1]));
  expect(ours.done).toEqual(theirs.done);
});

test("a reply cut off at the token limit runs nothing on either side", async () => {
  const reply = { content: [inside()], stop_reason: "max_tokens" };
  expect((await playSDK(reply)).done).toEqual([]);
  expect((await playOurs(reply)).done).toEqual([]);
});

test("the tool entry switches off what the SDK's would for the same members", () => {
  const entry = JSON.parse(JSON.stringify(new Desktop()));
  expect(
    buildToolEntry("computer_toolset_20260801", { width: 1, height: 1 }, ["left_click", "type"]),
  ).toEqual(entry);
  expect(Object.keys(entry.configs)).toHaveLength(ACTION_LIST.length - 2);
});
