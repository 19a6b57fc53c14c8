// Callers who ask the API themselves: the real SDK's client, over HTTP. What goes out is read from what the server
// received; what comes back may be used only through a gate or a check.
import { inspect } from "node:util";
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { work } from "../../../examples/direct-caller/ask.js";
import {
  askWithComputer,
  ComputerCap,
  computerTools,
  createGate,
  ModelError,
} from "../../../src/runtime/index.js";
import { fakeDesktop } from "../../../src/runtime/testing/fake-desktop.js";
import {
  type MessagesServer,
  type ScriptFunction,
  type ScriptRequest,
  startMessagesServer,
} from "../../../src/runtime/testing/messages-server.js";
import { closeRawServers, rawServer, sendJson } from "./raw-server.js";
import { call, entryOf, say } from "./setup.js";

const servers: MessagesServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await closeRawServers();
});

const KEY = "sk-ant-direct";
const SIZE = { width: 400, height: 300 };

function capWith(
  ...words: readonly Parameters<ReturnType<typeof ComputerCap.builder>["allow"]>[0][]
): ComputerCap {
  const builder = ComputerCap.builder().withViewport(SIZE.width, SIZE.height);
  for (const word of words) builder.allow(word);
  return builder.build();
}

const SCREEN = capWith("computer.screen");
const POINTER = capWith("computer.screen", "computer.input.pointer");

interface Sent {
  readonly body: ScriptRequest;
  readonly headers: Readonly<Record<string, string>>;
}

async function clientOf(play: ScriptFunction): Promise<{ client: Anthropic; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = await startMessagesServer({
    apiKey: KEY,
    name: "direct",
    play: (body, context) => {
      sent.push({ body, headers: context.headers });
      return play(body, context);
    },
  });
  servers.push(server);
  return { client: new Anthropic({ apiKey: KEY, baseURL: server.baseURL, maxRetries: 0 }), sent };
}

const go = { role: "user" as const, content: [{ type: "text" as const, text: "go" }] };
const ask = { model: "claude-opus-5-5", max_tokens: 100, messages: [go] };

describe("the tools of a request", () => {
  test("the toolset switches off what the cap does not grant, and needs no beta", () => {
    expect(computerTools(SCREEN)).toEqual({
      model: "claude-opus-5-5",
      version: "computer_toolset_20260801",
      picture: SIZE,
      tools: [
        {
          type: "computer_toolset_20260801",
          configs: Object.fromEntries(
            [
              "mouse_move",
              "left_click",
              "right_click",
              "middle_click",
              "double_click",
              "triple_click",
              "left_click_drag",
              "left_mouse_down",
              "left_mouse_up",
              "scroll",
              "type",
              "key",
              "hold_key",
            ].map((name) => [name, { enabled: false }]),
          ),
        },
      ],
      betas: [],
      headers: {},
      offered: ["screenshot", "cursor_position", "zoom", "wait"],
      notice: undefined,
    });
  });

  test("a single tool has size, zoom, beta and a notice of what it cannot switch off", () => {
    const made = computerTools(POINTER, { model: "claude-opus-4-6" });
    expect(made.tools).toEqual([
      {
        type: "computer_20251124",
        name: "computer",
        display_width_px: 400,
        display_height_px: 300,
        enable_zoom: true,
      },
    ]);
    expect(made.betas).toEqual(["computer-use-2025-11-24"]);
    expect(made.headers).toEqual({ "anthropic-beta": "computer-use-2025-11-24" });
    expect(made.notice).toBe(
      "The computer tool lists actions that you may not use here: middle_click, type, key, hold_key.",
    );
  });

  test("a display larger than the model's pictures is declared as large as its pictures", () => {
    const wide = ComputerCap.builder().withViewport(1920, 1080).allowScreen().build();
    expect(computerTools(wide, { model: "claude-sonnet-4-5" })).toMatchObject({
      picture: { width: 1456, height: 819 },
      tools: [{ display_width_px: 1456, display_height_px: 819 }],
    });
  });

  test("an entry's model decides, and one that was built for another tool is refused", () => {
    const entry = entryOf({ model: "claude-haiku-4-5", cap: "computer.screen" });
    expect(computerTools(entry).version).toBe("computer_20250124");
    expect(() => computerTools(entry, { model: "claude-opus-5-5" })).toThrow(
      expect.objectContaining({ code: "E_SPEC" }),
    );
    expect(computerTools(entryOf(), { model: "claude-haiku-4-5" }).version).toBe("computer_20250124");
  });

  test("a forged cap and what is no model id are refused", () => {
    expect(() => computerTools(Object.create(ComputerCap.prototype))).toThrow(
      expect.objectContaining({ code: "E_CAP_FORGED" }),
    );
    expect(() => computerTools(SCREEN, { model: "claude\nx" })).toThrow(
      expect.objectContaining({ code: "E_SCHEMA" }),
    );
  });
});

