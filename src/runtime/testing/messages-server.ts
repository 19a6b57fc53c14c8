// A Messages server on loopback, played by a function. It listens on 127.0.0.1 and a free port, serves only
// POST /v1/messages with its own key, and hands the function what came over the wire and nothing else.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { CapuchinError } from "../../diagnostics/errors.js";
import { findRequestProblem, type MessagesRequest } from "./request-rules.js";
import { readScriptReply, type ScriptReply, wireAnswer } from "./script-reply.js";
import { sendAnswer, type WireAnswer } from "./send-answer.js";

/** The body of a request as it was posted. */
export type ScriptRequest = MessagesRequest;

/** What a script knows of a request beside its body. */
export interface ScriptContext {
  /** 1 for the first request that the server received, retries counted. */
  readonly turn: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers a request as the model would. */
export type ScriptFunction = (
  request: ScriptRequest,
  context: ScriptContext,
) => ScriptReply | Promise<ScriptReply>;

/** A Messages API on loopback, played by a function. */
export interface MessagesServer {
  readonly baseURL: string;
  /** Requests received so far. */
  readonly requests: number;
  /** What the function did wrong; the first fault only. */
  readonly fault: Error | undefined;
  close(): Promise<void>;
}

/** What a played server answers with, and to whom. */
export interface MessagesServerOptions {
  readonly apiKey: string;
  readonly play: ScriptFunction;
  /** Where the script comes from, for messages. */
  readonly name: string;
}

const BODY_MAX_BYTES = 64 * 1024 * 1024;

function errorAnswer(status: number, type: string, message: string): WireAnswer {
  const body = Buffer.from(JSON.stringify({ type: "error", error: { type, message } }));
  return { status, headers: { "content-type": "application/json" }, body, wire: {} };
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > BODY_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function plainHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    // The key is this server's own business.
    if (name !== "authorization" && name !== "x-api-key" && typeof value === "string") headers[name] = value;
  }
  return headers;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

class Scripted implements MessagesServer {
  readonly #options: MessagesServerOptions;
  readonly #server: Server;
  #baseURL = "";
  #requests = 0;
  #fault: Error | undefined;

  constructor(options: MessagesServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        // A client that went away in the middle is no fault of the script.
        if (!request.destroyed) this.#note(error);
        response.destroy();
      });
    });
  }

  get baseURL(): string {
    return this.#baseURL;
  }

  get requests(): number {
    return this.#requests;
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("internal: the server has no port");
    this.#baseURL = `http://127.0.0.1:${address.port}`;
    // A forgotten server keeps no process alive.
    this.#server.unref();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await sendAnswer(response, await this.#answer(request));
  }

  async #answer(request: IncomingMessage): Promise<WireAnswer> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (request.method !== "POST" || pathname !== "/v1/messages") {
      return errorAnswer(404, "not_found_error", "only POST /v1/messages is served");
    }
    if (request.headers.authorization !== `Bearer ${this.#options.apiKey}`) {
      return errorAnswer(401, "authentication_error", "not this server's key");
    }
    const text = await readBody(request);
    if (text === undefined) return errorAnswer(413, "request_too_large", "the request is too large");
    this.#requests += 1;
    const turn = this.#requests;
    const body = parseJson(text);
    const problem = findRequestProblem(
      body,
      String(request.headers["anthropic-beta"] ?? ""),
      String(request.headers["anthropic-version"]),
    );
    if (problem !== undefined) return errorAnswer(400, "invalid_request_error", problem);
    return this.#play(body as ScriptRequest, { turn, headers: plainHeaders(request) });
  }

  async #play(body: ScriptRequest, context: ScriptContext): Promise<WireAnswer> {
    try {
      const reading = readScriptReply(await this.#options.play(body, context));
      if (!reading.ok) throw this.#wrong(context, reading.reason);
      const stream = body["stream"] === true;
      const answer = wireAnswer(reading.reply, { model: body.model, count: context.turn, stream });
      if ("problem" in answer) throw this.#wrong(context, answer.problem);
      return answer;
    } catch (error) {
      this.#note(error);
      const message = error instanceof Error ? error.message : "the script failed";
      return errorAnswer(400, "script_error", message);
    }
  }

  #wrong({ turn }: ScriptContext, reason: string): CapuchinError {
    return new CapuchinError("E_PROTOCOL", `${this.#options.name}, reply ${turn}: ${reason}`);
  }

  #note(error: unknown): void {
    this.#fault ??= error instanceof Error ? error : new Error("the script threw no error", { cause: error });
  }
}

/** Starts a server for a script. */
export async function startMessagesServer(options: MessagesServerOptions): Promise<MessagesServer> {
  const server = new Scripted(options);
  await server.listen();
  return server;
}
