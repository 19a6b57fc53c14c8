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

type Edit = (dir: string) => Promise<void>;

async function rewrite(file: string, change: (value: Record<string, unknown>) => void): Promise<void> {
  const value = JSON.parse(await readFile(file, "utf8"));
  change(value);
  await writeFile(file, JSON.stringify(value));
}

const edits: readonly (readonly [string, Edit])[] = [
  [
    "another text to type",
    (dir) =>
      rewrite(join(dir, "reply-00001.json"), ({ reply }) => {
        const { content } = reply as { content: { name: string; input: { text: string } }[] };
        for (const block of content) if (block.name === "type") block.input.text = "rm -rf";
      }),
  ],
  [
    "an edited answer's shape",
    (dir) =>
      rewrite(join(dir, "reply-00001.json"), (file) => {
        file["shape"] = `sha256:${"0".repeat(64)}`;
      }),
  ],
  [
    "a number that JSON cannot write",
    async (dir) => {
      const file = join(dir, "reply-00001.json");
      await writeFile(file, (await readFile(file, "utf8")).replace(/"reply": \{/, '"reply": { "x": 1e400,'));
    },
  ],
];

test.each(edits)("an edited recording is noticed: %s [L-039]", async (_what, edit) => {
  const dir = join(folder, "new");
  await record(dir);
  await edit(dir);
  const again = bench(replay(dir));
  expect(await again.dispatcher.run("go")).toMatchObject({
    outcome: "failed",
    error: { code: "E_SPEC_DRIFT", message: expect.stringContaining("reply-00001.json was changed") },
  });
  expect(again.desktop.events).toEqual([]);
});

test("a file of another recording does not follow", async () => {
  await record(join(folder, "one"));
  await bench(
    recordTo(join(folder, "two"), recorded([[call("wait", { duration: 0 }, { id: "c1" })], [say("Done")]])),
  ).dispatcher.run("go");
  await writeFile(
    join(folder, "one", "reply-00002.json"),
    await readFile(join(folder, "two", "reply-00002.json"), "utf8"),
  );
  expect(await bench(replay(join(folder, "one"))).dispatcher.run("go")).toMatchObject({
    error: { code: "E_SPEC_DRIFT", message: expect.stringContaining("does not follow") },
  });
});

test("laid out anew it is the same recording", async () => {
  const dir = join(folder, "new");
  await record(dir);
  await rewrite(join(dir, "reply-00001.json"), () => {});
  expect(await bench(replay(dir)).dispatcher.run("go")).toMatchObject({ outcome: "completed" });
});

test("a recording without digests is said to be one", async () => {
  await record(folder);
  await rewrite(join(folder, "reply-00001.json"), (file) => {
    file["version"] = 1;
    delete file["digest"];
  });
  expect(await bench(replay(folder)).dispatcher.run("go")).toMatchObject({
    error: { code: "E_PROTOCOL", message: expect.stringContaining("record it anew") },
  });
});

test("declared secrets are masked in what is kept, and it still plays", async () => {
  const secret = "s3cr\u00e9t-canary";
  const secrets = [secret, "hidden_id"];
  const replies = [
    [
      { type: "text", text: `typing ${secret}` },
      call("type", { text: `x${secret}y`, [secret]: 1 }, { id: "c_hidden_id_1" }),
    ],
    [say("Done.")],
  ];
  const dir = join(folder, "new");
  const first = bench(recordTo(dir, recorded(replies), { secrets }), { onViolation: "refuse" });
  expect(await first.dispatcher.run("go")).toMatchObject({ outcome: "completed" });
  const kept = await readFile(join(dir, "reply-00001.json"), "utf8");
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain("hidden_id");
  expect(JSON.parse(kept).reply.content).toMatchObject([
    { text: "typing [secret]" },
    { id: "c__secret__1", input: { text: "x[secret]y", "[secret]": 1 } },
  ]);
  expect(await bench(replay(dir), { onViolation: "refuse" }).dispatcher.run("go")).toMatchObject({
    outcome: "completed",
  });
});

test("a secret that is split over two blocks is masked in both, in what is kept and in what is told", async () => {
  const replies = [[say("code: s3cr\u00e9t-ca"), say("nary, good"), say("code: s3cr\u00e9t")]];
  const dir = join(folder, "new");
  const secrets = ["s3cr\u00e9t-canary"];
  const made = bench(recordTo(dir, recorded(replies), { secrets }), {}, { secrets });
  expect(await made.dispatcher.run("go")).toMatchObject({ outcome: "completed" });
  const texts = ["code: [secret]", "[secret], good", "code: s3cr\u00e9t"];
  const kept = JSON.parse(await readFile(join(dir, "reply-00001.json"), "utf8"));
  expect(kept.reply.content).toMatchObject(texts.map((text) => ({ text })));
  expect(made.events).toContainEqual(
    expect.objectContaining({ type: "reply", untrustedText: texts.join("\n") }),
  );
});

test("what cannot be a secret is refused before anything is asked", () => {
  expect(() => recordTo(folder, recorded([]), { secrets: ["abc"] })).toThrow(
    /secret 1 of 1 has 3 characters/,
  );
});
