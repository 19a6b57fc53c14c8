// C-005: a number is whole decimal digits within its range, in every option of every command that takes one. The options
// are found in the helps, so that a new one is tried as well.
import { describe, expect, it } from "vitest";
import { runCli } from "./fake-io.js";

/** How a help writes the value of a numeric option. */
const NUMBER_PLACEHOLDER = /^ {2,}(?:-\w, )?(--[a-z-]+) <(?:n|number|port|ms|seconds|count|x,y)>/;

const WRONG = [
  ...[
    "80abc",
    "-1",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "1e2",
    "0x10",
    "0b1",
    "1_000",
    "1.5",
    ".5",
    "5.",
  ],
  ...[
    "+5",
    " 5",
    "5 ",
    "05",
    "",
    "٣",
    "9".repeat(17),
    "9007199254740993",
    "99999999999999999999",
    "1,2,3",
    "5;id",
  ],
];

async function helpsOf(
  path: readonly string[] = [],
): Promise<readonly (readonly [readonly string[], string])[]> {
  const { stdout } = await runCli([...path, "--help"]);
  const listed = /\nCommands:\n((?: {2}.*\n)+)/.exec(stdout)?.[1] ?? "";
  const names = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1] ?? "");
  const below = await Promise.all(
    names.filter((name) => name !== "help").map((name) => helpsOf([...path, name])),
  );
  return [[path, stdout], ...below.flat()];
}

const OPTIONS = (await helpsOf()).flatMap(([path, help]) =>
  help.split("\n").flatMap((line) => {
    const flag = NUMBER_PLACEHOLDER.exec(line)?.[1];
    return flag === undefined ? [] : [[path, flag] as const];
  }),
);

describe("numeric options", () => {
  it("C-005 are found in the helps", () => {
    const found = OPTIONS.map(([path, flag]) => `${path.join(" ")} ${flag}`);
    expect(found).toEqual(expect.arrayContaining(["run --max-turns", "gate --cursor"]));
  });

  it.each(OPTIONS)("C-005 %j %s refuses everything else, and takes a number", async (path, flag) => {
    for (const wrong of WRONG) {
      const value = flag === "--cursor" && !wrong.includes(",") ? `${wrong},5` : wrong;
      const ran = await runCli([...path, `${flag}=${value}`, "x"]);
      expect(ran, `${flag}=${value}`).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr, `${flag}=${value}`).toMatch(/whole number|starts with a dash|empty|X,Y/);
    }
    // The twin: the number is not what it complains of.
    const right = await runCli([...path, `${flag}=${flag === "--cursor" ? "5,5" : "5000"}`, "x"]);
    expect(right.stderr).not.toMatch(/whole number|X,Y/);
  });

  it.each([["run", "--max-turns", ["1", "10000"], ["0", "10001"]]])(
    "C-005 %s %s ends at its limits",
    async (command, flag, right, wrong) => {
      for (const value of wrong) {
        expect((await runCli([command, "a.ts", "--goal", "g", flag, value])).stderr).toMatch(
          /whole number from/,
        );
      }
      for (const value of right) {
        expect((await runCli([command, "a.ts", "--goal", "g", flag, value])).stderr).toMatch(
          /does not exist/,
        );
      }
    },
  );

  it("C-005 options that no command has are unknown, whatever they hold", async () => {
    for (const option of ["--port=80abc", "--display=:99; id", "--timeout=1e400", "--quota=Infinity"]) {
      for (const command of ["run", "check", "build", "gate"]) {
        const ran = await runCli([command, option]);
        expect(ran).toMatchObject({ code: 2, stdout: "" });
        expect(ran.stderr).toMatch(/unknown option '--[a-z]+(?:=[^']*)?'/);
      }
    }
  });
});
