import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { EMPTY_HEAD, makeRecord, RecordChain, RecordError, readRecord } from "../../src/journal/index.js";
import { deny, END, fixedClock, START, sampleLines } from "./sample.js";

const bytes = (text: string) => Buffer.from(text, "utf8");

describe("the chain", () => {
  it("counts from 0, links by hash and begins with the digest of the empty text", () => {
    const lines = sampleLines(2).map((line) => JSON.parse(line));
    expect(lines.map((record) => record.seq)).toEqual([0, 1, 2, 3]);
    // The SHA-256 of nothing, from FIPS 180 test vectors.
    expect(lines[0].prev).toBe("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    for (let index = 1; index < lines.length; index++) expect(lines[index].prev).toBe(lines[index - 1].hash);
  });

  it("hashes the canonical record without its hash", () => {
    const record = JSON.parse(sampleLines(1)[1] ?? "");
    const { hash, ...content } = record;
    // Written out by hand in sorted order, so that our own canonical form is not the judge.
    const { data } = content;
    const canonicalData =
      `{"actionId":"${data.actionId}","callId":"${data.callId}","code":"E_BOUNDS",` +
      `"input":{"coordinate":{"x":1,"y":2}},"name":"left_click","reason":"${data.reason}",` +
      `"source":"model","turn":1,"verdict":"deny"}`;
    const canonical =
      `{"at":"${content.at}","data":${canonicalData},"kind":"action","mono":${content.mono},` +
      `"prev":"${content.prev}","seq":1,"v":1}`;
    expect(hash).toBe(`sha256:${createHash("sha256").update(canonical).digest("hex")}`);
  });

  it("goes on counting when the wall clock goes backwards, and keeps both clocks", () => {
    const chain = new RecordChain(fixedClock(["2026-01-01T00:00:02.000Z", "2025-12-31T23:00:00.000Z"]));
    const first = chain.next("run_started", START).record;
    const second = chain.next("run_ended", END).record;
    expect([first.seq, second.seq]).toEqual([0, 1]);
    expect(second.at < first.at).toBe(true);
    expect(second.mono).toBeGreaterThan(first.mono);
  });

  it("refuses data that are not the kind's, and leaves the head where it was", () => {
    const chain = new RecordChain(fixedClock());
    const wrong = { ...START, password: "hunter2" };
    expect(() => chain.next("run_started", wrong)).toThrow(RecordError);
    expect(chain.records).toBe(0);
    expect(chain.head).toBe(EMPTY_HEAD);
    expect(chain.next("run_started", START).record.seq).toBe(0);
  });

  it("refuses a record whose line would be longer than 64 KiB", () => {
    const calls = Array.from({ length: 40 }, (_, index) => ({ id: "x".repeat(2000), name: `n${index}` }));
    const place = { seq: 0, prev: EMPTY_HEAD, at: "2026-01-01T00:00:00.000Z", mono: 0 };
    const reply = {
      turn: 1,
      id: "m",
      stopReason: "tool_use",
      usage: END.usage,
      calls,
      text: START.goal,
      digest: START.entryDigest,
    };
    expect(() => makeRecord("model_reply", reply, place)).toThrow(/more than 65536/);
    expect(() => makeRecord("model_reply", { ...reply, calls: calls.slice(0, 5) }, place)).not.toThrow();
  });
});

describe("a line", () => {
  it("is one physical line of printable ASCII, whatever the record says", () => {
    const evil = 'x\n{"kind":"run_ended"}\u2028\u2029\u0085\u202e\u001b[2J\ud800é日';
    const line = new RecordChain(fixedClock()).next("action", deny(1, evil)).line;
    expect(line).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(line).data.reason).toBe(evil);
    expect(readRecord(bytes(line))).toMatchObject({ ok: true });
  });

  const good = sampleLines(1)[1] ?? "";
  const refused: readonly (readonly [what: string, line: string | Uint8Array, reason: RegExp])[] = [
    ["a blank inside", good.replace('":', '": '), /canonical text/],
    ["a blank at the end", `${good} `, /canonical text/],
    ["a carriage return at the end", `${good}\r`, /canonical text/],
    ["another order of keys", `{"v":1,${good.slice(1).replace(',"v":1}', "}")}`, /canonical text/],
    ["an escaped letter", good.replace("left_click", "\\u006ceft_click"), /canonical text/],
    ["a repeated key", good.replace('"seq":', '"seq":99,"seq":'), /canonical text/],
    ["a byte order mark", `\ufeff${good}`, /not JSON/],
    ["a number spelled otherwise", good.replace('"turn":1', '"turn":1.0'), /canonical text/],
    ["an unknown field", good.replace('"v":1', '"v":1,"w":1'), /[Uu]nrecognized/],
    ["a __proto__ key", good.replace('"v":1', '"v":1,"__proto__":{"x":1}'), /canonical|[Uu]nrecognized/],
    ["a version from the future", good.replace('"v":1', '"v":2'), /format version is 2/],
    ["no version", good.replace(',"v":1', ""), /format version is undefined/],
    ["an unknown kind", good.replace('"kind":"action"', '"kind":"toString"'), /no kind of record/],
    ["another value", good.replace('"turn":1', '"turn":2'), /carries sha256/],
    ["another hash", good.replace(/"hash":"sha256:../, '"hash":"sha256:00'), /carries sha256/],
    ["a list", "[]", /not an object/],
    ["nothing", "", /not JSON/],
    ["bytes that are no UTF-8", Uint8Array.of(0x7b, 0xff, 0x7d), /not UTF-8/],
    ["a line over the limit", `{"v":1,"x":"${"y".repeat(70_000)}"}`, /longer than 65536/],
  ];
  it.each(refused)("is refused with %s", (_what, line, reason) => {
    const reading = readRecord(typeof line === "string" ? bytes(line) : line);
    expect(reading.ok).toBe(false);
    expect(reading.ok ? "" : reading.reason).toMatch(reason);
  });

  it("is read back as the record that was written", () => {
    const { record, line } = new RecordChain(fixedClock()).next("run_started", START);
    expect(readRecord(bytes(line))).toEqual({ ok: true, record, hash: record.hash });
  });
});
