// `capuchin trace view`: what the server answers to others, over real sockets and in a real browser.
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, expect, it, onTestFinished } from "vitest";
import { runCommandLine } from "../../../src/cli/command-line.js";
import { FakeIo, runCli } from "../../cli/fake-io.js";
import { MadeTrace, picture } from "../../viewer/made-trace.js";
import { ReportBrowser } from "./browser.js";

const browser = new ReportBrowser();
afterEach(() => browser.closeAll());
afterAll(() => browser.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function ask(
  address: URL,
  options: { method?: string; path?: string; headers?: Record<string, string> } = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const { method = "GET", path = address.pathname, headers = {} } = options;
    const sent = request({ host: "127.0.0.1", port: address.port, method, path, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body += text;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function viewed(): Promise<{ address: URL; io: FakeIo; ended: Promise<number> }> {
  const trace = await new MadeTrace().begin();
  await trace.frame(picture());
  await trace.turn();
  await trace.action("left_click", { coordinate: { x: 5, y: 5 } });
  await trace.end();
  const io = new FakeIo(trace.folder);
  const ended = runCommandLine(["trace", "view", trace.folder], io);
  onTestFinished(async () => {
    io.send("SIGINT");
    await ended;
  });
  while (!io.stdout.text.includes("\n")) await new Promise((resolve) => setTimeout(resolve, 20));
  return { address: new URL(io.stdout.text.trim()), io, ended };
}

it("V-011: it answers its own address only, and says how the page may be used", async () => {
  const { address } = await viewed();
  expect(address.hostname).toBe("127.0.0.1");
  expect(address.pathname).toMatch(/^\/report-[0-9a-f]{32}\/$/);
  const answer = await ask(address);
  expect(answer.status).toBe(200);
  expect(answer.body).toContain("FormFiller");
  expect(answer.headers["content-security-policy"]).toMatch(
    /^default-src 'none'; .*; frame-ancestors 'none'$/,
  );
  expect(answer.headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
});

type Asked = Parameters<typeof ask>[1];
const refused: readonly (readonly [string, (host: string) => Asked, number])[] = [
  ["a foreign Host", () => ({ headers: { host: "evil.invalid" } }), 403],
  ["a name that leads here", (host) => ({ headers: { host: `rebound.invalid:${host.split(":")[1]}` } }), 403],
  ["the Host without its port", () => ({ headers: { host: "127.0.0.1" } }), 403],
  ["a foreign Origin", () => ({ headers: { origin: "http://evil.invalid" } }), 403],
  ["the Origin of another port", () => ({ headers: { origin: "http://127.0.0.1:1" } }), 403],
  ["the Origin null", () => ({ headers: { origin: "null" } }), 403],
  ["a page of another site", () => ({ headers: { "sec-fetch-site": "cross-site" } }), 403],
  [
    "POST /approve of another origin",
    () => ({ method: "POST", path: "/approve", headers: { origin: "http://evil.invalid" } }),
    403,
  ],
  ["POST /approve", () => ({ method: "POST", path: "/approve" }), 405],
  ["POST to the page", () => ({ method: "POST" }), 405],
  ["OPTIONS", () => ({ method: "OPTIONS" }), 405],
  ["the root without the secret", () => ({ path: "/" }), 404],
  ["another secret", () => ({ path: `/report-${"0".repeat(32)}/` }), 404],
  ["a path beside it", (_host) => ({ path: "/../trace.jsonl" }), 404],
];
it("V-011: everything else is refused before a page is made", async () => {
  const { address } = await viewed();
  for (const [what, make, status] of refused) {
    const answer = await ask(address, make(address.host));
    expect(answer.status, what).toBe(status);
    expect(answer.body, what).not.toContain("FormFiller");
    expect(answer.headers["content-security-policy"], what).toContain("frame-ancestors 'none'");
    expect(answer.headers, what).not.toHaveProperty("access-control-allow-origin");
  }
});

it("V-011: it cannot be reached but by loopback, nor be put into a frame", async () => {
  const { address } = await viewed();
  const page = `<iframe src="${address.href}"></iframe>`;
  const other = createServer((_request, response) => response.end(page));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    other.close();
  });
  const { port } = other.address() as AddressInfo;
  const opened = await browser.open(`http://127.0.0.1:${port}/`);
  await opened.page.waitForTimeout(500);
  const framed = opened.page.frames().at(-1);
  expect(await framed?.evaluate("document.body.innerText").catch(() => "blocked")).not.toContain(
    "FormFiller",
  );
  // The same page opened by itself is there, without an error (benign twin).
  const own = await browser.open(address.href);
  expect(await own.page.locator("h1").textContent()).toBe("FormFiller");
  expect(own.seen.errors).toEqual([]);
  expect(own.seen.requests.filter((url) => url !== address.href)).toEqual([]);
  // Another address of this machine is not listened on.
  const isOpen = await new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.2", port: Number(address.port) }, () => resolve(true));
    socket.on("error", () => resolve(false));
    onTestFinished(() => {
      socket.destroy();
    });
  });
  expect(isOpen).toBe(false);
});

it("ends with SIGINT, and takes no port that is none", async () => {
  const { io, ended, address } = await viewed();
  io.send("SIGINT");
  expect(await ended).toBe(130);
  await expect(ask(address)).rejects.toThrow(/ECONNREFUSED/);
  for (const port of ["0", "80", "65536", "8e3", "-1", "", " 8080"]) {
    const ran = await runCli(["trace", "view", ".", "--port", port]);
    expect(ran.code, port).toBe(2);
    expect(ran.stderr, port).toMatch(/--port/);
  }
});
