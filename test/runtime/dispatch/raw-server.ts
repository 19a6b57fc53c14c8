// A server that answers however a test wants, for faults below HTTP's good manners.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { streamEvents } from "../../../src/runtime/testing/script-reply.js";
import { eventText } from "../../../src/runtime/testing/stream-text.js";

export interface RawRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface RawServer {
  readonly url: string;
  readonly requests: RawRequest[];
  close(): Promise<void>;
}

type Handler = (response: ServerResponse, count: number, request: RawRequest) => void;

const open: RawServer[] = [];

export async function rawServer(handler: Handler): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const kept = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      requests.push(kept);
      handler(response, requests.length, kept);
    });
    request.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const made: RawServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  open.push(made);
  return made;
}

export async function closeRawServers(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}

/** A good reply, streamed to whoever asked for a stream. */
export function sendGood(response: ServerResponse, { body }: RawRequest, text = "fine"): void {
  if (JSON.parse(body).stream !== true) {
    sendJson(response, goodBody(text));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(
    streamEvents([{ type: "text", text }])
      .map((event) => eventText(event))
      .join(""),
  );
}

export function goodBody(text = "fine"): string {
  return JSON.stringify({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
}

export function sendJson(response: ServerResponse, body: string, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body);
}