describe("what goes out", () => {
  const replies: ScriptFunction = () => [say("done")];

  test("the toolset to messages, the caller's own tools kept, other computer tools replaced", async () => {
    const { client, sent } = await clientOf(replies);
    const own = { name: "look_up", description: "d", input_schema: { type: "object" as const } };
    const request: Anthropic.MessageCreateParamsNonStreaming = {
      ...ask,
      system: "Be brief.",
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      tools: [
        own,
        { type: "computer_toolset_20260801" },
        { name: "computer", input_schema: { type: "object" } },
      ],
    };
    await askWithComputer(client, request, { allow: SCREEN });
    const { body, headers } = sent[0] ?? {};
    expect(body).toMatchObject({
      model: "claude-opus-5-5",
      max_tokens: 100,
      system: "Be brief.",
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      messages: [go],
    });
    expect(body?.tools).toEqual([own, ...computerTools(SCREEN).tools]);
    expect(headers?.["anthropic-beta"]).toBeUndefined();
    expect(request.tools).toHaveLength(3);
  });

  test.each([
    ["claude-sonnet-4-6", "computer_20251124", "computer-use-2025-11-24"],
    ["claude-haiku-4-5", "computer_20250124", "computer-use-2025-01-24"],
    ["claude-3-5-sonnet-20241022", "computer_20241022", "computer-use-2024-10-22"],
  ])("%s gets %s by the beta endpoint, the caller's betas kept", async (model, type, beta) => {
    for (const stream of [false, true]) {
      const { client, sent } = await clientOf(replies);
      const request = {
        ...ask,
        model,
        stream,
        betas: ["files-api-2025-04-14", beta],
        system: [say("Be brief.")],
      };
      const answer = await askWithComputer(client, request, { allow: SCREEN });
      expect(answer.step).toBe("complete");
      const { body, headers } = sent[0] ?? {};
      expect(headers?.["anthropic-beta"]?.split(",")).toEqual(["files-api-2025-04-14", beta]);
      expect(body?.tools).toEqual([expect.objectContaining({ type, name: "computer" })]);
      expect(body).not.toHaveProperty("betas");
      expect(body?.["system"]).toEqual([
        say("Be brief."),
        say(expect.stringContaining("may not use here: ")),
      ]);
    }
  });

  test("a pair that the API refuses is refused before anything is sent", async () => {
    const { client, sent } = await clientOf(replies);
    const allow = entryOf({ model: "claude-opus-4-6" });
    await expect(askWithComputer(client, ask, { allow })).rejects.toMatchObject({ code: "E_SPEC" });
    await expect(
      askWithComputer(client, { ...ask, messages: "go" as never }, { allow }),
    ).rejects.toMatchObject({
      code: "E_SCHEMA",
    });
    expect(sent).toEqual([]);
  });
});

