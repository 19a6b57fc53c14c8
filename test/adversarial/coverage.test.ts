// Every row of the adversarial catalogue, groups K, T, B, Q, F, S and L, is played by some test or is on the list of
// those that are not, with the reason. A row that loses its test fails here.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const numbers = (group: string, text: string) => text.split(" ").map((number) => `${group}-${number}`);

/** The catalogue's ids. Stable labels; they need not be consecutive. */
const ROWS: readonly string[] = [
  ...numbers(
    "K",
    "001 002 003 005 007 008 010 011 012 013 014 015 016 017 018 019 021 022 023 026 028 029 030 031 033 036 037 038 039 040 041 042 043 044 046 047 048 049 054 056 059 060 061 063 065 066 067 069 071 072 073",
  ),
  ...numbers("T", "002 003 004 005 006 007 009 010 012 013 015 016 018 021 023 024 025 026"),
  ...numbers(
    "B",
    "001 002 004 005 006 007 010 011 013 014 015 016 017 019 020 021 022 023 024 025 026 027 029 032 033 034 036 037 040 041 042 043 045 047 049 050 053 054",
  ),
  ...numbers("Q", "001 002 005 008 009 010 011 013 015 016 017 018 019 020 022 023"),
  ...numbers("F", "001 002 005 006 007 008 011 012 014 015 018 019 020 021 022 023 024 025 027"),
  ...numbers("S", "001 002 004 005 006 008 009 012 013 015 016 017 020 021 022"),
  ...numbers(
    "L",
    "001 003 004 005 006 007 008 009 010 011 012 014 016 017 020 021 022 023 026 028 029 030 033 034 037 038 039 040",
  ),
];

/** Rows played by tests that do not name them, and where. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "F-021": "the checker's tests of evaluation: an option that is not constant is CU6021",
  "F-022": "the checker's tests of aliases, namespaces, re-exports and escapes",
  "F-023": "the checker's tests of projects; a class absent from the spec is refused by launch",
  "F-024": "the checker's tests of reach; the gate refuses at run time (here, every E_GRANT row)",
  "S-016": "test/runtime/store/spec-file.test.ts",
  "S-017": "test/runtime/store/spec-file.test.ts",
  "Q-016": "test/runtime/dispatch: a goal run within a goal is E_STATE",
};

/** Rows that nothing can play yet, or that are decided otherwise, and why. */
const NOT_PLAYED: Readonly<Record<string, string>> = {
  "K-041":
    "keyboard modes of a foreign desktop: refused by the X11 driver at start (E_ENV_DRIFT), tested with the drivers",
  "K-071":
    "a keyboard map changed by another client: the X11 driver compares it before each action, tested with the drivers",
  "T-025":
    "documented residual: whoever types into a terminal of the display acts outside the gate (docs/security.md)",
  "B-026": "bounds are one rectangle; a list of them is refused by the schema (see S-008)",
  "B-042": "documented residual: keys reach widgets outside the bounds; the focus guard is later work",
  "B-043": "documented residual, as B-042",
  "B-049": "a resized display: E_ENV_DRIFT by the driver, tested with the drivers",
  "F-012": "documented as out of scope: code that replaces built-ins of this process is full code execution",
  "F-027": "a display of another size: E_ENV_DRIFT when it is opened, tested with the dispatcher",
  "L-038":
    "there is no approval window: an approver is a function of the host's process, and nothing of ours is drawn on the controlled display",
};

const folder = fileURLToPath(new URL("..", import.meta.url));

function filesUnder(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const full = join(path, entry.name);
    if (entry.isDirectory()) return entry.name === "fixtures" ? [] : filesUnder(full);
    return /\.ts$/.test(entry.name) && entry.name !== "coverage.test.ts" ? [full] : [];
  });
}

const named = new Set(
  filesUnder(folder).flatMap((file) => readFileSync(file, "utf8").match(/\b[KTBQFSL]-\d{3}\b/g) ?? []),
);

describe("the catalogue", () => {
  it.each(ROWS)("%s is played, or it is said why not", (id) => {
    const listed = Object.hasOwn(ELSEWHERE, id) || Object.hasOwn(NOT_PLAYED, id);
    expect(named.has(id) || listed).toBe(true);
  });

  it("has every row on one list at most, and no row that it does not know", () => {
    expect(new Set(ROWS).size).toBe(ROWS.length);
    for (const id of Object.keys(ELSEWHERE)) expect(Object.hasOwn(NOT_PLAYED, id), id).toBe(false);
    for (const id of [...Object.keys(ELSEWHERE), ...Object.keys(NOT_PLAYED)]) expect(ROWS).toContain(id);
  });

  it.each(Object.entries(NOT_PLAYED))("%s: %s", (id) => {
    // A row that a test plays after all must leave this list.
    const played = filesUnder(join(folder, "adversarial")).some((file) =>
      readFileSync(file, "utf8").includes(`"${id}`),
    );
    expect(played).toBe(false);
  });
});

/** Where an expected result is read otherwise than the catalogue has it. */
const DEVIATIONS: Readonly<Record<string, string>> = {
  "B-040":
    "cursor_position needs computer.screen, which CAP-D has, so there it is allowed; without the screen it is E_GRANT",
  "K-066":
    "ctrl+shift+u is refused where Return, Tab, Escape, BackSpace or Delete is denied, as in the fixture; the default list denies none of them",
  "K-072": "XF86Paste is E_KEY_UNKNOWN, not E_GRANT: no XF86 name is in the key table",
  "K-028": "null as the modifiers of a pointer action is the same as none",
  "L-022":
    "given up as E_PROTOCOL that may be tried again later, and the message says how long the server asked to wait",
  "L-039": "a run is not resumed; it is replayed from a recording, and one that was edited is E_PROTOCOL",
  "B-010":
    "in the loop a reply with a number that JSON cannot carry is no reply (E_PROTOCOL); it is asked again",
};

it.each(Object.entries(DEVIATIONS))("%s is read so: %s", (id) => {
  expect(named.has(id)).toBe(true);
});
