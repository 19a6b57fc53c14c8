// A peer that does not keep to HTTP, or only just: what is no answer is asked again within bounds or ends the run, and
// nothing that is not whole is executed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../src/base/clock.js";
import { anthropic } from "../../src/runtime/dispatch/anthropic.js";
import { RETRY_LIMITS } from "../../src/runtime/dispatch/ask-model.js";
import { streamEvents } from "../../src/runtime/testing/script-reply.js";
import { eventText } from "../../src/runtime/testing/stream-text.js";
import { closeSocketServers, socketServer } from "../runtime/dispatch/raw-socket.js";
import { bench, closeAll, instantClock } from "../runtime/dispatch/setup.js";

afterEach(async () => {
  await closeAll();
  await closeSocketServers();
});

const CLICK = {
  type: "tool_use",
  id: "toolu_1",
  name: "left_click",
  toolset_name: "computer",
  input: { coordinate: [3, 4] },
};

function bodyOf(content: object, stream: boolean): Buffer {
  if (stream) {
    return Buffer.from(
      streamEvents([content] as never)
        .map((event) => eventText(event))
        .join(""),
    );
  }
  const reason = "text" in content ? "end_turn" : "tool_use";
  return Buffer.from(
    JSON.stringify({ type: "message", role: "assistant", content: [content], stop_reason: reason }),
  );
}

interface Sent {
  readonly status?: string;
  readonly headers?: readonly string[];
  readonly body?: Buffer | string;
  readonly length?: number | undefined;
}

