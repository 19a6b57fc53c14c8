// Shows a page to this machine's own browser, and to nobody else: loopback only, reading only, under an address that
// cannot be guessed. Every request that is not exactly that is refused before anything is made for it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PageServer {
  /** Where the page is; whoever knows it may read it. */
  readonly address: string;
  close(): Promise<void>;
}

export interface PageServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Secret part of the path: letters, digits and dashes. */
  readonly token: string;
  /** The page's own policy; `frame-ancestors` is added here, where it counts. */
  readonly policy: string;
  /** Makes the page anew for each request. */
  page(): AsyncIterable<string>;
}

const HOST = "127.0.0.1";
/** How long a client may take to say what it wants. */
const REQUEST_MS = 10_000;

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/** Why a request is refused; undefined when it is for the page. */
export function judgeRequest(
  request: Pick<IncomingMessage, "method" | "url" | "headers">,
  port: number,
  path: string,
): Refusal | undefined {
  const { method, url, headers } = request;
  const own = [`${HOST}:${port}`, `localhost:${port}`];
  // First of all, so that a name that was made to lead here learns nothing.
  if (headers.host === undefined || !own.includes(headers.host)) return { status: 403, reason: "wrong host" };
  const { origin } = headers;
  if (origin !== undefined && !own.some((host) => origin === `http://${host}`)) {
    return { status: 403, reason: "foreign origin" };
  }
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "none" && site !== "same-origin") {
    return { status: 403, reason: "asked for by another site" };
  }
  if (method !== "GET") return { status: 405, reason: "only GET" };
  return url === path ? undefined : { status: 404, reason: "not here" };
}

function headersFor(type: string, policy: string): Record<string, string> {
  return {
    "content-type": type,
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  };
}

/** Ends when the page is written or its reader has gone. */
async function send(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off("drain", done).off("close", done);
        resolve();
      };
      response.on("drain", done).on("close", done);
    });
  }
  response.end();
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: HOST, exclusive: true }, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Serves one page until it is closed. @throws the system's error when the port cannot be had. */
export async function servePage({ port, token, policy, page }: PageServerOptions): Promise<PageServer> {
  const path = `/${token}/`;
  let bound = port;
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      request.resume();
      const refusal = judgeRequest(request, bound, path);
      if (refusal) {
        const headers = headersFor("text/plain; charset=utf-8", "default-src 'none'");
        response.writeHead(refusal.status, {
          ...headers,
          ...(refusal.status === 405 ? { allow: "GET" } : {}),
        });
        response.end(`${refusal.reason}\n`);
        return;
      }
      response.writeHead(200, headersFor("text/html; charset=utf-8", policy));
      send(response, page()).catch(() => response.destroy());
    },
  );
  bound = await listen(server, port);
  return {
    address: `http://${HOST}:${bound}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
