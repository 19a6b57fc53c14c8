// A picture never bricks the conversation: after a refusal that is about pictures the request is made again with fewer.
import { afterEach, expect, test } from "vitest";
import { OMITTED_TEXT } from "../../../../src/runtime/dispatch/history.js";
import { isPictureFault } from "../../../../src/runtime/dispatch/pictures/picture-fault.js";
import type { ScriptReply } from "../../../../src/runtime/testing/scripted-model.js";
import { bench, call, closeAll, recorded, say } from "../setup.js";

afterEach(closeAll);

type Request = ReturnType<typeof recorded>["seen"][number];

function imagesOf(request: Request | undefined): number {
  return JSON.stringify(request?.messages).split('"type":"image"').length - 1;
}

function refusal(status: number, message: string, details?: object): ScriptReply {
  const type = status === 413 ? "request_too_large" : "invalid_request_error";
  const error = { type, message, ...(details ? { details } : {}) };
  return { status, body: { type: "error", error } } as ScriptReply;
}

/** Refusals as the API and those before it word them, with the row of the bug list they come from. */
const REFUSALS: readonly (readonly [row: string, ScriptReply])[] = [
  [
    "I2 I3: a code of the API's own",
    refusal(400, "the words may change", {
      error_code: "image_dimensions_too_large",
      max_side_length_pixels: 2000,
      paths: ["messages.0.content.1"],
    }),
  ],
  [
    "I4: a picture of more than 8000 pixels",
    refusal(
      400,
      "messages.2.content.0.tool_result.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    ),
  ],
  [
    "I3: a picture of more than 5 MB",
    refusal(
      400,
      "messages.168.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 5649924 bytes > 5242880 bytes",
    ),
  ],
  [
    "I7 I8: another media type",
    refusal(
      400,
      "messages.4.content.0.image.source.base64: Image does not match the provided media type image/jpeg",
    ),
  ],
  ["I7: one that cannot be read", refusal(400, "Could not process image")],
  ["I6: a request that is too large", refusal(413, "Request exceeds the maximum size")],
];

/** Looks twice, so that three pictures are sent, then meets refusals as long as `refuses` says. */
function model(reply: ScriptReply, refuses: (request: Request) => boolean) {
  return recorded((request, { turn }) => {
    if (turn <= 2) return [call("screenshot")];
    return refuses(request) ? reply : [say("all done")];
  });
}

test.each(REFUSALS)("%s: pictures go, oldest first, and the run goes on", async (_row, reply) => {
  const scripted = model(reply, (request) => imagesOf(request) > 1);
  const { dispatcher, journal } = bench(scripted);
  expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", text: "all done", turns: 3 });
  expect(scripted.seen.map(imagesOf)).toEqual([1, 2, 3, 2, 1]);
  const last = JSON.stringify(scripted.seen.at(-1)?.messages);
  expect(last.split(OMITTED_TEXT).length - 1).toBe(2);
  expect(last.lastIndexOf('"type":"image"')).toBeGreaterThan(last.lastIndexOf(OMITTED_TEXT));
  expect(journal.ofKind("history_pruned").map(({ data }) => [data.turn, data.images, data.why])).toEqual([
    [3, 1, "refused"],
    [3, 1, "refused"],
  ]);
  expect(journal.ofKind("model_request").map(({ data }) => data.images)).toEqual([1, 2, 3, 2, 1]);
});

test("what was given up stays given up: the next request is not refused for it again", async () => {
  let refused = false;
  const scripted = recorded((request, { turn }) => {
    if (imagesOf(request) > 2) {
      refused = true;
      return refusal(413, "Request exceeds the maximum size");
    }
    return turn < 6 ? [call("screenshot")] : [say("all done")];
  });
  const { dispatcher } = bench(scripted);
  expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
  expect(refused).toBe(true);
  expect(scripted.seen.map(imagesOf)).toEqual([1, 2, 3, 2, 3, 2]);
});

test("the newest picture stays: refused alone it ends the run, after as many requests as there were pictures to drop", async () => {
  const scripted = model(refusal(400, "Could not process image"), () => true);
  const { dispatcher } = bench(scripted);
  const result = await dispatcher.run("go");
  expect(result).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL", retryable: false } });
  expect(result).toMatchObject({ error: { message: expect.stringContaining("Could not process image") } });
  expect(scripted.seen.map(imagesOf)).toEqual([1, 2, 3, 2, 1]);
});

test.each([
  ["the first request has one picture only", refusal(400, "Could not process image")],
  ["a 400 about something else", refusal(400, "messages.1: the error result toolu_1 holds an image")],
  ["a 400 about the tool", refusal(400, "tools.0: unknown field")],
])("%s: the run ends at once", async (_name, reply) => {
  const scripted = recorded((_request, { turn }) => (turn > 0 ? reply : []));
  const { dispatcher, journal } = bench(scripted);
  expect(await dispatcher.run("go")).toMatchObject({ outcome: "failed", error: { code: "E_PROTOCOL" } });
  expect(scripted.seen).toHaveLength(1);
  expect(journal.ofKind("history_pruned")).toEqual([]);
});

test("any other 400 in mid-run ends it, however many pictures there are", async () => {
  const scripted = model(refusal(400, "max_tokens: too large"), () => true);
  const { dispatcher } = bench(scripted);
  expect(await dispatcher.run("go")).toMatchObject({ outcome: "failed" });
  expect(scripted.seen.map(imagesOf)).toEqual([1, 2, 3]);
});

test("only refusals of the request itself count, not failures that are asked again as they are", () => {
  const message = "image exceeds 5 MB maximum";
  expect(isPictureFault({ status: 400, code: undefined, message })).toBe(true);
  for (const status of [401, 403, 404, 408, 429, 500, 529]) {
    expect(isPictureFault({ status, code: "image_dimensions_too_large", message })).toBe(false);
  }
  expect(isPictureFault({ status: 400, code: "tool_name_conflict", message: "a name twice" })).toBe(false);
});

test("a request refused for a picture and then as too long is made again after each", async () => {
  const tooLong = refusal(400, "prompt is too long: 204881 tokens > 200000 maximum");
  const tooLarge = refusal(400, "image exceeds 5 MB maximum");
  for (const order of [
    [tooLarge, tooLong],
    [tooLong, tooLong],
  ]) {
    const replies = [[call("screenshot")], [call("screenshot")], [call("screenshot")], ...order, [say("ok")]];
    const { dispatcher } = bench(recorded(replies as Parameters<typeof recorded>[0]));
    const result = await dispatcher.run("go");
    // The same request is not sent a third time.
    expect(result.outcome).toBe(order[0] === tooLarge ? "completed" : "truncated");
    await closeAll();
  }
});
