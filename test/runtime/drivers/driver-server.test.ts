// The driver process's protocol over plain streams, with a stand-in for the driver.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { DriverReply } from "../../../src/contract/driver-protocol.js";
import { DriverError } from "../../../src/diagnostics/errors.js";
import {
  failureOf,
  type ServedDriver,
  serveDriver,
} from "../../../src/runtime/drivers/session/driver-server.js";

function served(driver: Partial<ServedDriver> = {}) {
  const input = new PassThrough();
  const replies: DriverReply[] = [];
  const ended = serveDriver(
    {
      perform: async () => ({ kind: "cursor", at: { x: 1, y: 2 } }),
      settle: async () => ({ quiet: true, waitedMs: 0 }),
      releaseAll: async () => ({ keys: [], buttons: [] }),
      ...driver,
    },
    input,
    (reply) => replies.push(reply),
  );
  ended.catch(() => {});
  return { replies, ended, ask: (message: unknown) => input.write(`${JSON.stringify(message)}\n`), input };
}

const cursor = (id: number) => ({ id, method: "perform", action: { kind: "cursor" }, deadlineMs: 1000 });

test("requests are answered under their numbers, in order", async () => {
  const { ask, input, ended, replies } = served();
  ask(cursor(1));
  ask({ id: 2, method: "settle", quietMs: 1, maxMs: 1 });
  // A releaseAll stops what is still under way.
  await expect.poll(() => replies.length).toBe(2);
  ask({ id: 3, method: "releaseAll" });
  input.end();
  await ended;
  expect(replies).toEqual([
    { type: "result", id: 1, result: { kind: "cursor", at: { x: 1, y: 2 } } },
    { type: "settled", id: 2, quiet: true, waitedMs: 0 },
    { type: "released", id: 3, released: { keys: [], buttons: [] } },
  ]);
});

test.each([
  ["no JSON", "nonsense"],
  ["an unknown method", JSON.stringify({ id: 1, method: "eval", code: "1" })],
  ["an unknown field", JSON.stringify({ ...cursor(1), extra: true })],
  ["a fraction of a pixel", JSON.stringify({ ...cursor(1), action: { kind: "move", at: { x: 1.5, y: 2 } } })],
  [
    "a key that is no id",
    JSON.stringify({ ...cursor(1), action: { kind: "key", modifiers: [], key: "a;id", repeat: 1 } }),
  ],
])("%s ends the service", async (_, line) => {
  const { input, ended, replies } = served();
  input.write(`${line}\n`);
  await expect(ended).rejects.toMatchObject({ code: "E_SCHEMA" });
  expect(replies).toEqual([]);
});

test("cancel stops the action under way; releaseAll stops it too, and comes after it", async () => {
  const order: string[] = [];
  const { ask, input, ended, replies } = served({
    perform: (_action, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          order.push("stopped");
          reject(new DriverError("E_INDETERMINATE", "stopped after 3 events", 3));
        });
      }),
    releaseAll: async () => {
      order.push("released");
      return { keys: ["ctrl"], buttons: [1] };
    },
  });
  ask(cursor(1));
  ask({ id: 2, method: "cancel", target: 1 });
  await expect.poll(() => replies.length).toBe(1);
  ask(cursor(3));
  ask({ id: 4, method: "releaseAll" });
  input.end();
  await ended;
  expect(order).toEqual(["stopped", "stopped", "released"]);
  expect(replies).toEqual([
    {
      type: "error",
      id: 1,
      failure: { code: "E_INDETERMINATE", message: "stopped after 3 events", events: 3 },
    },
    {
      type: "error",
      id: 3,
      failure: { code: "E_INDETERMINATE", message: "stopped after 3 events", events: 3 },
    },
    { type: "released", id: 4, released: { keys: ["ctrl"], buttons: [1] } },
  ]);
});

test("the end of the input stops what is under way", async () => {
  let stopped = false;
  const { ask, input, ended } = served({
    perform: (_action, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          stopped = true;
          reject(new Error("stopped"));
        });
      }),
  });
  ask(cursor(1));
  await new Promise(setImmediate);
  input.end();
  await ended;
  expect(stopped).toBe(true);
});

test("failures keep their code and count; anything else is the driver's own failure", () => {
  expect(failureOf(new DriverError("E_STALE", "moved", 1))).toEqual({
    code: "E_STALE",
    message: "moved",
    events: 1,
  });
  expect(failureOf(new TypeError("oops"))).toEqual({ code: "E_BACKEND", message: "oops", events: 0 });
  // A code that no driver may report does not get through.
  expect(failureOf(new DriverError("E_APPROVAL", "no", 0)).code).toBe("E_BACKEND");
});
