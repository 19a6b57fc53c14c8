// Text through the nut driver under three keyboard layouts: every character comes out as itself, in the recorder and in
// a program, or is refused before any event. Which are refused is pinned.
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { VirtualSession } from "../../../src/runtime/drivers/index.js";
import { builtConformance, builtDrivers, builtPermitted } from "../../tools/built.js";
import { startEventRecorder } from "../../tools/recorder.js";

const { virtualDesktop } = await builtDrivers();
const { mintPermitted } = await builtPermitted();
const { SAMPLE_TEXT } = await builtConformance();

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/**
 * What X.Org's map of the layout has on no key, behind AltGr, as a dead key, or on a key that none of nut-js's keysyms
 * finds: those with ß, ü, +, ö, ä, # and < on the German map, and those with ), ^, $, ù, *, ! and < on the French one.
 * Euro, CJK and the like are refused everywhere.
 */
const REFUSED = {
  us: "éüßñ",
  de: "#'*+<>?@[\\]^`{|}~éüßñ",
  fr: "!#$%)*<>@[\\]^`{|}~üßñ",
} as const;

async function open(layout: string): Promise<VirtualSession> {
  const session = await virtualDesktop({ driver: "nut", layout, appOutput: "ignore" }).open({
    size: { width: 600, height: 400 },
  });
  ends.push(() => session.close());
  return session;
}

const type = (session: VirtualSession, text: string) =>
  session.perform(mintPermitted({ kind: "type", text }));

/** An xterm that writes what is typed, line by line, into a file. */
async function writer(session: VirtualSession): Promise<() => string> {
  const folder = await mkdtemp(join(tmpdir(), "capuchin-nut-"));
  ends.push(() => rm(folder, { recursive: true }));
  const file = join(folder, "typed");
  await session.startApp({ argv: ["xterm", "-u8", "-e", "sh", "-c", 'stty -echo; exec cat >"$0"', file] });
  return () => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return "";
    }
  };
}

describe.each(Object.entries(REFUSED))("under the layout %s", (layout, refused) => {
  test("what is not refused arrives in a terminal, byte for byte", async () => {
    const session = await open(layout);
    const read = await writer(session);
    const all = [...SAMPLE_TEXT].filter((character) => !/[€я日😀\n\t]/u.test(character));
    const text = all.filter((character) => !refused.includes(character)).join("");
    await type(session, `${text}\nsecond line\n`);
    await expect.poll(read, { timeout: 10_000 }).toBe(`${text}\nsecond line\n`);
  });

  test("exactly these characters are refused, before any event", async () => {
    const session = await open(layout);
    await writer(session);
    const recorder = await startEventRecorder(session);
    ends.push(() => recorder.stop());
    const found: string[] = [];
    for (const character of SAMPLE_TEXT) {
      await recorder.clear();
      try {
        await type(session, character);
      } catch (error) {
        expect(error).toMatchObject({ code: "E_TEXT_UNSUPPORTED", events: 0 });
        expect(await recorder.events()).toEqual([]);
        found.push(character);
      }
    }
    expect(found.sort().join("")).toBe([...`${refused}€я日😀`].sort().join(""));
  });
});

test("a long line of letters arrives whole, and two texts at once do not mix", async () => {
  const session = await open("us");
  const read = await writer(session);
  const line = "the quick brown fox jumps over the lazy dog ".repeat(8);
  await Promise.all([type(session, `${line}\n`), type(session, `${"ABAB ".repeat(20)}\n`)]);
  await expect.poll(read, { timeout: 10_000 }).toBe(`${line}\n${"ABAB ".repeat(20)}\n`);
});

test("low bytes of other letters are never typed in their place", async () => {
  const session = await open("us");
  const read = await writer(session);
  // Cut to eight bits these spell `rm -rf`, and the last one is Return.
  for (const text of ["\u0172\u016d\u0120\u012d\u0172\u0166", "\u010a", "\u0d0a"]) {
    await expect(type(session, text)).rejects.toMatchObject({ code: "E_TEXT_UNSUPPORTED", events: 0 });
  }
  await type(session, "end\n");
  await expect.poll(read, { timeout: 10_000 }).toBe("end\n");
});
