// A trace of a short run, made with the writer under test and a clock that stands still between steps.
import type { Clock } from "../../src/base/clock.js";
import { digestBytes } from "../../src/base/digest.js";
import type { RecordData } from "../../src/contract/journal-records.js";
import { RecordChain } from "../../src/journal/index.js";

const withheld = { digest: digestBytes("hello"), length: 5 };
const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };

export const START: RecordData<"run_started"> = {
  runId: "run-1",
  generator: "capuchin/0.0.0",
  agent: "FormFiller",
  goal: withheld,
  capability: "computer.input + computer.screen",
  entryDigest: digestBytes("entry"),
  derived: false,
  desktop: "fake",
  model: "script",
  tool: "computer_toolset_20260801",
};

export const END: RecordData<"run_ended"> = {
  outcome: "completed",
  turns: 1,
  actions: 1,
  events: 3,
  usage,
};

export function deny(index: number, reason = "outside the allowed region"): RecordData<"action"> {
  return {
    actionId: `action-${index}`,
    source: "model",
    turn: 1,
    callId: `call-${index}`,
    name: "left_click",
    input: { coordinate: { x: 1, y: 2 } },
    verdict: "deny",
    code: "E_BOUNDS",
    reason,
  };
}

export function fixedClock(times: readonly string[] = ["2026-01-01T00:00:00.000Z"]): Clock {
  let tick = 0;
  let told = 0;
  return {
    now: () => times[Math.min(told++, times.length - 1)] ?? "",
    monotonic: () => tick++,
    sleep: () => Promise.resolve(),
  };
}

/** The lines of a complete trace with `actions` records between start and end. */
export function sampleLines(actions = 4): string[] {
  const chain = new RecordChain(fixedClock());
  const lines = [chain.next("run_started", START).line];
  for (let index = 0; index < actions; index++) lines.push(chain.next("action", deny(index)).line);
  lines.push(chain.next("run_ended", END).line);
  return lines;
}

export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The bytes of a text as a stream, in pieces of a size. */
export async function* streamOf(data: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
