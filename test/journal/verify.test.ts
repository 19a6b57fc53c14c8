import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordChain, splitLines, verifyTrace } from "../../src/journal/index.js";
import { deny, fixedClock, START, sampleLines, streamOf, textOf } from "./sample.js";

const verify = (data: string | Uint8Array, size?: number) => verifyTrace(streamOf(data, size));
const head = (lines: readonly string[]) => JSON.parse(lines.at(-1) ?? "{}").hash;

/** A forged record: rightly numbered and hashed for the place, but not one that the run wrote. */
function forgedAt(lines: readonly string[], place: number): string {
  const chain = new RecordChain(fixedClock());
  let last = "";
  for (let index = 0; index <= place; index++) {
    const { kind, data } = JSON.parse(lines[index] ?? "");
    last = index === place ? chain.next("action", deny(99)).line : chain.next(kind, data).line;
  }
  return last;
}

describe("verifyTrace", () => {
  it("accepts a complete trace, in pieces of any size", async () => {
    const lines = sampleLines();
    for (const size of [1, 64, 1 << 20]) {
      expect(await verify(textOf(lines), size)).toEqual({
        ok: true,
        complete: true,
        records: 6,
        head: head(lines),
      });
    }
  });

  it("accepts it from a reader that uses the memory of its chunks again, as one that reads a file does", async () => {
    const lines = sampleLines(40);
    const bytes = Buffer.from(textOf(lines), "utf8");
    async function* reused(): AsyncGenerator<Uint8Array> {
      const buffer = Buffer.alloc(700);
      for (let start = 0; start < bytes.length; start += buffer.length) {
        const length = bytes.copy(buffer, 0, start);
        yield buffer.subarray(0, length);
      }
    }
    expect(await verifyTrace(reused())).toMatchObject({ ok: true, complete: true, head: head(lines) });
  });

  it("calls a valid beginning intact and incomplete", async () => {
    const lines = sampleLines().slice(0, 3);
    expect(await verify(textOf(lines))).toEqual({ ok: true, complete: false, records: 3, head: head(lines) });
  });

  it("calls an empty trace intact and incomplete", async () => {
    expect(await verify("")).toMatchObject({ ok: true, complete: false, records: 0 });
  });

  const lines = sampleLines();
  const at = (index: number) => lines[index] ?? "";
  const without = (index: number) => lines.filter((_, other) => other !== index);
  const tampered: readonly (readonly [string, string, { index: number; kind: string }])[] = [
    ["an edited byte", textOf(lines).replace("call-1", "call-7"), { index: 2, kind: "altered" }],
    ["an edited last record", textOf(lines).replace("completed", "truncated"), { index: 5, kind: "altered" }],
    ["a deleted record", textOf(without(2)), { index: 2, kind: "removed" }],
    ["a deleted first record", textOf(lines.slice(1)), { index: 0, kind: "removed" }],
    ["three deleted records", textOf([at(0), at(4), at(5)]), { index: 1, kind: "removed" }],
    ["two swapped", textOf([at(0), at(2), at(1), at(3), at(4), at(5)]), { index: 1, kind: "moved" }],
    ["one moved back", textOf([at(0), at(1), at(2), at(3), at(1), at(5)]), { index: 4, kind: "moved" }],
    [
      "a duplicate",
      textOf([at(0), at(1), at(1), at(2), at(3), at(4), at(5)]),
      { index: 2, kind: "duplicated" },
    ],
    [
      "an inserted one",
      textOf([at(0), at(1), forgedAt(lines, 2), at(2), at(3)]),
      { index: 3, kind: "unlinked" },
    ],
    ["a replaced one", textOf([at(0), forgedAt(lines, 1), at(2), at(3)]), { index: 2, kind: "unlinked" }],
    ["an empty line", textOf([at(0), "", at(1)]), { index: 1, kind: "altered" }],
    ["a record after the end", textOf([...lines, at(1)]), { index: 6, kind: "after_end" }],
    ["the end twice", textOf([...lines, at(5)]), { index: 6, kind: "after_end" }],
    ["bytes after the end", `${textOf(lines)}x`, { index: 6, kind: "after_end" }],
    ["a blank line after the end", `${textOf(lines)}\n`, { index: 6, kind: "after_end" }],
    ["a cut last line", textOf(lines).slice(0, -20), { index: 5, kind: "cut_short" }],
    ["no last line feed", textOf(lines).slice(0, -1), { index: 5, kind: "cut_short" }],
  ];
  it.each(tampered)("names %s", async (_what, text, problem) => {
    const report = await verify(text);
    expect(report.problem).toMatchObject(problem);
    expect(report).toMatchObject({ ok: false, complete: false, records: problem.index });
    expect(report.problem?.reason).not.toBe("");
  });

  it("names a foreign beginning", async () => {
    const other = new RecordChain(fixedClock());
    other.next("action", deny(1));
    const line = other.next("run_started", START).line;
    const report = await verify(`${line}\n`);
    expect(report.problem).toMatchObject({ index: 0, kind: "removed" });
  });

  it("notices any single changed byte, at the record that holds it or at the one after", async () => {
    const text = Buffer.from(textOf(sampleLines(2)), "utf8");
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
        const changed = Buffer.from(text);
        changed[place] = (changed[place] ?? 0) ^ flip;
        const holder = text.subarray(0, place).filter((byte) => byte === 0x0a).length;
        const report = await verify(changed, 4096);
        expect(report.ok).toBe(false);
        // A broken line feed at the end joins nothing; the line that it ended is then cut short.
        expect(report.problem?.index).toBe(holder);
      }),
      { numRuns: 300 },
    );
  });

  it("shows each verified record, and none that follows a problem", async () => {
    const seen: number[] = [];
    const text = textOf([at(0), at(1), at(3), at(4)]);
    await verifyTrace(streamOf(text), (record) => {
      seen.push(record.seq);
    });
    expect(seen).toEqual([0, 1]);
  });

  it("reads an endless line only as far as the limit", async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        sent += 4096;
        yield Buffer.alloc(4096, 0x61);
      }
    }
    const report = await verifyTrace(endless());
    expect(report.problem).toMatchObject({ index: 0, kind: "altered" });
    expect(sent).toBeLessThanOrEqual(65_536 + 2 * 4096);
  });

  it("ends a valid trace with the anchor that shows a cut: count and head", async () => {
    const whole = await verify(textOf(sampleLines(5)));
    const cut = await verify(textOf(sampleLines(5).slice(0, -2)));
    expect(cut.ok).toBe(true);
    expect([cut.records, cut.head]).not.toEqual([whole.records, whole.head]);
  });
});

describe("splitLines", () => {
  const collect = async (text: string, max: number, size: number) => {
    const found: string[] = [];
    for await (const line of splitLines(streamOf(text, size), max)) {
      found.push(line.kind === "oversize" ? "oversize" : `${line.kind}:${Buffer.from(line.bytes)}`);
    }
    return found;
  };

  it.each([1, 2, 3, 100])("splits at line feeds only, in pieces of %i bytes", async (size) => {
    expect(await collect("a\r\n\nbc\u2028d\nlast", 100, size)).toEqual([
      "line:a\r",
      "line:",
      "line:bc\u2028d",
      "unterminated:last",
    ]);
  });

  it.each([1, 3, 100])(
    "reports a long line once and goes on after it, in pieces of %i bytes",
    async (size) => {
      expect(await collect("1234\n12345\n123456789\n1\n", 4, size)).toEqual([
        "line:1234",
        "oversize",
        "oversize",
        "line:1",
      ]);
      expect(await collect("123456789", 4, size)).toEqual(["oversize"]);
    },
  );
});
