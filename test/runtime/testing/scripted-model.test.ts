import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { script, scriptFile } from "../../../src/runtime/testing/scripted-model.js";
import { bench, call, closeAll, say } from "../dispatch/setup.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "capuchin-script-"));
});
afterEach(async () => {
  await closeAll();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe("a script", () => {
  test("as a list plays in order and then says that it is done", async () => {
    const model = script([[call("mouse_move", { coordinate: [1, 2] })]]);
    const { dispatcher } = bench(model);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", text: "done", turns: 2 });
    expect(model.requests).toBe(2);
  });

  test("goes on where it was in a second run", async () => {
    const model = script([[say("one")], [say("two")]]);
    const first = bench(model);
    expect(await first.dispatcher.run("go")).toMatchObject({ text: "one" });
    await first.dispatcher.close();
    expect(await bench(model).dispatcher.run("go")).toMatchObject({ text: "two" });
    expect(model.requests).toBe(2);
  });

  test("as a function sees what the server received, and not the key", async () => {
    let seen: unknown;
    const model = script((request, context) => {
      seen = { request, context };
      return [say("ok")];
    });
    await bench(model).dispatcher.run("find the cat");
    expect(seen).toMatchObject({
      request: { model: "claude-opus-5-5", messages: [{ role: "user" }] },
      context: { turn: 1, headers: { "anthropic-version": expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } },
    });
    expect(JSON.stringify(seen)).toContain("find the cat");
    expect(JSON.stringify(seen)).not.toMatch(/script-[0-9a-f]{32}/);
  });

  test("may lie about status and headers", async () => {
    const model = script([{ status: 529, headers: { "retry-after": "0" } }, [say("ok")]]);
    expect(await bench(model).dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    expect(model.requests).toBe(2);
  });

  test("that throws ends the run with its own words", async () => {
    const model = script(() => {
      throw new Error("no field in the picture\u202e");
    });
    const result = await bench(model).dispatcher.run("go");
    expect(result).toMatchObject({
      outcome: "failed",
      error: { code: "E_PROTOCOL", message: expect.stringContaining("no field in the picture") },
    });
    expect(JSON.stringify(result)).not.toContain("\u202e");
    expect(model.requests).toBe(1);
  });

  test("that answers something else ends the run, naming script and reply", async () => {
    const model = script(() => ({ text: "hi" }) as never, { name: "mine" });
    expect(await bench(model).dispatcher.run("go")).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringContaining("mine, reply 1") },
    });
  });

  test("whose listed reply is malformed is refused at once", () => {
    expect(() => script([[say("ok")], { content: "hi" } as never], { name: "mine" })).toThrow(
      /mine, reply 2: content/,
    );
  });

  test("serves nobody without its key, and nothing but messages", async () => {
    let base = "";
    const model = script((_request, { headers }) => {
      base = `http://${headers["host"]}`;
      return [say("ok")];
    });
    const { dispatcher } = bench(model);
    await dispatcher.run("go");
    expect((await fetch(`${base}/v1/messages`, { method: "POST", body: "{}" })).status).toBe(401);
    expect((await fetch(`${base}/v1/models`)).status).toBe(404);
    expect(model.requests).toBe(1);
    await dispatcher.close();
    await expect(fetch(`${base}/v1/models`)).rejects.toThrow();
  });
});

