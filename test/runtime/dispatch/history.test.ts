import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  History,
  OMITTED_TEXT,
  type PruneLimits,
  storedImage,
} from "../../../src/runtime/dispatch/history.js";
import type { Message } from "../../../src/runtime/dispatch/message.js";
import { findRequestProblem } from "../../../src/runtime/testing/request-rules.js";
import { bench, call, closeAll, recorded } from "./setup.js";

const LIMITS: PruneLimits = { maxImages: 6, keepImages: 2, maxImageCharacters: 10_000 };

function picture(bytes = 30) {
  return storedImage({
    bytes: new Uint8Array(bytes),
    mediaType: "image/png",
    size: { width: 8, height: 8 },
    frame: "sha256:x",
  });
}

function imagesOf(messages: readonly Message[]): number {
  return JSON.stringify(messages).split('"type":"image"').length - 1;
}

/** A turn with a thought, some calls and their answers, each with a picture. */
function addTurn(history: History, turn: number, calls: number, bytes = 30): void {
  const ids = Array.from({ length: calls }, (_, index) => `t${turn}_${index}`);
  history.addReply([
    { type: "thinking", thinking: `thought ${turn}`, signature: `sig${turn}` },
    ...ids.map((id) => ({ type: "tool_use", id, name: "screenshot", toolset_name: "computer", input: {} })),
  ]);
  history.addResults(
    ids.map((callId) => ({ callId, toolset: "computer", content: [picture(bytes)], isError: false })),
  );
}

/** The same conversation with pictures of no size: the rules are about its shape. */
function withoutPictures(messages: readonly Message[]): unknown {
  const text = JSON.stringify(messages, (key, value) => (key === "data" ? "AAAA" : value));
  return { model: "m", max_tokens: 1, messages: JSON.parse(text) };
}

function begin(): History {
  const history = new History(LIMITS);
  history.addUser([{ type: "text", text: "go" }, picture()]);
  return history;
}

/** How many pictures a pruning let go of. */
function prunedImages(history: History): number {
  return history.prune().reduce((sum, { images }) => sum + images, 0);
}

test("pictures go in batches: none up to the bound, then all but the newest few", () => {
  const history = begin();
  const pruned: number[] = [];
  for (let turn = 1; turn <= 12; turn++) {
    addTurn(history, turn, 1);
    pruned.push(prunedImages(history));
  }
  expect(pruned).toEqual([0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5, 0]);
  expect(imagesOf(history.view())).toBe(3);
  expect(history.pictures).toHaveLength(3);
  expect(JSON.stringify(history.view())).toContain(OMITTED_TEXT);
});

test("between two prunings what was sent before stays as it was", () => {
  const history = begin();
  for (let turn = 1; turn <= 4; turn++) addTurn(history, turn, 1);
  const before = history.view();
  addTurn(history, 5, 1);
  history.prune();
  expect(history.view().slice(0, before.length)).toEqual(before);
});

test("with the pictures go the thoughts that saw them, whole; later ones stay as they came", () => {
  const history = begin();
  for (let turn = 1; turn <= 6; turn++) addTurn(history, turn, 1);
  expect(JSON.stringify(history.view())).toContain("thought 6");
  expect(history.prune()).toEqual([{ why: "pictures", images: 5, results: 0, messages: 0 }]);
  expect(JSON.stringify(history.view())).not.toContain("thinking");
  addTurn(history, 7, 1);
  history.prune();
  const last = history.view().findLast((message) => message.role === "assistant");
  expect(last?.content[0]).toEqual({ type: "thinking", thinking: "thought 7", signature: "sig7" });
});

test("many bytes in few pictures are pruned too, but the newest stays", () => {
  const history = new History(LIMITS);
  history.addUser([{ type: "text", text: "go" }, picture(6000)]);
  addTurn(history, 1, 1, 6000);
  expect(prunedImages(history)).toBe(1);
  expect(imagesOf(history.view())).toBe(1);
  const one = new History(LIMITS);
  one.addUser([{ type: "text", text: "go" }, picture(60_000)]);
  expect(one.prune()).toEqual([]);
});

test("whatever is pruned, the API would take the request", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 15 }), (turns) => {
      const history = begin();
      turns.forEach((calls, index) => {
        addTurn(history, index + 1, calls);
        history.prune();
        const view = history.view();
        expect(imagesOf(view)).toBeLessThanOrEqual(LIMITS.maxImages);
        expect(findRequestProblem({ model: "m", max_tokens: 1, messages: view }, "")).toBeUndefined();
      });
    }),
    { numRuns: 50 },
  );
});

test("500 turns with a screenshot of a megabyte each keep a dozen of them [Q-022]", () => {
  const history = new History();
  history.addUser([{ type: "text", text: "go" }, picture(1_000_000)]);
  for (let turn = 1; turn <= 500; turn++) {
    addTurn(history, turn, 1, 1_000_000);
    history.prune();
    expect(history.pictures.length).toBeLessThanOrEqual(12);
  }
  const view = history.view();
  // 4 / 3 of a megabyte each in base64; the rest is words.
  expect(JSON.stringify(view).length).toBeLessThan(12 * 1_400_000 + 500 * 500);
  expect(view).toHaveLength(1001);
  expect(findRequestProblem(withoutPictures(view), "")).toBeUndefined();
});

describe("in a run", () => {
  test("a long one never sends more than 12 pictures and says what went [Q-022]", async () => {
    const model = recorded((_request, { turn }) => (turn > 60 ? [] : [call("screenshot")]));
    const { dispatcher, journal } = bench(model, { maxTurns: 100 });
    expect(await dispatcher.run("look")).toMatchObject({ outcome: "completed", turns: 61 });
    const sent = model.seen.map((request) => imagesOf(request.messages as unknown as Message[]));
    expect(Math.max(...sent)).toBe(12);
    const records = journal.ofKind("history_pruned").map((record) => record.data);
    expect(records[0]).toEqual({ turn: 13, why: "pictures", images: 10, results: 0, messages: 0 });
    expect(records.length).toBeGreaterThan(2);
    expect(journal.ofKind("model_request").map((record) => record.data.images)).toEqual(sent);
    await closeAll();
  });
});
