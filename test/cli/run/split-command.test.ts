import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { splitCommand } from "../../../src/cli/run/split-command.js";

const words = (text: string) => {
  const reading = splitCommand(text);
  return reading.ok ? reading.words : reading.reason;
};

describe("splitCommand", () => {
  // What a shell makes of the same text is the reference.
  const texts = [
    "zenity --forms",
    "  a\t b  ",
    "a 'b c' \"d e\"",
    "a 'it'\\''s' x\"y\"z",
    "a \"\" ''",
    'a "q\\"q" "b\\\\b" "n\\n"',
    "a b\\ c \\'",
    "a 'back\\slash' '$HOME' '|'",
    "zenity --text='O\"Brien & Söhne' 日本",
  ];
  it.each(texts)("splits as a shell does: %s", (text) => {
    const out = execFileSync("sh", ["-c", `for word in ${text}; do printf '%s\\0' "$word"; done`], {
      encoding: "utf8",
    });
    expect(words(text)).toEqual(out.split("\0").slice(0, -1));
  });

  it.each([
    ["a; b", /shell/],
    ["a | b", /shell/],
    ["a > f", /shell/],
    ["a $HOME", /shell/],
    ["a `id`", /shell/],
    ["a & b", /shell/],
    ["a\nb", /shell/],
    ["a 'b", /never closed/],
    ['a "b', /never closed/],
    ["a \\", /backslash/],
    ["", /no program/],
    ["  ", /no program/],
    ["'' a", /no program/],
    ["a\0b", /NUL/],
  ])("refuses %j", (text, reason) => {
    expect(words(text)).toMatch(reason);
  });
});
