import { describe, expect, it } from "vitest";
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
