import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { digestBytes } from "../../../src/base/digest.js";
import { MemoryJournal } from "../../../src/runtime/control/memory-journal.js";
import { RedactedJournal } from "../../../src/runtime/control/redacted-journal.js";
import { Redactor } from "../../../src/runtime/control/redaction.js";
import { SECRET_LIMITS } from "../../../src/runtime/control/secrets.js";
import { START } from "../../journal/sample.js";

const SECRET = 'Pä ss"w\\ö/rd+<1>\n';

describe("forms in which a secret is found", () => {
  const bytes = Buffer.from(SECRET, "utf8");
  const json = JSON.stringify(SECRET).slice(1, -1);
  const forms: Readonly<Record<string, string>> = {
    plain: SECRET,
    JSON: json,
    "JSON in ASCII": json.replace(/[^\x20-\x7e]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
    "JSON in ASCII, capitals": json.replace(
      /[^\x20-\x7e]/g,
      (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
    "JSON in JSON": JSON.stringify(json).slice(1, -1),
    "JSON with escaped slashes": json.replaceAll("/", "\\/"),
    "an object as Node prints it": inspect({ a: `${SECRET}'` }).slice(6, -5),
    "an URL": encodeURIComponent(SECRET),
    "an URL in small letters": encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase()),
    "a form": new URLSearchParams({ q: SECRET.trim() }).toString().slice(2),
    base64: bytes.toString("base64"),
    "base64, one byte on": Buffer.from(`a${SECRET}zz`).toString("base64"),
    "base64, two bytes on": Buffer.from(`ab${SECRET}z`).toString("base64"),
    base64url: Buffer.from(`abc${SECRET}zzz`).toString("base64url"),
    hex: bytes.toString("hex"),
    "hex in capitals": bytes.toString("hex").toUpperCase(),
    HTML: "Pä ss&quot;w\\ö/rd+&lt;1&gt;\n",
    NFD: SECRET.normalize("NFD"),
  };

  it.each(Object.entries(forms))("%s", (_name, form) => {
    const masked = new Redactor([SECRET, SECRET.trim()]).text(`before ${form} after`);
    expect(masked).not.toContain(form);
    expect(masked).toContain("[secret]");
  });

  it("those that are not covered are what the documentation says", () => {
    const redactor = new Redactor(["password"]);
    for (const form of ["PASSWORD", "drowssap", "p a s s w o r d", "pass\u200bword", "\uff50assword"])
      expect(redactor.text(form)).toBe(form);
  });
});

describe("what may be a secret", () => {
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ["an empty text", [""], /secret 1 of 1 has 0 characters/],
    ["one character", ["fine secret", "x"], /secret 2 of 2 has 1 characters/],
    ["three characters outside the BMP", ["😀😀😀"], /has 3 characters/],
    ["blanks", ["      "], /is blank/],
    ["a word of the format", ["left_click"], /part of a word of the trace format/],
    ["a part of one", ["completed".slice(0, 5)], /part of a word of the trace format/],
    ["a number", [12345], /is no text/],
    ["a text in place of a list", "password", /must be a list/],
    [
      "ten thousand",
      Array.from({ length: 10_000 }, (_, n) => `secret-${n}`),
      /10000 secrets, more than 1000/,
    ],
    ["a very long one", ["x".repeat(SECRET_LIMITS.mostCharacters + 1)], /more than 4096/],
    [
      "too much together",
      Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(4000, "y")),
      /400000 characters together/,
    ],
  ];

  it.each(refused)("not %s", (_what, secrets, message) => {
    expect(() => new Redactor(secrets)).toThrow(message);
  });

  it("no message holds it", () => {
    try {
      new Redactor(["abc"]);
    } catch (error) {
      expect(String(error)).not.toContain("abc");
    }
  });

  it("as many as are allowed, and they are found", () => {
    const secrets = Array.from({ length: 1000 }, (_, n) => `secret-${n}-end`);
    const redactor = new Redactor(secrets);
    expect(redactor.text("a secret-999-end b")).toBe("a [secret] b");
    expect(redactor.text("a secret-1000-end b")).toBe("a secret-1000-end b");
  });
});

describe("values", () => {
  const redactor = new Redactor(["password"]);

  it("keep their structure: keys are masked too, and two that come to the same stay two", () => {
    const value = JSON.parse(
      '{"password":1,"x password":{"a":["password",2,null,true]},"[secret]":3,"__proto__":"password"}',
    );
    const masked = redactor.value(value);
    expect(JSON.stringify(masked)).toBe(
      '{"[secret]":1,"x [secret]":{"a":["[secret]",2,null,true]},"[secret]2":3,"__proto__":"[secret]"}',
    );
    expect(({} as Record<string, unknown>)["password"]).toBeUndefined();
  });

  it("are cut where they are nested too deeply to be anything", () => {
    let deep: unknown = "password";
    for (let level = 0; level < 5000; level++) deep = [deep];
    expect(JSON.stringify(redactor.value(deep))).toContain("nested too deeply");
  });

  it("of our own vocabulary and digests stay", () => {
    const hex = new Redactor(["deadbeef"]);
    const digest = `sha256:${"deadbeef".repeat(8)}`;
    expect(hex.value({ digest, other: "deadbeef" })).toEqual({ digest, other: "[secret]" });
  });
});

