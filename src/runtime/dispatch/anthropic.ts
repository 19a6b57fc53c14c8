// The model over the real SDK: one request, one complete message. The SDK neither retries nor reads the environment
// here; key, address and headers are what this module was given.
import type AnthropicSDK from "@anthropic-ai/sdk";
import { abortReason } from "../../base/abort.js";
import { type Clock, deadline, systemClock } from "../../base/clock.js";
import { describeValue } from "../../base/escape.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import type { Asked } from "./access.js";
import { type Environment, readAnthropicEnvironment } from "./anthropic-environment.js";
import { DEFAULT_BASE_URL, requireEndpoint } from "./endpoint.js";
import { toModelError } from "./model-fault.js";
import { ModelError, type ModelPort, type ModelRequest } from "./model-port.js";
import { withSecrets } from "./port-secrets.js";
import { betasOf, type RequestBody, requestBody } from "./request.js";
import { readStream } from "./stream-events.js";
import { createTransport, isEventStream } from "./transport.js";

/** From the first byte sent to the last byte read, whatever trickles in between. */
const DEFAULT_DEADLINE_MS = 10 * 60_000;
const DEADLINE_MAX_MS = 24 * 60 * 60_000;

/** The last API version with sampling parameters. */
const SAMPLING_API_VERSION = "2023-06-01";

/** How the hosted model is reached. */
export interface AnthropicOptions {
  /** A model id; the spec's, else the default, when absent. */
  readonly model?: string;
  /** Without it, key and address come from ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL. */
  readonly apiKey?: string;
  /** https, or http on loopback. With `apiKey` given, the environment is not asked for it. */
  readonly baseURL?: string;
  /** Milliseconds for one request, reply included. Default 10 minutes. */
  readonly deadlineMs?: number;
  /** Receive the reply in pieces. It is acted on when it is complete, as without. Default false. */
  readonly stream?: boolean;
  readonly clock?: Clock;
}

function requireKey(apiKey: unknown): string {
  // Printable ASCII only: anything else cannot be a header and would be shown in the error that says so.
  if (typeof apiKey === "string" && /^[\x21-\x7e]{1,4096}$/.test(apiKey)) return apiKey;
  throw new ConfigurationError(
    "E_CONFIG",
    "no usable API key: set ANTHROPIC_API_KEY for the command line, or pass apiKey to anthropic()",
  );
}

function requireModel(model: unknown): string | undefined {
  if (model === undefined || (typeof model === "string" && /^[A-Za-z0-9._:@/-]{1,128}$/.test(model)))
    return model;
  throw new ConfigurationError("E_CONFIG", `${describeValue(model)} is no model id`);
}

function requireDeadline(deadlineMs: number | undefined): number {
  if (deadlineMs === undefined) return DEFAULT_DEADLINE_MS;
  if (Number.isInteger(deadlineMs) && deadlineMs >= 1 && deadlineMs <= DEADLINE_MAX_MS) return deadlineMs;
  throw new ConfigurationError(
    "E_CONFIG",
    `deadlineMs must be an integer from 1 to ${DEADLINE_MAX_MS}, got ${describeValue(deadlineMs)}`,
  );
}

async function createClient(apiKey: string, baseURL: string, fetch: typeof globalThis.fetch) {
  const { default: Anthropic } = await import("@anthropic-ai/sdk");
  return new Anthropic({
    apiKey,
    baseURL,
    fetch,
    maxRetries: 0,
    // Each of these would otherwise be read from the environment.
    webhookKey: null,
    logLevel: "off",
    openTelemetry: false,
  });
}

function keyAndAddress(options: AnthropicOptions): { apiKey: unknown; baseURL: string | undefined } {
  if (options.apiKey !== undefined) return { apiKey: options.apiKey, baseURL: options.baseURL };
  const { apiKey, baseURL } = readAnthropicEnvironment(process.env);
  return { apiKey, baseURL: options.baseURL ?? baseURL };
}

/** Betas go by a header; the path is the same with and without. */
function callHeaders(body: RequestBody, betas: readonly string[]): Record<string, string> {
  return {
    ...(betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") }),
    // The newer API version refuses any temperature; the older one takes it where the model does.
    ...(body.temperature === undefined ? {} : { "anthropic-version": SAMPLING_API_VERSION }),
  };
}

/** Shows an address that is not the usual one, so that nobody's key goes somewhere unseen. */
function describePort(model: string | undefined, baseURL: string): string {
  const name = model === undefined ? "anthropic" : `anthropic:${model}`;
  return baseURL === DEFAULT_BASE_URL ? name : `${name} at ${baseURL}`;
}

/** The model behind the Messages API. @throws ConfigurationError for a bad or missing key, model id or base URL. */
export function anthropic(options: AnthropicOptions = {}): ModelPort {
  const given = keyAndAddress(options);
  const apiKey = requireKey(given.apiKey);
  const model = requireModel(options.model);
  const endpoint = requireEndpoint(given.baseURL ?? DEFAULT_BASE_URL);
  const clock = options.clock ?? systemClock;
  const deadlineMs = requireDeadline(options.deadlineMs);
  const { stream = false } = options;
  const transport = createTransport({ url: endpoint.messagesURL, apiKey, stream });
  let client: Promise<AnthropicSDK> | undefined;

  async function send(request: ModelRequest, asked: Asked, signal: AbortSignal): Promise<unknown> {
    const body = requestBody(request);
    const betas = betasOf(request);
    client ??= createClient(apiKey, endpoint.baseURL, transport.fetch);
    const sdk = await client;
    const call = { signal, timeout: deadlineMs + 1000, maxRetries: 0, headers: callHeaders(body, betas) };
    // Not by `messages.create`: whatever its log level, that writes to the console at each request for some models.
    if (!stream) return sdk.post("/v1/messages", { ...call, body, stream: false });
    const response = await sdk
      .post("/v1/messages", { ...call, body: { ...body, stream: true }, stream: true })
      .asResponse();
    // A server may answer in one piece all the same.
    if (!isEventStream(response.headers.get("content-type"))) return response.json();
    const { Stream } = await import("@anthropic-ai/sdk/core/streaming");
    return readStream(Stream.rawEvents(response), () => transport.abandon(response), { apiKey, asked });
  }

  const port: ModelPort = {
    id: describePort(model, endpoint.baseURL),
    ...(model === undefined ? {} : { model }),
    async ask(request: ModelRequest, signal: AbortSignal): Promise<unknown> {
      if (signal.aborted) throw abortReason(signal);
      const late = new ModelError(
        "transient",
        `no complete reply within ${deadlineMs / 1000} seconds: raise deadlineMs, or check the network`,
      );
      const asked = { model: request.model, version: request.tool.type };
      const limit = deadline(deadlineMs, late, signal);
      try {
        return await send(request, asked, limit.signal);
      } catch (error) {
        if (signal.aborted) throw abortReason(signal);
        if (limit.signal.aborted) throw late;
        throw toModelError(error, { apiKey, now: clock.now(), asked });
      } finally {
        limit.clear();
      }
    },
    close: async () => transport.close(),
  };
  return withSecrets(port, [apiKey]);
}

/** The model with key and address of the given environment, the process's own unless told. */
export function anthropicFromEnvironment(
  options: Omit<AnthropicOptions, "apiKey" | "baseURL"> = {},
  environment: Environment = process.env,
): ModelPort {
  const { apiKey, baseURL } = readAnthropicEnvironment(environment);
  return anthropic({ ...options, apiKey, ...(baseURL === undefined ? {} : { baseURL }) });
}