/** An answer as bytes, its length as it is unless told. */
function answer({ status = "200 OK", headers = [], body = "", length }: Sent, stream: boolean): Buffer {
  const bytes = Buffer.from(body);
  const head = [
    `HTTP/1.1 ${status}`,
    `content-type: ${stream ? "text/event-stream" : "application/json"}`,
    `content-length: ${length ?? bytes.byteLength}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]);
}

const good = (stream: boolean, content: object = { type: "text", text: "fine" }): Buffer =>
  answer({ body: bodyOf(content, stream) }, stream);

async function run(url: string, stream: boolean, options: object = {}) {
  const clock = instantClock();
  const port = anthropic({ apiKey: "sk-test", baseURL: url, stream, clock: clock as Clock, ...options });
  const made = bench(port, {}, { retryLimits: RETRY_LIMITS, clock });
  const result = await made.dispatcher.run("go");
  return { ...made, result, retries: made.journal.ofKind("retry").map((record) => record.data.reason) };
}

describe.each([false, true])("with stream %s:", (stream) => {
  const click = bodyOf(CLICK, stream);
  const short = click.byteLength - 10;

  test("a whole answer over a bare socket is an answer (the benign twin)", async () => {
    const server = await socketServer((socket, count) =>
      socket.write(count === 1 ? good(stream, CLICK) : good(stream)),
    );
    const { result, retries } = await run(server.url, stream);
    expect(result).toMatchObject({ outcome: "completed", actions: 1, turns: 2 });
    expect(retries).toEqual([]);
    expect(server.connections).toBe(1);
  });

  test.each<[string, (socket: Socket) => void]>([
    ["no HTTP", (socket) => socket.end("220 mail.example ESMTP\r\n")],
    ["bytes", (socket) => socket.end(Buffer.from([0, 1, 2, 0xff]))],
    [
      "another protocol",
      (socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
    ["half a status line", (socket) => socket.end("HTTP/1.1 20")],
    ["headers without end", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n")],
    [
      "headers of a megabyte",
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n${"x-a: b\r\n".repeat(150_000)}\r\n`),
    ],
    ["two lengths", (socket) => socket.end(answer({ body: click, headers: ["content-length: 3"] }, stream))],
    [
      "a length and chunks",
      (socket) => socket.end(answer({ body: click, headers: ["transfer-encoding: chunked"] }, stream)),
    ],
    [
      "a chunk that is none",
      (socket) => socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}`),
    ],
    [
      "a length that is a lie, and the end",
      (socket) => socket.end(answer({ body: click.subarray(0, short), length: click.byteLength }, stream)),
    ],
    ["a length that cuts it short", (socket) => socket.end(answer({ body: click, length: short }, stream))],
    ["a status of no kind", (socket) => socket.end(answer({ status: "999 Odd", body: click }, stream))],
    [
      "gzip that was not asked for",
      (socket) => socket.end(answer({ body: gzipSync(click), headers: ["content-encoding: gzip"] }, stream)),
    ],
    ["gzip that does not say so", (socket) => socket.end(answer({ body: gzipSync(click) }, stream))],
    [
      "a plain body that says gzip",
      (socket) => socket.end(answer({ body: click, headers: ["content-encoding: gzip"] }, stream)),
    ],
    [
      "br and gzip",
      (socket) => socket.end(answer({ body: click, headers: ["content-encoding: br, gzip"] }, stream)),
    ],
    ["nothing with 204", (socket) => socket.end(answer({ status: "204 No Content" }, stream))],
    ["nothing with 205", (socket) => socket.end(answer({ status: "205 Reset Content" }, stream))],
    ["an end at once", (socket) => socket.end()],
    ["a reset", (socket) => void socket.resetAndDestroy()],
  ])("%s: nothing is executed, asked again within bounds", async (_what, hostile) => {
    const server = await socketServer((socket) => hostile(socket));
    const { result, desktop } = await run(server.url, stream);
    expect(result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" }, turns: 1, actions: 0 });
    expect(desktop.events).toEqual([]);
    expect(server.requests).toBeGreaterThanOrEqual(3);
    expect(server.requests).toBeLessThanOrEqual(5);
    expect(result).toMatchObject({
      error: { message: expect.stringMatching(/given up after \d attempts; /) },
    });

    // The same once, and then a whole answer: the run goes on.
    const mended = await socketServer((socket, count) =>
      count === 1 ? hostile(socket) : void socket.write(good(stream)),
    );
    expect((await run(mended.url, stream)).result).toMatchObject({ outcome: "completed", turns: 1 });
  });

  test("informational answers before the answer say nothing", async () => {
    const early = ["100 Continue", "102 Processing", "103 Early Hints"].map(
      (status) => `HTTP/1.1 ${status}\r\nlink: </x>; rel=preload\r\n\r\n`,
    );
    const server = await socketServer((socket) => socket.write(early.join("") + good(stream).toString()));
    expect((await run(server.url, stream)).result).toMatchObject({ outcome: "completed", turns: 1 });
  });

  test("informational answers for ever meet the deadline", async () => {
    const server = await socketServer((socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 5);
      socket.on("close", () => clearInterval(timer));
    });
    const { result } = await run(server.url, stream, { deadlineMs: 100 });
    expect(result).toMatchObject({
      outcome: "failed",
      error: { retryable: true, message: expect.stringContaining("no complete reply") },
    });
  });

  test("a body without a length, ended by the connection's end, is a body", async () => {
    const server = await socketServer((socket) => {
      const type = stream ? "text/event-stream" : "application/json";
      socket.end(
        `HTTP/1.0 200 OK\r\ncontent-type: ${type}\r\n\r\n${bodyOf({ type: "text", text: "fine" }, stream)}`,
      );
    });
    expect((await run(server.url, stream)).result).toMatchObject({ outcome: "completed", turns: 1 });
  });

  test("an answer before the request was read is an answer", async () => {
    const server = await socketServer((socket) => socket.write(good(stream)), { whole: false });
    expect((await run(server.url, stream)).result).toMatchObject({ outcome: "completed", turns: 1 });
  });

  test("a refusal before the request was read, and the end: the refusal counts, or it is asked again", async () => {
    const server = await socketServer(
      (socket) => socket.end(answer({ status: "413 Too Large", body: "{}" }, false)),
      { whole: false },
    );
    const { result, desktop } = await run(server.url, stream);
    expect(result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" } });
    expect(desktop.events).toEqual([]);
  });

  test("a kept connection that was closed meanwhile is asked again, and no turn is lost", async () => {
    const sockets: Socket[] = [];
    const server = await socketServer((socket, count) => {
      sockets.push(socket);
      if (count === 2) {
        // It has read the request on the kept connection, and goes without a word.
        socket.resetAndDestroy();
        return;
      }
      socket.write(count === 1 ? good(stream, CLICK) : good(stream));
    });
    const { result, retries, desktop } = await run(server.url, stream);
    expect(sockets[1]).toBe(sockets[0]);
    expect(result).toMatchObject({ outcome: "completed", turns: 2, actions: 1 });
    expect(retries).toEqual([expect.stringContaining("closed before there was a reply")]);
    expect(desktop.events.filter((event) => event.type === "button" && event.down)).toHaveLength(1);
  });

  test("bytes after an answer are no answer to the next question", async () => {
    const stale = good(stream, { ...CLICK, id: "toolu_stale", input: { coordinate: [9, 9] } });
    const server = await socketServer((socket, count) => {
      if (count === 1) socket.write(Buffer.concat([good(stream, CLICK), stale]));
      else socket.write(good(stream));
    });
    const { result, desktop } = await run(server.url, stream);
    expect(desktop.events.filter((event) => event.type === "button" && event.x === 9)).toEqual([]);
    expect(result).toMatchObject({ outcome: "completed", actions: 1 });
  });
});

describe("over TLS", () => {
  function certificate(): { key: string; cert: string } {
    const folder = mkdtempSync(join(tmpdir(), "capuchin-tls-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
    execFileSync("openssl", [...request, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  }

  test("a certificate that nobody vouches for ends the run before the key is sent", async () => {
    let requests = 0;
    const server = createTlsServer(certificate(), (_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    onTestFinished(() => void delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]);
    const { result, retries } = await run(`https://127.0.0.1:${port}`, false);
    expect(result).toMatchObject({
      outcome: "failed",
      error: { retryable: false, message: expect.stringContaining("certificate is not valid") },
    });
    expect(retries).toEqual([]);
    expect(requests).toBe(0);
  });

  test("a stop during the handshake ends the run at once", async () => {
    let connected = () => {};
    const isConnected = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const server = await socketServer(() => {}, { onConnect: () => connected() });
    const { dispatcher } = bench(
      anthropic({ apiKey: "sk-test", baseURL: `https://127.0.0.1:${server.port}` }),
    );
    const running = dispatcher.run("go");
    await isConnected;
    await dispatcher.stop("enough");
    expect(await running).toMatchObject({ outcome: "stopped", error: { code: "E_STATE" } });
  });

  test("a server without TLS is no server", async () => {
    const server = await socketServer(() => {}, { onConnect: (socket) => socket.end("hello\r\n") });
    const { result } = await run(`https://127.0.0.1:${server.port}`, false);
    expect(result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" } });
  });
});
