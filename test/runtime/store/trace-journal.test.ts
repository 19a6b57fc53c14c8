import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CapuchinError } from "../../../src/diagnostics/errors.js";
import { defaultTraceFolder, TraceJournal } from "../../../src/runtime/store/trace-journal.js";
import { deny, END, START } from "../../journal/sample.js";
import { temporaryFolder } from "./temporary-folder.js";

const mode = (path: string) => statSync(path).mode & 0o777;

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made to fail`), { code });
}

describe("TraceJournal", () => {
  it("writes each record as a line that is on disk when append resolves", async () => {
    const folder = join(temporaryFolder(), "a", "trace");
    const journal = TraceJournal.create(folder);
    const text = () => readFileSync(join(folder, "trace.jsonl"), "utf8");
    await journal.append("run_started", START);
    expect(text().split("\n")).toHaveLength(2);
    await journal.append("run_ended", END);
    expect(text().split("\n")).toHaveLength(3);
    await journal.close();
    await journal.close();
    expect(journal.records).toBe(2);
    expect(JSON.parse(text().split("\n")[1] ?? "").hash).toBe(journal.head);
    expect(journal.location).toBe(folder);
  });

  it("creates the folder and what is in it for this user alone", async () => {
    const folder = join(temporaryFolder(), "trace");
    const journal = TraceJournal.create(folder);
    await journal.keepFrame(Uint8Array.of(1, 2, 3));
    await journal.close();
    expect(mode(folder)).toBe(0o700);
    expect(mode(join(folder, "trace.jsonl"))).toBe(0o600);
    expect(mode(join(folder, "frames"))).toBe(0o700);
    expect(readdirSync(join(folder, "frames")).map((name) => mode(join(folder, "frames", name)))).toEqual([
      0o600,
    ]);
  });

  it("keeps a frame once, under the hash of its bytes", async () => {
    const folder = join(temporaryFolder(), "trace");
    const journal = TraceJournal.create(folder);
    const png = Buffer.from("a picture");
    const hex = createHash("sha256").update(png).digest("hex");
    expect(await journal.keepFrame(png)).toBe(`sha256:${hex}`);
    expect(await journal.keepFrame(png)).toBe(`sha256:${hex}`);
    await journal.close();
    expect(readdirSync(join(folder, "frames"))).toEqual([`${hex}.png`]);
    expect(readFileSync(join(folder, "frames", `${hex}.png`))).toEqual(png);
  });

  it("syncs after the bytes of every record and frame were written", async () => {
    const calls: string[] = [];
    const journal = TraceJournal.create(join(temporaryFolder(), "trace"), {
      calls: {
        write(fd, bytes, offset, length) {
          calls.push("write");
          return writeSync(fd, bytes, offset, length);
        },
        sync(fd) {
          calls.push("sync");
          fsyncSync(fd);
        },
      },
    });
    calls.length = 0;
    await journal.append("run_started", START);
    expect(calls).toEqual(["write", "sync"]);
    calls.length = 0;
    await journal.keepFrame(Uint8Array.of(1));
    // The file, then the folder that names it.
    expect(calls).toEqual(["write", "sync", "sync"]);
    await journal.close();
  });

  it("finishes a write that the system took in pieces", async () => {
    const folder = join(temporaryFolder(), "trace");
    const journal = TraceJournal.create(folder, {
      calls: {
        write: (fd, bytes, offset, length) => writeSync(fd, bytes, offset, Math.min(length, 10)),
        sync: fsyncSync,
      },
    });
    await journal.append("run_started", START);
    await journal.close();
    expect(JSON.parse(readFileSync(join(folder, "trace.jsonl"), "utf8")).data).toEqual(START);
  });

  it.each(["ENOSPC", "EIO", "EDQUOT"])("stops for good when a write fails with %s", async (code) => {
    let failing = false;
    const folder = join(temporaryFolder(), "trace");
    const journal = TraceJournal.create(folder, {
      calls: {
        write(fd, bytes, offset, length) {
          if (failing) throw systemError(code);
          return writeSync(fd, bytes, offset, length);
        },
        sync: fsyncSync,
      },
    });
    await journal.append("run_started", START);
    const before = readFileSync(join(folder, "trace.jsonl"));
    failing = true;
    await expect(journal.append("action", deny(1))).rejects.toMatchObject({ code: "E_AUDIT" });
    failing = false;
    await expect(journal.append("action", deny(2))).rejects.toMatchObject({ code: "E_AUDIT" });
    await expect(journal.keepFrame(Uint8Array.of(1))).rejects.toMatchObject({ code: "E_AUDIT" });
    await journal.close();
    expect(readFileSync(join(folder, "trace.jsonl"))).toEqual(before);
  });

  it("stops for good when fsync fails once", async () => {
    let failures = 0;
    const journal = TraceJournal.create(join(temporaryFolder(), "trace"), {
      calls: {
        write: writeSync,
        sync(fd) {
          if (failures-- === 1) throw systemError("EIO");
          fsyncSync(fd);
        },
      },
    });
    failures = 1;
    await expect(journal.append("run_started", START)).rejects.toMatchObject({ code: "E_AUDIT" });
    await expect(journal.append("run_started", START)).rejects.toThrow(/input\/output error/);
    await journal.close();
  });

  it("stops for good on a record that is none", async () => {
    const journal = TraceJournal.create(join(temporaryFolder(), "trace"));
    const wrong = { ...START, secret: "x" };
    await expect(journal.append("run_started", wrong)).rejects.toMatchObject({ code: "E_AUDIT" });
    await expect(journal.append("run_started", START)).rejects.toMatchObject({ code: "E_AUDIT" });
    await journal.close();
  });

  it("writes nothing after close", async () => {
    const journal = TraceJournal.create(join(temporaryFolder(), "trace"));
    await journal.close();
    await expect(journal.append("run_started", START)).rejects.toMatchObject({ code: "E_AUDIT" });
  });

  it("lets no second writer into a trace, and takes an empty folder of our own", async () => {
    const folder = join(temporaryFolder(), "trace");
    mkdirSync(folder, { mode: 0o755 });
    const journal = TraceJournal.create(folder);
    await journal.append("run_started", START);
    expect(() => TraceJournal.create(folder)).toThrow(/already exists/);
    await journal.append("run_ended", END);
    await journal.close();
    expect(() => TraceJournal.create(folder)).toThrow(CapuchinError);
  });
});

describe("a folder that is not as it must be", () => {
  const victim = "untouched\n";
  const cases: readonly (readonly [what: string, prepare: (base: string) => string])[] = [
    [
      "trace.jsonl is a link to another file",
      (base) => {
        symlinkSync(join(base, "victim"), join(base, "trace", "trace.jsonl"));
        return join(base, "trace");
      },
    ],
    [
      "trace.jsonl is a link to nowhere",
      (base) => {
        symlinkSync(join(base, "absent"), join(base, "trace", "trace.jsonl"));
        return join(base, "trace");
      },
    ],
    [
      "trace.jsonl is a hard link to another file",
      (base) => {
        linkSync(join(base, "victim"), join(base, "trace", "trace.jsonl"));
        return join(base, "trace");
      },
    ],
    [
      "trace.jsonl is a pipe",
      (base) => {
        execFileSync("mkfifo", [join(base, "trace", "trace.jsonl")]);
        return join(base, "trace");
      },
    ],
    [
      "trace.jsonl is a folder",
      (base) => {
        mkdirSync(join(base, "trace", "trace.jsonl"));
        return join(base, "trace");
      },
    ],
    [
      "trace.jsonl is a link to the terminal",
      (base) => {
        symlinkSync("/dev/stdout", join(base, "trace", "trace.jsonl"));
        return join(base, "trace");
      },
    ],
    [
      "frames is a link",
      (base) => {
        symlinkSync(base, join(base, "trace", "frames"));
        return join(base, "trace");
      },
    ],
    [
      "the folder is a link",
      (base) => {
        symlinkSync(join(base, "trace"), join(base, "link"));
        return join(base, "link");
      },
    ],
    [
      "the folder is a link, named with a slash",
      (base) => {
        symlinkSync(join(base, "trace"), join(base, "link"));
        return `${join(base, "link")}/`;
      },
    ],
    ["the folder is a file", (base) => join(base, "victim")],
    ["the folder lies below a file", (base) => join(base, "victim", "trace")],
    ["the folder is a device", () => "/dev/null"],
    [
      "everyone can write the folder",
      (base) => {
        chmodSync(join(base, "trace"), 0o777);
        return join(base, "trace");
      },
    ],
    [
      "a group can write the folder",
      (base) => {
        chmodSync(join(base, "trace"), 0o770);
        return join(base, "trace");
      },
    ],
    ["the path holds a NUL", (base) => `${base}/x\0y`],
  ];
  it.each(cases)("is refused when %s", (_what, prepare) => {
    const base = temporaryFolder();
    mkdirSync(join(base, "trace"), { mode: 0o700 });
    writeFileSync(join(base, "victim"), victim);
    const folder = prepare(base);
    let caught: unknown;
    try {
      TraceJournal.create(folder);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(CapuchinError);
    expect(caught).toMatchObject({ code: "E_AUDIT" });
    expect((caught as Error).message).toMatch(/^the trace folder "/);
    expect(readFileSync(join(base, "victim"), "utf8")).toBe(victim);
  });

  it("has its twin: the same folder, as it must be, is taken", async () => {
    const base = temporaryFolder();
    mkdirSync(join(base, "trace"), { mode: 0o700 });
    await TraceJournal.create(join(base, "trace")).close();
    expect(readdirSync(join(base, "trace")).sort()).toEqual(["documents", "frames", "trace.jsonl"]);
  });

  it("is refused when the process has no file descriptor left", () => {
    // A process of its own, with a limit that Node's own files already use up.
    const script = `
      const { openSync } = await import("node:fs");
      const { TraceJournal } = await import(process.argv[1]);
      try { for (;;) openSync("/dev/null", "r"); } catch {}
      try { TraceJournal.create(process.argv[2]); console.log("opened"); }
      catch (error) { console.log(error.code, error.message); }`;
    const out = execFileSync(
      "sh",
      [
        "-c",
        'ulimit -n 256 && exec "$0" --import tsx --input-type=module -e "$1" "$2" "$3"',
        process.execPath,
        script,
        join(import.meta.dirname, "../../../src/runtime/store/trace-journal.ts"),
        join(temporaryFolder(), "trace"),
      ],
      { encoding: "utf8" },
    );
    expect(out).toMatch(/^E_AUDIT .*too many open files/);
  });
});

describe("defaultTraceFolder", () => {
  it("is below XDG_STATE_HOME, or ~/.local/state when that is unset or relative", () => {
    expect(defaultTraceFolder("run-1", { XDG_STATE_HOME: "/s" }, "/h")).toBe("/s/capuchin/runs/run-1");
    expect(defaultTraceFolder("run-1", {}, "/h")).toBe("/h/.local/state/capuchin/runs/run-1");
    expect(defaultTraceFolder("run-1", { XDG_STATE_HOME: "s" }, "/h")).toBe(
      "/h/.local/state/capuchin/runs/run-1",
    );
  });
});