describe("the journal behind which everything is redacted", () => {
  const open = (secrets: string[] = []) => {
    const memory = new MemoryJournal();
    return { memory, journal: new RedactedJournal(memory, new Redactor(secrets)) };
  };
  const goalOf = (memory: MemoryJournal) => memory.ofKind("run_started")[0]?.data.goal;

  it("puts digests of withheld texts under a key of the run", async () => {
    const goal = { digest: digestBytes("1234"), length: 4 };
    const [one, two] = [open(), open()];
    for (const { journal } of [one, two]) await journal.append("run_started", { ...START, goal });
    await one.journal.append("endorsed", { reason: "checked", value: goal });
    expect(goalOf(one.memory)?.digest).not.toBe(goal.digest);
    expect(goalOf(one.memory)?.digest).not.toBe(goalOf(two.memory)?.digest);
    // Within the run equal texts are still seen to be equal.
    expect(one.memory.ofKind("endorsed")[0]?.data.value).toEqual(goalOf(one.memory));
    expect(one.memory.ofKind("run_started")[0]?.data.entryDigest).toBe(START.entryDigest);
  });

  it("keys the digests over arguments alike, so that intent and receipt still belong together", async () => {
    const { memory, journal } = open();
    const argsDigest = digestBytes("args");
    await journal.append("intent", { actionId: "a", argsDigest, leaseId: "l", epoch: 1, attempt: 1 });
    await journal.append("receipt", {
      receiptId: "r",
      actionId: "a",
      actionDigest: argsDigest,
      status: "committed",
      events: 1,
    });
    const intent = memory.ofKind("intent")[0]?.data.argsDigest;
    expect(intent).not.toBe(argsDigest);
    expect(memory.ofKind("receipt")[0]?.data.actionDigest).toBe(intent);
  });

  it("masks reasons, names and ids, and withholds names that are none", async () => {
    const { memory, journal } = open(["token-1234"]);
    await journal.append("model_reply", {
      turn: 1,
      id: "msg token-1234",
      stopReason: "words in its place",
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
      calls: [
        { id: "c_token-1234", name: "type" },
        { id: "c2", name: "what the model says" },
      ],
      text: { digest: digestBytes(""), length: 0 },
      digest: digestBytes(""),
    });
    expect(memory.ofKind("model_reply")[0]?.data).toMatchObject({
      id: "msg [secret]",
      stopReason: "withheld",
      calls: [
        { id: "c_[secret]", name: "type" },
        { id: "c2", name: "withheld" },
      ],
    });
  });

  it("masks typed texts in free words only, and only those that say something", async () => {
    const { memory, journal } = open();
    journal.redactor.noteTyped("hunter2");
    journal.redactor.noteTyped("abc");
    await journal.append("control", { what: "pause", reason: "hunter2 and abc" });
    await journal.append("action", {
      actionId: "hunter2.1",
      source: "model",
      turn: 1,
      name: "key",
      input: { text: "hunter2" },
      verdict: "deny",
      code: "E_KEY_UNKNOWN",
      reason: '"hunter2": no such key',
    });
    expect(memory.ofKind("control")[0]?.data.reason).toBe("[typed] and abc");
    expect(memory.ofKind("action")[0]?.data).toMatchObject({
      actionId: "hunter2.1",
      input: { text: "hunter2" },
      reason: '"[typed]": no such key',
    });
  });

  it("redacts documents, and takes nothing that it cannot read", async () => {
    const { memory, journal } = open(["password"]);
    const digest = await journal.keepDocument('{"b":"a password","a":1}');
    expect(memory.document(digest)).toBe('{"a":1,"b":"a [secret]"}');
    await expect(journal.keepDocument("password")).rejects.toThrow();
  });

  it("keeps no picture where it was told so, and names it all the same", async () => {
    const memory = new MemoryJournal();
    const journal = new RedactedJournal(memory, new Redactor(), { frames: "digest-only" });
    const digest = await journal.keepFrame(Uint8Array.of(1, 2, 3));
    expect(digest).toBe(digestBytes(Uint8Array.of(1, 2, 3)));
    expect(memory.frame(digest)).toBeUndefined();
  });
});
