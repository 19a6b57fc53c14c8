import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Digest } from "../../../src/base/digest.js";
import { ConfigurationError } from "../../../src/diagnostics/errors.js";
import { readTraceFolder, sizeOfFrame } from "../../../src/runtime/store/trace-folder.js";
import { TraceJournal } from "../../../src/runtime/store/trace-journal.js";
import { END, START } from "../../journal/sample.js";
import { temporaryFolder } from "./temporary-folder.js";

async function writeTrace(): Promise<{ folder: string; frame: Digest; file: string }> {
  const folder = join(temporaryFolder(), "trace");
  const journal = TraceJournal.create(folder);
  await journal.append("run_started", START);
  const png = Buffer.alloc(200_000, 7);
  const frame = await journal.keepFrame(png);
  const data = { digest: frame, size: { width: 4, height: 3 }, bytes: png.length } as const;
  await journal.append("frame", { ...data, reason: "start" });
  await journal.append("frame", { ...data, reason: "turn" });
  await journal.append("run_ended", END);
  await journal.close();
  return { folder, frame, file: join(folder, "frames", `${frame.slice(7)}.png`) };
}

describe("readTraceFolder", () => {
  it("verifies chain and frames of what the journal wrote", async () => {
    const { folder } = await writeTrace();
    const kinds: string[] = [];
    const report = await readTraceFolder(folder, (record) => {
      kinds.push(record.kind);
    });
    expect(report).toMatchObject({ ok: true, complete: true, records: 4, frames: 1 });
    expect(report.frameProblem).toBeUndefined();
    expect(kinds).toEqual(["run_started", "frame", "frame", "run_ended"]);
  });

  it("names the record of a frame that is missing, altered or exchanged for a link", async () => {
    const changes: readonly (readonly [RegExp, (file: string) => void])[] = [
      [/does not exist/, (file) => rmSync(file)],
      [/another content/, (file) => writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.of(0)]))],
      [
        /symbolic link/,
        (file) => {
          writeFileSync(`${file}.real`, readFileSync(file));
          rmSync(file);
          symlinkSync(`${file}.real`, file);
        },
      ],
      [
        /pipe/,
        (file) => {
          rmSync(file);
          execFileSync("mkfifo", [file]);
        },
      ],
      // As large as a file system lets it claim to be, with nothing in it: reading it would take days.
      [/has 8796093022208 bytes, more than/, (file) => truncateSync(file, 2 ** 43)],
      [
        /lies below something that is no folder/,
        (file) => {
          rmSync(dirname(file), { recursive: true });
          writeFileSync(dirname(file), "");
        },
      ],
      [
        /symbolic link/,
        (file) => {
          rmSync(dirname(file), { recursive: true });
          symlinkSync("frames", dirname(file));
        },
      ],
    ];
    for (const [reason, change] of changes) {
      const { folder, file, frame } = await writeTrace();
      change(file);
      const report = await readTraceFolder(folder);
      expect(report.frameProblem).toMatchObject({ index: 1, digest: frame });
      expect(report.frameProblem?.reason).toMatch(reason);
      // What asks for its size before it is read meets no error either.
      expect(() => sizeOfFrame(folder, frame)).not.toThrow();
    }
  });

  it("holds the frames that a verification rests on to the same rule", async () => {
    for (const member of ["before", "after"]) {
      const folder = join(temporaryFolder(), "trace");
      const journal = TraceJournal.create(folder);
      await journal.append("run_started", START);
      const frame = await journal.keepFrame(Buffer.from("kept"));
      await journal.append("verification", {
        actionId: "action-1",
        outcome: "verified",
        effect: "confirmed",
        detail: "",
        [member]: frame,
      });
      await journal.append("run_ended", END);
      await journal.close();
      const whole = await readTraceFolder(folder);
      expect(whole.frames).toBe(1);
      expect(whole.frameProblem).toBeUndefined();
      rmSync(join(folder, "frames", `${frame.slice(7)}.png`));
      expect((await readTraceFolder(folder)).frameProblem).toMatchObject({ index: 1, digest: frame });
    }
  });

  it("refuses what is no trace folder", async () => {
    const base = temporaryFolder();
    const { folder } = await writeTrace();
    symlinkSync(folder, join(base, "link"));
    writeFileSync(join(base, "file"), "");
    for (const path of [base, join(base, "absent"), join(base, "file"), join(base, "link")]) {
      await expect(readTraceFolder(path)).rejects.toBeInstanceOf(ConfigurationError);
    }
  });
});
