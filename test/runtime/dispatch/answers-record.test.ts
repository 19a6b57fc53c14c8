import { afterEach, expect, test } from "vitest";
import { answersRecord } from "../../../src/runtime/dispatch/answers-record.js";
import { bench, call, closeAll, recorded, resultsOf, textOfResult } from "./setup.js";

afterEach(closeAll);

test("what the model was told is recorded call by call, with the frame it was shown", async () => {
  const model = recorded([
    [
      call("left_click", { coordinate: [30, 40] }, { id: "a" }),
      call("screenshot", {}, { id: "b" }),
      call("type", { text: "hi" }, { id: "c" }),
    ],
  ]);
  const { dispatcher, journal } = bench(model);
  await dispatcher.run("go");
  const [record, ...more] = journal.ofKind("answers");
  expect(more).toEqual([]);
  const frames = journal.ofKind("frame").map(({ data }) => data.digest);
  const told = resultsOf(model.seen[1]);
  expect(record?.data).toEqual({
    turn: 1,
    answers: [
      { callId: "a", isError: false, text: textOfResult(told[0]) },
      { callId: "b", isError: false, text: "", frame: frames.at(-2) },
      { callId: "c", isError: false, text: "Typed. The screen changed.", frame: frames.at(-1) },
    ],
  });
});

test("a refused call and what follows it are recorded as errors, and the frame goes with the last of them", async () => {
  const model = recorded([
    [
      call("left_click", { coordinate: [30, 40] }, { id: "a" }),
      call("left_click", { coordinate: [9000, 1] }, { id: "b" }),
      call("type", { text: "hi" }, { id: "c" }),
    ],
  ]);
  const { dispatcher, journal } = bench(model, { onViolation: "refuse" });
  await dispatcher.run("go");
  const told = resultsOf(model.seen[1]);
  expect(journal.ofKind("answers")[0]?.data.answers).toEqual([
    { callId: "a", isError: false, text: textOfResult(told[0]) },
    { callId: "b", isError: true, text: textOfResult(told[1]) },
    {
      callId: "c",
      isError: true,
      text: "Not executed: an earlier computer action in this turn failed.",
      frame: journal.ofKind("frame").at(-1)?.data.digest,
    },
  ]);
});

test("a run that ends by a violation still records what it answered", async () => {
  const model = recorded([[call("left_click", { coordinate: [9000, 1] }, { id: "a" })]]);
  const { dispatcher, journal } = bench(model);
  expect(await dispatcher.run("go")).toMatchObject({ outcome: "violation" });
  expect(journal.ofKind("answers")[0]?.data.answers).toMatchObject([{ callId: "a", isError: true }]);
});

test("a record of very many answers stays within a line", () => {
  const results = Array.from({ length: 256 }, (_, index) => ({
    callId: `${index}`.padStart(128, "x"),
    toolset: undefined,
    content: [{ type: "text" as const, text: "\u202e".repeat(5000) }],
    isError: true,
  }));
  const { answers } = answersRecord(1, { results, after: [] });
  expect(answers).toHaveLength(64);
  expect(JSON.stringify(answers).length).toBeLessThan(60_000);
});