describe("the simple dialect", () => {
  const done = (input: object, name = "computer") => ({ type: "tool_use", id: "d1", name, input });

  test.each([
    ["done by action", done({ action: "done", summary: "filled" })],
    ["stop by action", done({ action: "stop", summary: "filled" })],
    ["done by name", { ...done({ summary: "filled" }, "done"), toolset_name: "computer" }],
  ])("%s ends the run with its summary; later calls do not run", async (_name, block) => {
    const model = script([[call("type", { text: "a" }), block, call("type", { text: "b" })]], {
      dialect: "simple",
    });
    const { dispatcher, desktop } = bench(model);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed", text: "filled", turns: 1 });
    expect(desktop.text).toBe("a");
    expect(dispatcher.conversation().at(-1)?.content).toHaveLength(3);
  });

  test("after a failure of the turn, done does not count", async () => {
    const model = script(
      [[call("key", { text: "nosuchkey" }), done({ action: "done", summary: "x" })], [say("end")]],
      {
        dialect: "simple",
      },
    );
    expect(await bench(model).dispatcher.run("go")).toMatchObject({ text: "end", turns: 2 });
  });

  test("with unknown fields is an action like any other, and unknown", async () => {
    const model = script([[done({ action: "done", summary: "x", also: 1 })], [say("end")]], {
      dialect: "simple",
    });
    expect(await bench(model).dispatcher.run("go")).toMatchObject({ text: "end", turns: 2 });
  });

  test("a hosted model has no done", async () => {
    const model = script([[done({ action: "done", summary: "filled" })], [say("end")]]);
    expect(await bench(model).dispatcher.run("go")).toMatchObject({ text: "end", turns: 2 });
  });
});

describe("a script file", () => {
  test("of JSON is an array of replies", async () => {
    const path = await file("plain.json", JSON.stringify([[say("from file")]]));
    const model = await scriptFile(path);
    expect(model.id).toBe("script:plain.json");
    expect(await bench(model).dispatcher.run("go")).toMatchObject({ text: "from file" });
  });

  test("of JSON may declare the simple dialect", async () => {
    const block = { type: "tool_use", name: "computer", input: { action: "done", summary: "sum" } };
    const path = await file("simple.json", JSON.stringify({ dialect: "simple", replies: [[block]] }));
    expect(await bench(await scriptFile(path)).dispatcher.run("go")).toMatchObject({ text: "sum" });
  });

  test("that is a module exports a function or an array", async () => {
    const path = await file(
      "play.mjs",
      "export default (request) => [{ type: 'text', text: String(request.messages.length) }];",
    );
    expect(await bench(await scriptFile(path)).dispatcher.run("go")).toMatchObject({ text: "1" });
    const list = await file("list.mjs", "export default [[{ type: 'text', text: 'listed' }]];");
    expect(await bench(await scriptFile(list)).dispatcher.run("go")).toMatchObject({ text: "listed" });
  });

  test("is loaded by the given loader", async () => {
    const loaded: string[] = [];
    const load = async (path: string) => {
      loaded.push(path);
      return { default: [[say("loaded")]] };
    };
    const model = await scriptFile("/nowhere/x.ts", { load });
    expect(await bench(model).dispatcher.run("go")).toMatchObject({ text: "loaded" });
    expect(loaded).toEqual(["/nowhere/x.ts"]);
  });

  test.each([
    ["bad.json", "{", "is not JSON"],
    ["none.json", "{}", "gives no replies"],
    ["five.json", "5", "gives no replies"],
    ["shape.json", '[[{"type":"text","text":"ok"}],{"content":[],"stop":"x"}]', "shape.json, reply 2"],
    ["shape2.json", '[{"content":[{"type":"tool_use"}]}]', "shape2.json, reply 1"],
    ["dialect.json", '{"dialect":"done","replies":[]}', 'the dialect "done"'],
    ["script.txt", "[]", "must be a .json"],
    ["throws.mjs", "throw new Error('boom');", "cannot be loaded"],
    ["no-default.mjs", "export const x = 1;", "gives no replies"],
  ])("%s is refused: %s", async (name, text, words) => {
    const path = await file(name, text);
    await expect(scriptFile(path)).rejects.toMatchObject({
      name: "ConfigurationError",
      message: expect.stringContaining(words),
    });
  });

  test("that is not there is refused", async () => {
    await expect(scriptFile(join(folder, "none.json"))).rejects.toThrow(/does not exist/);
  });
});
