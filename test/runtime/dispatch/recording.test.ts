import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordTo, replay } from "../../../src/runtime/dispatch/recording.js";
import { bench, call, closeAll, recorded, say } from "./setup.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "capuchin-recording-"));
});
afterEach(async () => {
  await closeAll();
  await rm(folder, { recursive: true, force: true });
});

const replies = () => [
  [call("left_click", { coordinate: [30, 40] }, { id: "c1" }), call("type", { text: "hé" }, { id: "c2" })],
  [say("All done.")],
];

async function record(dir: string) {
  const made = bench(recordTo(dir, recorded(replies())));
  await made.dispatcher.run("go");
  return made;
}

test("what was recorded plays again, with the same events", async () => {
  const dir = join(folder, "new");
  const first = await record(dir);
  const second = bench(replay(dir));
  expect(await second.dispatcher.run("go")).toMatchObject({ outcome: "completed", text: "All done." });
  expect(second.desktop.events).toEqual(first.desktop.events);
  expect(second.desktop.text).toBe("hé");
});

test("only its owner can read it", async () => {
  const dir = join(folder, "new");
  await record(dir);
  const names = await readdir(dir);
  expect(names.sort()).toEqual(["reply-00001.json", "reply-00002.json"]);
  for (const name of names) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
});

test("a recording is not written over", async () => {
  await record(folder);
  const again = bench(recordTo(folder, recorded(replies())));
  expect(await again.dispatcher.run("go")).toMatchObject({
    outcome: "failed",
    error: { message: expect.stringContaining("holds a recording already") },
  });
  expect(again.desktop.events).toEqual([]);
});

test("no recording, and one that has ended, are E_PROTOCOL", async () => {
  expect(await bench(replay(join(folder, "none"))).dispatcher.run("go")).toMatchObject({
    outcome: "failed",
    error: { code: "E_PROTOCOL", message: expect.stringContaining("reply-00001.json is not there") },
  });
  await record(folder);
  await rm(join(folder, "reply-00002.json"));
  expect(await bench(replay(folder)).dispatcher.run("go")).toMatchObject({
    outcome: "failed",
    error: { code: "E_PROTOCOL", message: expect.stringContaining("has ended") },
  });
});

test("a run that goes another way than the recorded one is not played on", async () => {
  await record(folder);
  const other = bench(replay(folder), {
    cap: "computer.screen + computer.input.pointer",
    onViolation: "refuse",
  });
  expect(await other.dispatcher.run("go")).toMatchObject({
    outcome: "failed",
    error: { code: "E_PROTOCOL", message: expect.stringContaining("another course of events") },
  });
});

test("a recording made for another tool is refused", async () => {
  await record(folder);
  expect(await bench(replay(folder), { model: "claude-opus-4-6" }).dispatcher.run("go")).toMatchObject({
    outcome: "failed",
    error: { message: expect.stringContaining("computer_toolset_20260801") },
  });
});

test.each([
  ["{", "is not JSON"],
  ["{}", "is malformed"],
])("a file of %j is refused", async (text, words) => {
  await writeFile(join(folder, "reply-00001.json"), text);
  expect(await bench(replay(folder)).dispatcher.run("go")).toMatchObject({
    error: { code: "E_PROTOCOL", message: expect.stringContaining(words) },
  });
});

test("a link in a file's place is not followed", async () => {
  const dir = join(folder, "real");
  await record(dir);
  const text = await readFile(join(dir, "reply-00001.json"), "utf8");
  await writeFile(join(folder, "elsewhere.json"), text);
  await symlink(join(folder, "elsewhere.json"), join(folder, "reply-00001.json"));
  expect(await bench(replay(folder)).dispatcher.run("go")).toMatchObject({
    error: { code: "E_PROTOCOL", message: expect.stringContaining("cannot be opened") },
  });
});
