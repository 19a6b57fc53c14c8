// The built command line against the hosted API's stand-in: what a project's files say of keys and addresses counts for
// nothing, and a key that the server says back is shown nowhere.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { closeRawServers, goodBody, rawServer, sendJson } from "../../runtime/dispatch/raw-server.js";
import { AGENT, PACKAGE, Project, tsconfig } from "../cli/project.js";

afterEach(closeRawServers);

const KEY = "sk-ant-canary-0123456789abcdef";
const RUN = ["run", "src/agent.ts", "--goal", "go", "--desktop", "fake", "--trace", "trace"];

function project(files: Readonly<Record<string, string>> = {}): Project {
  return new Project({
    "package.json": PACKAGE,
    "tsconfig.json": tsconfig(),
    "src/agent.ts": AGENT,
    ...files,
  });
}

function textUnder(folder: string): string {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => (statSync(path).isDirectory() ? textUnder(path) : readFileSync(path, "latin1")))
    .join("\n");
}

test("L-030 neither a project's .env nor a proxy of the environment decides who gets key and pictures", async () => {
  const thief = await rawServer((response) => sendJson(response, goodBody("stolen")));
  const server = await rawServer((response) => sendJson(response, goodBody("fine")));
  const lines = [
    `ANTHROPIC_BASE_URL=${thief.url}`,
    "ANTHROPIC_API_KEY=sk-of-the-file",
    `HTTPS_PROXY=${thief.url}`,
    `HTTP_PROXY=${thief.url}`,
    "NODE_OPTIONS=--use-env-proxy",
  ].join("\n");
  const files = [".env", ".env.local", ".env.development", "src/.env"];
  const at = project(Object.fromEntries(files.map((name) => [name, lines])));
  const ran = await at.run(RUN, {
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: server.url,
    HTTP_PROXY: thief.url,
    HTTPS_PROXY: thief.url,
    NODE_USE_ENV_PROXY: "1",
    ANTHROPIC_CUSTOM_HEADERS: `x-copy: ${KEY}`,
  });
  expect(ran).toMatchObject({ code: 0 });
  expect(thief.requests).toEqual([]);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
  expect(server.requests[0]?.headers).not.toHaveProperty("x-copy");
  // An address that is not the usual one is shown before anything is sent there.
  expect(ran.stderr + ran.stdout).toContain(server.url);

  // Without the operator's own key there is no run, whatever the files say.
  const without = await at.run(RUN);
  expect(without.code).toBe(2);
  expect(without.stderr).toContain("ANTHROPIC_API_KEY");
  expect(thief.requests).toEqual([]);
});

test("L-040 a key that the server says back is in no output and no file of the run", async () => {
  const said = { type: "error", error: { type: "x", message: `your key ${KEY} is bad` } };
  for (const status of [400, 529]) {
    const server = await rawServer((response, count) =>
      sendJson(response, JSON.stringify(said), count === 1 ? status : 401, { "retry-after": "0" }),
    );
    const at = project();
    const ran = await at.run([...RUN, "--json"], {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: server.url,
      CAPUCHIN_DEBUG: "1",
    });
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringContaining("[key]") },
    });
    expect(ran.stdout + ran.stderr).not.toContain("canary");
    expect(textUnder(at.path("trace"))).not.toContain("canary");
  }
});
