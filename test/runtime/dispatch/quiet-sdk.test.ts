// The SDK has a table of models about whose end it writes to the console at every request. Ours is said once, as an
// event of the run; nothing else reaches the console, and what goes over the wire is what the SDK's own call sends.
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { anthropic } from "../../../src/runtime/dispatch/anthropic.js";
import { closeRawServers, goodBody, type RawRequest, rawServer, sendGood, sendJson } from "./raw-server.js";
import { bench, closeAll, instantClock } from "./setup.js";

const MODEL = "claude-opus-4-5";
/** Long enough for every request of a test; a second is added to it for the SDK. */
const DEADLINE_MS = 60_000;

afterEach(async () => {
  await closeAll();
  await closeRawServers();
  vi.restoreAllMocks();
});

function watchConsole() {
  const written: unknown[][] = [];
  for (const name of ["warn", "error", "log", "info", "debug"] as const) {
    vi.spyOn(console, name).mockImplementation((...words: unknown[]) => void written.push(words));
  }
  return written;
}

/** What decides how a server takes a request. */
function wireOf({ method, url, headers, body }: RawRequest) {
  const { host: _host, connection: _connection, "content-length": _length, ...rest } = headers;
  const { "x-api-key": _key, authorization: _authorization, "accept-encoding": _encoding, ...kept } = rest;
  const { "accept-language": _language, "sec-fetch-mode": _mode, ...shown } = kept;
  return { method, url, headers: shown, body: JSON.parse(body) };
}

describe.each([false, true])("with stream %s", (stream) => {
  const portOf = (baseURL: string) => anthropic({ apiKey: "k", baseURL, stream, deadlineMs: DEADLINE_MS });

  test("a run with a model of the SDK's table writes nothing to the console", async () => {
    const server = await rawServer((response, _count, request) => sendGood(response, request));
    const clock = { ...instantClock(), now: () => "2026-12-24T12:00:00.000Z" };
    const written = watchConsole();
    const { dispatcher, events } = bench(portOf(server.url), { model: MODEL }, { clock });
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", text: "fine" });
    expect(await dispatcher.run("again")).toMatchObject({ outcome: "completed" });
    expect(server.requests).toHaveLength(2);
    expect(written).toEqual([]);
    expect(events.filter((event) => event.type === "advice")).toHaveLength(1);

    // The SDK does warn of that model: without this the test would hold for any model.
    const sdk = new Anthropic({ apiKey: "k", baseURL: server.url, logLevel: "off" });
    await sdk.messages.create({ model: MODEL, max_tokens: 9, messages: [{ role: "user", content: "x" }] });
    expect(written).toEqual([[expect.stringContaining(MODEL)]]);
  });

  test.each([
    ["with a beta", MODEL],
    ["without", "claude-opus-5-5"],
  ])("a request %s is the one that the SDK's own call sends", async (_how, model) => {
    const server = await rawServer((response, _count, request) =>
      stream ? sendGood(response, request) : sendJson(response, goodBody()),
    );
    watchConsole();
    const { dispatcher } = bench(portOf(server.url), { model });
    await dispatcher.run("go");
    const [ours] = server.requests.map(wireOf);
    const betas = ours?.headers["anthropic-beta"];
    expect(betas === undefined).toBe(model !== MODEL);
    const sdk = new Anthropic({ apiKey: "k", baseURL: server.url, maxRetries: 0, openTelemetry: false });
    const call = { timeout: DEADLINE_MS + 1000 };
    await (betas === undefined
      ? sdk.messages.create(ours?.body, call).asResponse()
      : sdk.beta.messages.create({ ...ours?.body, betas: [betas] }, call).asResponse());
    expect(ours).toEqual(server.requests.map(wireOf)[1]);
  });
});