describe("what comes back", () => {
  test("words, actions and inputs are tainted; an action passes by the gate only", async () => {
    const { client } = await clientOf(() => [
      say("I click"),
      call("left_click", { coordinate: [30, 40] }, { id: "call_a" }),
      call("type", { text: "secret-words" }, { id: "call_b" }),
      call("left_click", { coordinate: ["x", 4] }, { id: "call_c" }),
      { type: "tool_use", id: "call_d", name: "look_up", input: { word: "w" } },
      { type: "tool_use", id: "call_e", name: "rm", input: {} },
    ]);
    const tools = [{ name: "look_up", input_schema: { type: "object" } }];
    const answer = await askWithComputer(client, { ...ask, tools }, { allow: POINTER });
    expect(answer.step).toBe("calls");
    expect(answer.text.matching(/I click/)).toBe("I click");
    expect(inspect(answer, { depth: 9 }) + JSON.stringify(answer)).not.toMatch(/secret-words|I click/);
    expect(answer.calls.map(({ id, name }) => [id, name])).toEqual([
      ["call_a", "left_click"],
      ["call_b", "type"],
      ["call_c", undefined],
      ["call_e", undefined],
    ]);
    const gate = createGate(POINTER, SIZE);
    const verdicts = answer.calls.map((made) => made.commit(gate, { pointer: undefined }));
    expect(verdicts.map((verdict) => (verdict.ok ? "allowed" : verdict.code))).toEqual([
      "allowed",
      "E_GRANT",
      "E_SCHEMA",
      "E_UNKNOWN_TOOL",
    ]);
    expect(
      answer.otherCalls.map(({ id, name, input }) => [id, name, input.parse(z.object({ word: z.string() }))]),
    ).toEqual([["call_d", "look_up", { word: "w" }]]);
  });

  test("points are read in the pixels that were sent and given in the viewport's", async () => {
    const allow = ComputerCap.builder().withViewport(1920, 1080).allowScreen().allowInput().build();
    const { client } = await clientOf(() => [
      call("left_click", { coordinate: [1455, 818] }),
      call("left_click", { coordinate: [1456, 0] }),
    ]);
    const request = { ...ask, model: "claude-sonnet-4-6" };
    const made = await clientOf(() => [
      { type: "tool_use", name: "computer", input: { action: "left_click", coordinate: [1455, 818] } },
      { type: "tool_use", name: "computer", input: { action: "left_click", coordinate: [1456, 0] } },
    ]);
    expect(client).toBeDefined();
    const answer = await askWithComputer(made.client, request, { allow });
    const gate = createGate(allow, { width: 1920, height: 1080 });
    const [inside, outside] = answer.calls.map((one) => one.commit(gate, { pointer: undefined }));
    expect(inside).toMatchObject({ ok: true, plan: { at: { x: 1918, y: 1078 } } });
    expect(outside).toMatchObject({ ok: false, code: "E_BOUNDS" });
  });

  test("a reply goes back as it came, answers repeat the toolset, and a picture of another size is refused", async () => {
    let asked = 0;
    const thinking = { type: "thinking", thinking: "hm", signature: "s" };
    const { client, sent } = await clientOf(() => {
      asked += 1;
      return asked === 1
        ? [
            thinking,
            call("screenshot", {}, { id: "call_s" }),
            call("zoom", { region: [0, 0, 9, 9] }, { id: "call_z" }),
          ]
        : [say("ok")];
    });
    const answer = await askWithComputer(client, ask, { allow: SCREEN });
    const desktop = await fakeDesktop().open({ size: SIZE });
    const small = await fakeDesktop().open({ size: { width: 90, height: 90 } });
    const shoot = async (session: typeof desktop, size: typeof SIZE) => {
      const verdict = answer.calls[0]?.commit(createGate(SCREEN, size), { pointer: undefined });
      if (!verdict?.ok) throw new Error("refused");
      const performed = await session.perform(verdict.permitted);
      return performed.kind === "frame" ? performed.png : new Uint8Array();
    };
    const [shot, zoom] = answer.calls;
    const png = await shoot(desktop, SIZE);
    const other = await shoot(small, { width: 90, height: 90 });
    expect(() => shot?.done("", other)).toThrow(/90 × 90 pixels: scale it to 400 × 300/);
    expect(() => shot?.done("", new Uint8Array([1, 2, 3]))).toThrow(/no PNG/);
    expect(() => shot?.done("")).toThrow(/needs a text or a picture/);
    const results = [shot?.done("Here.", png), zoom?.done("", other)].filter((one) => one !== undefined);
    const messages = [...ask.messages, answer.turn ?? go, { role: "user" as const, content: results }];
    const second = await askWithComputer(client, { ...ask, messages }, { allow: SCREEN });
    expect(second.step).toBe("complete");
    expect(sent[1]?.body.messages[1]).toMatchObject({
      role: "assistant",
      content: [thinking, { id: "call_s" }, { id: "call_z" }],
    });
    expect(sent[1]?.body.messages[2]).toMatchObject({
      content: [
        { type: "tool_result", tool_use_id: "call_s", toolset_name: "computer" },
        { type: "tool_result", tool_use_id: "call_z", toolset_name: "computer" },
      ],
    });
  });

  test("an id that was used before, a cut reply and a refusal give nothing to act on", async () => {
    const again = [call("screenshot", {}, { id: "call_1" })];
    const before = [
      go,
      { role: "assistant" as const, content: again },
      {
        role: "user" as const,
        content: [
          { type: "tool_result" as const, tool_use_id: "call_1", toolset_name: "computer", content: "x" },
        ],
      },
    ];
    for (const [reply, messages] of [
      [{ content: again, stop_reason: "tool_use" }, before],
      [{ content: again, stop_reason: "max_tokens" }, [go]],
      [{ content: [say("no")], stop_reason: "refusal" }, [go]],
    ] as const) {
      const { client } = await clientOf(() => reply as never);
      const answer = await askWithComputer(client, { ...ask, messages: [...messages] }, { allow: SCREEN });
      expect(answer).toMatchObject({ step: "end", calls: [], otherCalls: [], turn: undefined });
      expect(answer.problem?.message).toMatch(/executed/);
    }
  });

  test("a trust of a value is told", async () => {
    const { client } = await clientOf(() => [say("fine words")]);
    const trusted: string[] = [];
    const answer = await askWithComputer(client, ask, {
      allow: SCREEN,
      onTrust: (reason) => trusted.push(reason),
    });
    expect(answer.text.trust("shown to nobody")).toBe("fine words");
    expect(trusted).toEqual(["shown to nobody"]);
  });
});

