// `capuchin trace export` that is ended while it works: nothing half written stays behind, and what was there stays.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.js";
import type { StopSignal } from "../../src/cli/io.js";
import { sampleLines } from "../journal/sample.js";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";
import { FakeIo } from "./fake-io.js";

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

function longTrace(): string {
  const folder = join(temporaryFolder(), "trace");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, "trace.jsonl"), `${sampleLines(3000).join("\n")}\n`, { mode: 0o600 });
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
