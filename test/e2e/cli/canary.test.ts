// The built command line with a canary in every inlet: no byte of what it writes or prints may hold a secret.
import { chmodSync, symlinkSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMessagesServer } from "../../../src/runtime/testing/messages-server.js";
import type { ScriptReply } from "../../../src/runtime/testing/script-reply.js";
import { filesBelow, findCanaries } from "../../tools/canary.js";
import { PACKAGE, Project, tsconfig, turn } from "./project.js";

const KEY = "sk-key-canary/0123+456789==";
const DECLARED = 'p\u00e4ss"w\\rd canary';
const TYPED = "typed canary \u00fc1";
const GOAL = "goal canary that nobody declared";
const WORDS = "words canary of the model";
const ENVIRONMENT = "environment canary value";

const SECRETS = { KEY, DECLARED };

const AGENT = `
import { computer, computerUse } from "capuchin";

declare const console: { log(...what: unknown[]): void; error(...what: unknown[]): void };
declare const process: {
  env: Record<string, string | undefined>;
  stdout: { write(text: string | Uint8Array): void };
};
declare const Buffer: { from(text: string): Uint8Array };

@computerUse({ cap: "computer.screen + computer.input", width: 320, height: 200, onViolation: "refuse" })
export class Operator {
  async run(goal: string) {
    const secret = process.env["APP_SECRET"] ?? "";
    console.log(process.env);
    console.error("key", process.env["ANTHROPIC_API_KEY"]);
    process.stdout.write("in pieces: " + secret.slice(0, 6));
    process.stdout.write(Buffer.from(secret.slice(6) + "\\n"));
    const words = await computer.run(this, goal);
    if (goal.endsWith("fail")) throw new Error("failed with " + secret);
    return { note: secret, [secret]: words.trust("canary: " + secret) };
  }
}
`;

const replies = (): ScriptReply[] => [
  { status: 529, body: { error: { message: `${KEY} and ${DECLARED}` } } },
  turn(`${WORDS}: I type ${TYPED} and ${DECLARED}`, ["type", { text: TYPED }]) as ScriptReply,
  turn("", ["type", { text: DECLARED, [DECLARED]: `${DECLARED} ${TYPED}` }]) as ScriptReply,
  turn(`the end of ${DECLARED}`) as ScriptReply,
];

async function run(goal: string, ...flags: string[]) {
  const left = replies();
  const server = await startMessagesServer({
    apiKey: KEY,
    name: "canary",
    play: () => left.shift() ?? [{ type: "text", text: "done" }],
  });
  onTestFinished(() => server.close());
  const at = new Project({
    "package.json": PACKAGE,
    "tsconfig.json": tsconfig(),
    "src/agent.ts": AGENT,
    "secrets.txt": `${DECLARED}\n\n`,
  });
  const env = {
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: server.baseURL,
    APP_SECRET: DECLARED,
    OTHER: ENVIRONMENT,
  };
  const argv = ["run", "src/agent.ts", "--goal", `${GOAL}: ${goal}`, "--desktop", "fake", "--trace", "trace"];
  const ran = await at.run([...argv, "--secrets-file", "secrets.txt", ...flags], env);
  return { at, ran };
}

const outputs = ({ stdout, stderr }: { stdout: string; stderr: string }, name: string) => [
  { name: `${name}, standard output`, bytes: stdout },
  { name: `${name}, standard error`, bytes: stderr },
];

describe("capuchin run with secrets everywhere", () => {
  it("writes and prints none of them", async () => {
    const { at, ran } = await run("complete", "--record", "recording", "--json");
    expect(ran.code, ran.stderr).toBe(0);
    const document = JSON.parse(ran.stdout);
    expect(document).toMatchObject({ outcome: "completed", text: "the end of [secret]", turns: 3 });
    expect(document.value).toEqual({ note: "[secret]", "[secret]": "the end of [secret]" });
    // It was printed, and masked: by one call, and over two.
    expect(ran.stderr).toMatch(/key \[(?:secret|key)\]/);
    expect(ran.stderr).toContain("in pieces: [secret]\n");
    expect(ran.stderr).toContain(ENVIRONMENT);
    const shown = await at.run(["trace", "show", "trace"]);
    const replayed = await at.run(["trace", "replay", "trace", "--json"]);
    const exported = await at.run(["trace", "export", "trace", "--html", "report.html"]);
    expect([shown.code, replayed.code, exported.code]).toEqual([0, 0, 0]);
    const all = [
      ...filesBelow(at.path("trace")),
      ...filesBelow(at.path("recording")),
      ...filesBelow(at.folder).filter(({ name }) => name === "report.html"),
      ...outputs(ran, "run"),
      ...outputs(shown, "show"),
      ...outputs(replayed, "replay"),
    ];
    expect(all.length).toBeGreaterThan(15);
    expect(findCanaries(all, SECRETS)).toEqual([]);
    const kept = [
      ...filesBelow(at.path("trace")),
      ...filesBelow(at.folder).filter(({ name }) => name === "report.html"),
    ];
    expect(findCanaries(kept, { TYPED, GOAL, WORDS, ENVIRONMENT })).toEqual([]);
  });

  it("tells of a failure without them", async () => {
    const { at, ran } = await run("fail");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("failed with [secret]");
    expect(findCanaries([...filesBelow(at.path("trace")), ...outputs(ran, "run")], SECRETS)).toEqual([]);
    expect(findCanaries(outputs(ran, "run"), { TYPED })).toEqual([]);
  });
});

describe("--secrets-file", () => {
  const files: readonly (readonly [string, (at: Project) => void, RegExp])[] = [
    ["missing", () => {}, /does not exist/],
    ["empty", (at) => at.write("s", "\n\n"), /holds no secret/],
    ["with a short line", (at) => at.write("s", "a good one\nabc\n"), /secret 2 of 2 has 3 characters/],
    ["a link", (at) => symlinkSync(at.path("package.json"), at.path("s")), /symbolic link/],
    [
      "that everyone can write",
      (at) => {
        at.write("s", "a good one\n");
        chmodSync(at.path("s"), 0o666);
      },
      /written by everyone/,
    ],
  ];

  it.each(files)("%s is refused before anything runs", async (_what, make, message) => {
    const at = new Project({ "package.json": PACKAGE, "tsconfig.json": tsconfig(), "src/agent.ts": AGENT });
    make(at);
    const ran = await at.run([
      "run",
      "src/agent.ts",
      "--goal",
      "x",
      "--desktop",
      "fake",
      "--secrets-file",
      "s",
      "--json",
    ]);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout).error.message).toMatch(message);
    expect(ran.stdout + ran.stderr).not.toContain("abc");
  });
});