describe("what goes wrong", () => {
  async function faultOf(status: number, message: string, model = "claude-sonnet-4-6", headers = {}) {
    const body = JSON.stringify({ type: "error", error: { type: "some_error", message } });
    const server = await rawServer((response) => sendJson(response, body, status, headers));
    const client = new Anthropic({ apiKey: KEY, baseURL: server.url, maxRetries: 0 });
    return refusalOf(askWithComputer(client, { ...ask, model }, { allow: SCREEN }));
  }

  async function refusalOf(asked: Promise<unknown>) {
    const error: unknown = await asked.catch((thrown) => thrown);
    if (!(error instanceof ModelError)) throw new Error("no ModelError", { cause: error });
    return error;
  }

  test.each([
    [401, "invalid x-api-key", "key", "ANTHROPIC_API_KEY"],
    [403, "Your account may not use claude-sonnet-4-6", "model", '"claude-sonnet-4-6"'],
    [403, "beta computer-use-2025-11-24 is not enabled", "beta", "computer-use-2025-11-24"],
    [403, "no permission for tool type computer_20251124 of claude-sonnet-4-6", "tool", "computer_20251124"],
    [403, "computer use is disabled for this workspace", "tool", "computer_20251124"],
    [403, "forbidden", "model_or_tool", "the model or the computer tool"],
    [404, "model: claude-sonnet-4-6", "model", "choose another model"],
    [400, "Unexpected value(s) for the `anthropic-beta` header", "beta", "current tool, which needs none"],
    [
      400,
      "tools.0: claude-sonnet-4-6 does not support computer_20251124",
      "tool",
      "choose a model that takes it",
    ],
  ])("%i %j says that the %s is missing", async (status, said, missing, words) => {
    const error = await faultOf(status, said);
    expect(error).toMatchObject({ missing, status, fault: "fatal", retryable: false });
    expect(error.message).toContain(words);
  });

  test.each([
    [400, "messages.0: text must not be empty"],
    [404, "not found"],
    [413, "too large"],
    [500, "computer use broke"],
  ])("%i %j is about no access", async (status, said) => {
    expect(await faultOf(status, said)).toMatchObject({ missing: undefined, status });
  });

  test("429 carries the wait; the key is in no error", async () => {
    const error = await faultOf(429, `slow down, ${KEY}`, undefined, { "retry-after": "17" });
    expect(error).toMatchObject({ status: 429, retryAfterMs: 17_000, retryable: true, missing: undefined });
    expect(error.message + JSON.stringify(error) + inspect(error)).not.toContain(KEY);
  });

  test.each([
    ["prompt is too long: 9 tokens > 8 maximum", { aboutLength: true, aboutPictures: false }],
    ["Could not process image", { aboutLength: false, aboutPictures: true }],
    [`wrong, ${KEY}`, { aboutLength: false, aboutPictures: false }],
  ])("a stream that breaks off with the refusal %j is judged by its words", async (message, about) => {
    const sent = { type: "error", error: { type: "invalid_request_error", message } };
    const server = await rawServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`event: error\ndata: ${JSON.stringify(sent)}\n\n`);
    });
    const client = new Anthropic({ apiKey: KEY, baseURL: server.url, maxRetries: 0 });
    const error = await refusalOf(askWithComputer(client, { ...ask, stream: true }, { allow: SCREEN }));
    expect(error).toMatchObject({ fault: "fatal", ...about });
    expect(error.message).toContain(message.replace(KEY, "[key]"));
    expect(error.message + inspect(error)).not.toContain(KEY);
  });

  test("an error among the events of a client of another make is no event to pass over", async () => {
    async function* events() {
      yield { type: "surprise" };
      yield { type: "error", error: { type: "overloaded_error" } };
    }
    const endpoint = { create: async () => events() };
    const client = { messages: endpoint, beta: { messages: endpoint } };
    const asked = askWithComputer(client, { ...ask, stream: true }, { allow: SCREEN });
    expect(await refusalOf(asked)).toMatchObject({ message: expect.stringContaining('"error"') });
  });

  test("a reply that is none, and a stop", async () => {
    const server = await rawServer((response) => sendJson(response, '{"type":"message","content":3}'));
    const client = new Anthropic({ apiKey: KEY, baseURL: server.url, maxRetries: 0 });
    await expect(askWithComputer(client, ask, { allow: SCREEN })).rejects.toMatchObject({
      fault: "malformed",
    });
    const silent = await rawServer(() => {});
    const other = new Anthropic({ apiKey: KEY, baseURL: silent.url, maxRetries: 0 });
    const stop = new AbortController();
    const asked = askWithComputer(other, ask, { allow: SCREEN, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});

test("the example's loop does what its cap allows, and answers what it does not", async () => {
  const desktop = fakeDesktop();
  const session = await desktop.open({ size: SIZE });
  const turns = [
    [call("screenshot"), call("left_click", { coordinate: [7, 8] })],
    [call("type", { text: "no" }), call("left_click", { coordinate: [9, 9] })],
    [say("done")],
  ];
  const { client, sent } = await clientOf(() => turns.shift() ?? []);
  expect(await work(client, session, POINTER, "click")).toBe(true);
  expect(desktop.events.filter((event) => event.type === "button")).toMatchObject([
    { button: 1, down: true, x: 7, y: 8 },
    { button: 1, down: false, x: 7, y: 8 },
  ]);
  expect(sent[2]?.body.messages.at(-1)?.content).toMatchObject([
    { is_error: true, content: [{ text: "This is not allowed." }] },
    { is_error: true, content: [{ text: "Not executed: an earlier computer action in this turn failed." }] },
  ]);
});

test.each<[string, object]>([
  ["messages must hold objects", { messages: [null] }],
  ["tools must hold objects", { tools: [null] }],
])("a request whose %s only is refused before it is sent", async (words, more) => {
  const { client } = await clientOf(() => [say("done")]);
  await expect(
    askWithComputer(client, { ...ask, ...more } as never, { allow: SCREEN }),
  ).rejects.toMatchObject({
    code: "E_SCHEMA",
    message: expect.stringContaining(words),
  });
});

test.each(["", " ", "\n\t"])(
  "the answer %j alone is refused, since the API takes no blank text",
  async (words) => {
    const { client } = await clientOf(() => [call("screenshot")]);
    const { calls } = await askWithComputer(client, ask, { allow: SCREEN });
    expect(() => calls[0]?.done(words)).toThrow(expect.objectContaining({ code: "E_SCHEMA" }));
    expect(() => calls[0]?.failed(words)).toThrow(expect.objectContaining({ code: "E_SCHEMA" }));
    expect(calls[0]?.done("a")).toMatchObject({ content: [{ type: "text", text: "a" }] });
  },
);
