// Every report of the sections "Loop and API", "Lifecycle" and "Screenshots and observations" is played by a test whose
// name carries its id, or by the test that is named here, or cannot occur here for the reason that is given.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ids = (letter: string, numbers: string) => numbers.split(" ").map((number) => `${letter}${number}`);

const LOOP = ids("L", "1 3 5 6 8 9 10 11 13 14 15 16 17 19 20 21 22 23 24 25 26 27 28 31 33 35 36");
const LIFECYCLE = ids("Y", "1 2 3 4 5 7 8 11 12 14 15 16 17 18 19 20 21 22 23");
const SCREENSHOTS = ids("I", "2 3 4 6 7 8 9 10 11 14 16 17 18 19 21 22 23 24 25 26 27 29 30 31");
const ROWS = [...LOOP, ...LIFECYCLE, ...SCREENSHOTS];

/** Reports that a test plays without their id: the file under test/, and a part of the test's name. */
const PLAYED_BY: Readonly<Record<string, readonly [file: string, name: string]>> = {
  L23: [
    "runtime/dispatch/history-view.property.test.ts",
    "pruning alters no reply but for whole thinking blocks, breaks no pair and takes no message away",
  ],
  L26: ["runtime/dispatch/model-choice.test.ts", "$model with $tool is refused"],
  L27: ["runtime/dispatch/model-choice.test.ts", "another model at run keeps the tool where it takes it"],
  Y1: ["e2e/drivers/lifetime.test.ts", "with its keeper killed at the same moment"],
  Y2: ["e2e/drivers/environment.test.ts", "one driver for a display, under whatever name"],
  Y3: ["e2e/drivers/lifetime.test.ts", "the keeper killed: the parent cleans up and lives"],
  Y4: ["e2e/drivers/virtual-display.test.ts", "a lock and a dead socket of others do not matter"],
  Y5: ["e2e/drivers/virtual-display.test.ts", "two displays at once are two displays"],
  Y7: ["e2e/drivers/environment.test.ts", "no display, a dead one, a driver that is not there"],
  Y8: ["e2e/drivers/virtual-display.test.ts", "only who has the cookie is let in"],
  Y12: ["runtime/control/control-session.test.ts", "two sessions cannot both hold one display"],
  Y15: ["e2e/drivers/driver-death.test.ts", "stopped driver: the deadline ends it, before any event"],
  Y18: ["e2e/drivers/driver-death.test.ts", "X errors are failures of one action, not of the driver"],
  Y19: ["runtime/drivers/driver-server.test.ts", "%s ends the service"],
  Y20: ["e2e/drivers/driver-death.test.ts", "server killed: the display is lost"],
  Y21: ["runtime/control/control-session.test.ts", "B-023 a pointer that was moved away"],
  Y22: ["e2e/drivers/environment.test.ts", "a rival that keeps moving the pointer: no press"],
  I2: ["runtime/dispatch/pictures/refused.test.ts", "pictures go, oldest first, and the run goes on"],
  I3: ["runtime/dispatch/pictures/refused.test.ts", "pictures go, oldest first, and the run goes on"],
  I4: ["runtime/dispatch/pictures/picture-maker.test.ts", "a larger one is scaled"],
  I6: ["runtime/dispatch/history.test.ts", "many bytes in few pictures are pruned too"],
  I7: ["runtime/dispatch/pictures/picture-maker.test.ts", "the file's own bytes say what it is"],
  I8: ["runtime/dispatch/pictures/picture-maker.test.ts", "the file's own bytes say what it is"],
  I9: ["e2e/drivers/virtual-display.test.ts", "settle sees a changing screen and a quiet one"],
  I16: ["e2e/drivers/nut-display.test.ts", "its native part is in the driver's process and not in ours"],
  I19: ["runtime/drivers/displays.test.ts", "a missing program is named with the line that installs it"],
  I22: ["runtime/store/trace-journal.test.ts", "creates the folder and what is in it"],
  I27: ["runtime/dispatch/history.test.ts", "pictures go in batches"],
  I29: ["runtime/store/trace-journal.test.ts", "keeps a frame once, under the hash of its bytes"],
};

/** Reports of what is not here. */
const CANNOT_OCCUR: Readonly<Record<string, string>> = {
  Y11: "nothing of ours writes to uinput; X input is sent by XTEST within one server",
  Y14: "there is no permission to probe on a display of ours; macOS is unproved until its workflow has run",
  I14: "macOS only; unproved until its workflow has run",
  I17: "the run API captures a display, not a window; windows are later work and answer E_UNSUPPORTED",
  I21: "captures are buffers of the JavaScript heap, handed on and let go; no native buffer is kept to be freed",
  I26: "no accessibility tree is read yet, so that no token of a page could differ from its picture",
};

const folder = fileURLToPath(new URL("..", import.meta.url));

function testsUnder(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const full = join(path, entry.name);
    if (entry.isDirectory()) return entry.name === "fixtures" ? [] : testsUnder(full);
    return /\.test\.ts$/.test(entry.name) && entry.name !== "bug-coverage.test.ts" ? [full] : [];
  });
}

/** Ids at the start of a name, or in brackets within it. */
const named = new Set(
  testsUnder(folder).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const first = [...text.matchAll(/"((?:[LYI]\d{1,2} )+)/g)].map((match) => match[1] ?? "");
    const inBrackets = [...text.matchAll(/\[([^\]\n"]*)\]/g)].map((match) => match[1] ?? "");
    return [...first, ...inBrackets].flatMap((part) => part.match(/\b[LYI]\d{1,2}\b/g) ?? []);
  }),
);

describe("the bug reports", () => {
  it.each(ROWS)("%s is played, or it is said why it cannot occur", (id) => {
    expect(named.has(id) || Object.hasOwn(PLAYED_BY, id) || Object.hasOwn(CANNOT_OCCUR, id)).toBe(true);
  });

  it.each(Object.entries(PLAYED_BY))("%s is played by %j", (id, [file, name]) => {
    expect(ROWS).toContain(id);
    expect(readFileSync(join(folder, file), "utf8")).toContain(name);
  });

  it.each(Object.entries(CANNOT_OCCUR))("%s cannot occur: %s", (id) => {
    expect(ROWS).toContain(id);
    // A report that a test plays after all must leave this list.
    expect(named.has(id) || Object.hasOwn(PLAYED_BY, id)).toBe(false);
  });

  it("are each listed once", () => {
    expect(new Set(ROWS).size).toBe(ROWS.length);
    expect([LOOP.length, LIFECYCLE.length, SCREENSHOTS.length]).toEqual([27, 19, 24]);
  });
});
