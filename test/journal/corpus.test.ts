// The present readers on everything that was ever written and kept.
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { digestBytes } from "../../src/base/digest.js";
import { readSpecBytes } from "../../src/contract/agent-spec.js";
import { verifyTrace } from "../../src/journal/index.js";
import { readTraceFolder } from "../../src/runtime/store/trace-folder.js";

interface Sources {
  readonly written: readonly {
    readonly by: string;
    readonly spec: { readonly file: string; readonly agents: readonly string[] };
    readonly trace: {
      readonly folder: string;
      readonly records: number;
      readonly head: string;
      /** Kept documents; none in the traces that came before them. */
      readonly documents?: number;
    };
  }[];
  readonly negative: readonly {
    readonly file: string;
    readonly kind: "spec" | "trace";
    readonly made: string;
    readonly refused: string;
    readonly index?: number;
  }[];
  readonly hashes: Readonly<Record<string, string>>;
}

const HERE = join(import.meta.dirname, "../corpus");
const sources: Sources = JSON.parse(readFileSync(join(HERE, "sources.json"), "utf8"));
const bytesOf = (file: string) => readFileSync(join(HERE, file));

const kept = readdirSync(HERE, { recursive: true, encoding: "utf8" })
  .map((name) => relative(HERE, join(HERE, name)).replaceAll("\\", "/"))
  .filter((name) => /^(?:\d|negative\/)/.test(name) && statSync(join(HERE, name)).isFile());

it("holds exactly the files that sources.json lists, unchanged", () => {
  expect(kept.sort()).toEqual(Object.keys(sources.hashes).sort());
  for (const [file, hash] of Object.entries(sources.hashes))
    expect(digestBytes(bytesOf(file)), file).toBe(hash);
});

describe.each(sources.written)("what $by wrote", ({ spec, trace }) => {
  it("is a spec that is read", () => {
    const reading = readSpecBytes(bytesOf(spec.file));
    expect(reading.ok ? reading.spec.agents.map((entry) => entry.agent) : reading.reason).toEqual(
      spec.agents,
    );
  });

  it("is a trace that is intact and complete", async () => {
    const report = await readTraceFolder(join(HERE, trace.folder));
    expect(report.frameProblem).toBeUndefined();
    expect(report.documentProblem).toBeUndefined();
    expect(report.documents).toBe(trace.documents ?? 0);
    expect(report).toMatchObject({
      ok: true,
      complete: true,
      records: trace.records,
      head: trace.head,
    });
    expect(report.frames).toBeGreaterThan(0);
  });
});

describe("what was broken", () => {
  const specs = sources.negative.filter((entry) => entry.kind === "spec");
  it.each(specs)("$file is refused: $made", ({ file, refused }) => {
    const reading = readSpecBytes(bytesOf(file));
    expect(reading.ok).toBe(false);
    expect(reading.ok ? "" : reading.reason).toContain(refused);
    expect(({} as Record<string, unknown>)["denyKeys"]).toBeUndefined();
  });

  const traces = sources.negative.filter((entry) => entry.kind === "trace");
  it.each(traces)("$file is refused at its record: $made", async ({ file, refused, index }) => {
    const report = await verifyTrace(createReadStream(join(HERE, file)));
    expect(report).toMatchObject({ ok: false, complete: false, problem: { index } });
    expect(report.problem?.reason).toContain(refused);
  });

  it("is there for both formats, in every way", () => {
    expect(specs).toHaveLength(4);
    expect(traces).toHaveLength(4);
  });
});
