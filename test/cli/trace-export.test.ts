// `capuchin trace export` and the files that it writes: when it is ended while it works nothing half written stays
// behind, and it never writes over the trace that it reads.
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.js";
import type { StopSignal } from "../../src/cli/io.js";
import { sampleLines } from "../journal/sample.js";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";
import { FakeIo, runCli } from "./fake-io.js";

/** Gets a signal as soon as the process looks at what else has come. */
class SignalledIo extends FakeIo {
  readonly #signal: StopSignal;
  constructor(signal: StopSignal) {
    super("/");
    this.#signal = signal;
  }
  override onSignal(handler: (signal: StopSignal) => void): void {
    setImmediate(() => handler(this.#signal));
  }
}

function longTrace(actions = 3000): string {
  const folder = join(temporaryFolder(), "trace");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, "trace.jsonl"), `${sampleLines(actions).join("\n")}\n`, { mode: 0o600 });
  return folder;
}

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends it with nothing left behind", async (signal, code) => {
  const folder = longTrace();
  const out = temporaryFolder();
  const [html, csv] = [join(out, "report.html"), join(out, "actions.csv")];
  writeFileSync(html, "the one before");
  const argv = ["trace", "export", folder, "--html", html, "--csv", csv];
  expect(await runCommandLine(argv, new SignalledIo(signal))).toBe(code);
  expect(readdirSync(out)).toEqual(["report.html"]);
  expect(readFileSync(html, "utf8")).toBe("the one before");
});

it("without a signal both files are there, and nothing else", async () => {
  const folder = longTrace();
  const out = temporaryFolder();
  const argv = ["trace", "export", folder, "--html", join(out, "r.html"), "--csv", join(out, "a.csv")];
  expect(await runCommandLine(argv, new FakeIo("/"))).toBe(0);
  expect(readdirSync(out).sort()).toEqual(["a.csv", "r.html"]);
});

/** A name for an output, made beside or in a trace, that leads to a file of it or to that of another output. */
const places: readonly (readonly [string, RegExp, (folder: string) => readonly string[]])[] = [
  ["the records", /belongs to the trace/, (folder) => ["--html", join(folder, "trace.jsonl")]],
  [
    "the records, by csv",
    /belongs to the trace/,
    (folder) => ["--csv", join(folder, "frames/../trace.jsonl")],
  ],
  [
    "the records by a link to their folder",
    /belongs to the trace/,
    (folder) => {
      symlinkSync(folder, `${folder}-link`);
      return ["--html", join(`${folder}-link`, "trace.jsonl")];
    },
  ],
  [
    "the records by another name of the file",
    /belongs to the trace/,
    (folder) => {
      linkSync(join(folder, "trace.jsonl"), `${folder}.html`);
      return ["--html", `${folder}.html`];
    },
  ],
  ["a kept frame's place", /belongs to the trace/, (folder) => ["--html", join(folder, "frames/new.html")]],
  ["a document's place", /belongs to the trace/, (folder) => ["--csv", join(folder, "documents/new.csv")]],
  [
    "one file twice",
    /named twice/,
    (folder) => ["--html", `${folder}.out`, "--csv", `${folder}/../trace.out`],
  ],
];

it.each(places)("%s is refused as an output, and nothing is touched", async (_what, reason, flagsOf) => {
  const folder = longTrace(2);
  for (const name of ["frames", "documents"]) mkdirSync(join(folder, name));
  const flags = flagsOf(folder);
  const before = readdirSync(join(folder, ".."), { recursive: true }).sort();
  const records = readFileSync(join(folder, "trace.jsonl"), "utf8");
  const ran = await runCli(["trace", "export", folder, ...flags]);
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(reason) });
  expect(readFileSync(join(folder, "trace.jsonl"), "utf8")).toBe(records);
  expect(readdirSync(join(folder, ".."), { recursive: true }).sort()).toEqual(before);
});

it("beside the records, in the trace's folder, a report may lie", async () => {
  const folder = longTrace(2);
  const ran = await runCli(["trace", "export", folder, "--html", join(folder, "report.html")]);
  expect(ran.code).toBe(0);
  expect((await runCli(["trace", "verify", folder])).code).toBe(0);
});
