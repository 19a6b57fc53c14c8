import { describe, expect, it } from "vitest";
import type { Digest } from "../../../src/base/digest.js";
import { verifyTrace } from "../../../src/journal/index.js";
import { MemoryJournal } from "../../../src/runtime/control/memory-journal.js";
import { deny, END, START, streamOf } from "../../journal/sample.js";

describe("MemoryJournal", () => {
  it("makes a trace that the verifier accepts", async () => {
    const journal = new MemoryJournal();
    await journal.append("run_started", START);
    await journal.append("action", deny(1));
    await journal.append("run_ended", END);
    const report = await verifyTrace(streamOf(journal.text, 4096));
    expect(report).toEqual({ ok: true, complete: true, records: 3, head: journal.head });
    expect(journal.ofKind("action").map((record) => record.data.actionId)).toEqual(["action-1"]);
  });

  it("keeps its own copy of a frame", async () => {
    const journal = new MemoryJournal();
    const png = Uint8Array.of(1, 2, 3);
    const digest = await journal.keepFrame(png);
    png[0] = 9;
    expect(journal.frame(digest)).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("lets the oldest frames go once they are too many bytes, and names them still [Q-022]", async () => {
    const journal = new MemoryJournal(undefined, 10);
    const digests: Digest[] = [];
    for (let n = 0; n < 5; n++) digests.push(await journal.keepFrame(Uint8Array.of(n, 1, 2, 3)));
    expect(digests.map((digest) => journal.frame(digest)?.[0])).toEqual([
      undefined,
      undefined,
      undefined,
      3,
      4,
    ]);
    const large = await journal.keepFrame(new Uint8Array(100));
    expect(journal.frame(large)).toHaveLength(100);
    expect(new Set(digests).size).toBe(5);
  });

  it("refuses with E_AUDIT once it failed, was given a wrong record, or is closed", async () => {
    const failed = new MemoryJournal();
    failed.fail();
    await expect(failed.append("run_started", START)).rejects.toMatchObject({ code: "E_AUDIT" });
    await expect(failed.keepFrame(Uint8Array.of(1))).rejects.toMatchObject({ code: "E_AUDIT" });

    const wrong = new MemoryJournal();
    const data = { ...START, more: 1 };
    await expect(wrong.append("run_started", data)).rejects.toMatchObject({ code: "E_AUDIT" });
    await expect(wrong.append("run_started", START)).rejects.toMatchObject({ code: "E_AUDIT" });

    const closed = new MemoryJournal();
    await closed.close();
    await expect(closed.append("run_started", START)).rejects.toMatchObject({ code: "E_AUDIT" });
  });
});
