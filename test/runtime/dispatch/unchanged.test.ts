// Screens that have not changed, answered in words where the option says so.
import { afterEach, expect, test } from "vitest";
import { bench, call, closeAll, recorded, resultsOf, textOfResult } from "./setup.js";

afterEach(closeAll);

const WORDS = "Nothing has changed: the screen is exactly as on the newest screenshot you have.";

function imagesOf(value: unknown): number {
  return JSON.stringify(value).split('"type":"image"').length - 1;
}

test("a screenshot of the screen that the model has is answered in words, again and again", async () => {
  const model = recorded([[call("screenshot")], [call("screenshot"), call("screenshot")]]);
  const { dispatcher, journal } = bench(model, {}, { unchangedScreens: "text" });
  await dispatcher.run("look");
  expect(model.seen.map(({ messages }) => imagesOf(messages))).toEqual([1, 1, 1]);
  expect(resultsOf(model.seen[1]).map(textOfResult)).toEqual([WORDS]);
  expect(resultsOf(model.seen[2]).map(textOfResult)).toEqual([WORDS, WORDS]);
  const told = journal.ofKind("answers").flatMap(({ data }) => data.answers);
  expect(told.map(({ text }) => text)).toEqual([WORDS, WORDS, WORDS]);
  expect(told.every((answer) => !("frame" in answer))).toBe(true);
});

test("without the option each is a picture", async () => {
  const model = recorded([[call("screenshot")], [call("screenshot")]]);
  await bench(model).dispatcher.run("look");
  expect(model.seen.map(({ messages }) => imagesOf(messages))).toEqual([1, 2, 3]);
});

test("a screen that changed is a picture, and is what the next is compared with", async () => {
  const model = recorded([
    [call("type", { text: "a" })],
    [call("screenshot")],
    [call("type", { text: "b" })],
  ]);
  await bench(model, {}, { unchangedScreens: "text" }).dispatcher.run("look");
  expect(model.seen.map(({ messages }) => imagesOf(messages))).toEqual([1, 2, 2, 3]);
});

test("an action without effect on the screen is told so beside its result", async () => {
  const white = {
    width: 400,
    height: 300,
    data: new Uint8Array(400 * 300 * 3).fill(255),
    channels: 3 as const,
  };
  const model = recorded([[call("key", { text: "Tab" })]]);
  await bench(model, {}, { unchangedScreens: "text", fake: { screens: () => white } }).dispatcher.run("go");
  expect(resultsOf(model.seen[1]).map(textOfResult)).toEqual([
    `Pressed the key. No change seen on the screen. ${WORDS}`,
  ]);
});

test("behind a result that is an error the words follow the results", async () => {
  const white = {
    width: 400,
    height: 300,
    data: new Uint8Array(400 * 300 * 3).fill(255),
    channels: 3 as const,
  };
  const model = recorded([[call("key", { text: "Tab" }), call("key", { text: "NoSuchKey" })]]);
  await bench(
    model,
    { onViolation: "refuse" },
    { unchangedScreens: "text", fake: { screens: () => white } },
  ).dispatcher.run("go");
  expect(model.seen[1]?.messages.at(-1)?.content.at(-1)).toMatchObject({ type: "text", text: WORDS });
});

test("a region looked at in between is another picture: the screen is shown again", async () => {
  const model = recorded([[call("zoom", { region: [0, 0, 100, 80] })], [call("screenshot")]]);
  await bench(model, {}, { unchangedScreens: "text" }).dispatcher.run("look");
  expect(model.seen.map(({ messages }) => imagesOf(messages))).toEqual([1, 2, 3]);
});

test("the picture that an answer in words refers to is among those sent", async () => {
  const model = recorded((_request, { turn }) => {
    if (turn > 30) return [];
    return turn % 3 === 0 ? [call("screenshot")] : [call("type", { text: "x" })];
  });
  const limits = { maxImages: 3, keepImages: 1, maxImageCharacters: 10_000_000 };
  const options = { unchangedScreens: "text" as const, pruneLimits: limits };
  await bench(model, { maxTurns: 40 }, options).dispatcher.run("look");
  const inWords = model.seen.filter((request) => JSON.stringify(request.messages.at(-1)).includes(WORDS));
  expect(inWords.length).toBeGreaterThan(5);
  for (const request of inWords) expect(imagesOf(request.messages.at(-3))).toBe(1);
});
