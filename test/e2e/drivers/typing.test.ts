// Text typed by the driver, compared with what the program itself received.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DriverAction } from "../../../src/contract/driver-protocol.js";
import type { VirtualDesktopOptions, VirtualSession } from "../../../src/runtime/drivers/index.js";
import { builtDrivers, builtPermitted } from "../../tools/built.js";
import { type InputState, readInputState } from "../../tools/input-state.js";

const { virtualDesktop } = await builtDrivers();
const { mintPermitted } = await builtPermitted();
const folder = mkdtempSync(join(tmpdir(), "typing-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const perform = (session: VirtualSession, action: DriverAction) => session.perform(mintPermitted(action));
const middle = { x: 400, y: 300 };

async function withDesktop(
  options: VirtualDesktopOptions,
  use: (session: VirtualSession) => Promise<void>,
): Promise<void> {
  const session = await virtualDesktop(options).open({ size: { width: 800, height: 600 } });
  try {
    await use(session);
  } finally {
    await session.close();
  }
}

/** Types into xterm running cat, ends the file with ctrl+d, and gives the file. */
async function typeIntoTerminal(session: VirtualSession, text: string): Promise<string> {
  const file = join(folder, "terminal.txt");
  rmSync(file, { force: true });
  const app = await session.startApp({
    argv: ["xterm", "-u8", "-e", "sh", "-c", `stty -echo; cat > ${file}`],
  });
  await perform(session, { kind: "type", text });
  if (!text.endsWith("\n")) await perform(session, { kind: "key", modifiers: ["ctrl"], key: "d", repeat: 1 });
  await perform(session, { kind: "key", modifiers: ["ctrl"], key: "d", repeat: 1 });
  await app.ended;
  return readFileSync(file, "utf8");
}

/** Types into a GTK entry, which prints its text when Return is pressed. */
async function typeIntoEntry(session: VirtualSession, text: string): Promise<string> {
  const file = join(folder, "entry.txt");
  const app = await session.startApp({
    argv: ["sh", "-c", `exec zenity --entry --title Entry --text Name > ${file}`],
  });
  await perform(session, { kind: "type", text });
  await perform(session, { kind: "key", modifiers: [], key: "Return", repeat: 1 });
  expect((await app.ended).code).toBe(0);
  return readFileSync(file, "utf8").replace(/\n$/, "");
}

const ascii = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join("");
const cyrillic =
  "Съешь же ещё этих мягких французских булок, да выпей чаю. АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ";
/** More different characters than there are spare places at once. */
const han = Array.from({ length: 130 }, (_, n) => String.fromCodePoint(0x4e00 + 37 * n)).join("");

const samples: Readonly<Record<string, string>> = {
  "the sentence of the demo": `O'Brien & Söhne <a@b.c> 100% #1 "x" 日本`,
  "every printable ASCII character": ascii,
  "shifted symbols between letters": `A:!@"#:~_{}|<>?; aB`,
  "leading and trailing blanks": "  indented  text  ",
  "what other libraries take for Return": "Ċഊ and ŲŭĠĭŲŦ",
  "emoji and an astral letter": "😀🤣𝔘",
  "accents, one and two characters long, not normalised": "é e\u0301 ﬁ fi ñ ø ß ÿ",
  "Cyrillic, both cases": cyrillic,
  "more characters than spare keycodes": han,
  "shell metacharacters": "$VAR `id` $(id) \\n %s %n $" + "{API_KEY} {{cap}} ; rm -rf /",
};

describe.each(["us", "de"])("layout %s", (layout) => {
  let session: VirtualSession;
  let before: InputState;
  beforeAll(async () => {
    session = await virtualDesktop({ layout }).open({ size: { width: 800, height: 600 } });
    before = await readInputState(session);
  });
  afterAll(() => session.close());

  test.each(Object.entries(samples))("%s, in a terminal and in a GTK entry", async (_, text) => {
    expect(await typeIntoTerminal(session, text)).toBe(text);
    expect(await typeIntoEntry(session, text)).toBe(text);
    const after = await readInputState(session);
    expect(after.keymap, "the keyboard map is as it was").toEqual(before.keymap);
    expect([after.keys, after.mask]).toEqual([[], 0]);
  });
});

test("three thousand characters, lines and tabs", async () => {
  const words = "The quick brown fox, Größe 42 & \t日本 <jumps> over 'the' lazy dog!\n";
  const text = words.repeat(Math.ceil(3000 / words.length));
  await withDesktop({}, async (session) => {
    expect(await typeIntoTerminal(session, text)).toBe(text);
  });
});

test("every character whose code ends like that of Return or Tab", async () => {
  const codes = Array.from({ length: 256 }, (_, high) => [256 * high + 0x0a, 256 * high + 0x09]).flat();
  const text = codes
    .map((code) => String.fromCharCode(code))
    .filter((character) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(character))
    .join("");
  expect(text.length).toBeGreaterThan(200);
  await withDesktop({}, async (session) => {
    expect(await typeIntoTerminal(session, text)).toBe(text);
  });
});

test("a layout whose only group has no Latin letters", async () => {
  await withDesktop({ layout: "ru" }, async (session) => {
    expect(await typeIntoEntry(session, "привет Hello ЯйцО №1")).toBe("привет Hello ЯйцО №1");
  });
});

test("without a focused window nothing is typed; after a click into one, it is", async () => {
  await withDesktop({}, async (session) => {
    await expect(perform(session, { kind: "type", text: "lost" })).rejects.toMatchObject({
      code: "E_STATE",
      events: 0,
    });
    const app = await session.startApp({
      argv: ["sh", "-c", `exec zenity --entry > ${join(folder, "click.txt")}`],
    });
    await perform(session, { kind: "click", at: middle, button: "left", count: 1, modifiers: [] });
    await perform(session, { kind: "type", text: "found\n" });
    await app.ended;
    expect(readFileSync(join(folder, "click.txt"), "utf8")).toBe("found\n");
  });
});

test("typing stops where it is cancelled, between two chunks, and the count is the truth", async () => {
  const file = join(folder, "cancelled.txt");
  await withDesktop({}, async (session) => {
    await session.startApp({ argv: ["xterm", "-e", "sh", "-c", `stty -icanon; cat > ${file}`] });
    const controller = new AbortController();
    const typing = session.perform(mintPermitted({ kind: "type", text: "x".repeat(5000) }), {
      signal: controller.signal,
    });
    typing.catch(() => {});
    await expect.poll(() => readFileSync(file, "utf8").length, { timeout: 10_000 }).toBeGreaterThan(0);
    controller.abort();
    const error = await typing.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "E_INDETERMINATE" });
    const { events } = error as { events: number };
    expect(events).toBeLessThan(10_000);
    expect(events % 40).toBe(0);
    await session.settle(100, 2000);
    expect(readFileSync(file, "utf8")).toBe("x".repeat(events / 2));
  });
});

test("typing stops when another window takes the focus; at most twenty characters go there", async () => {
  const [meant, taker] = [join(folder, "meant.txt"), join(folder, "taker.txt")];
  const cat = (file: string) => ["xterm", "-e", "sh", "-c", `stty -icanon; cat > ${file}`];
  await withDesktop({}, async (session) => {
    await session.startApp({ argv: cat(meant) });
    const typing = perform(session, { kind: "type", text: "x".repeat(5000) });
    typing.catch(() => {});
    await expect.poll(() => readFileSync(meant, "utf8").length, { timeout: 20_000 }).toBeGreaterThan(0);
    await session.startApp({ argv: cat(taker) });
    const error: unknown = await typing.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "E_INDETERMINATE", message: expect.stringContaining("focus left") });
    const { events } = error as { events: number };
    expect(events).toBeLessThan(10_000);
    await session.settle(100, 2000);
    // What is sent between two looks, twenty characters, may come too late for the first window.
    const [reached = "", strayed = ""] = [meant, taker].map((file) => readFileSync(file, "utf8"));
    expect(reached + strayed).toBe("x".repeat(events / 2));
    expect(strayed.length).toBeLessThanOrEqual(20);
  });
});
