import { describe, expect, it } from "vitest";
import { runCli } from "./fake-io.js";

describe("a command line that asks for something else", () => {
  const refused: readonly (readonly [argv: readonly string[], message: RegExp])[] = [
    [["bogus"], /unknown command 'bogus'/],
    [["gat"], /gate/],
    [["--json"], /unknown option '--json'/],
    [["--spec", "x", "gate"], /unknown option '--spec'/],
    [["gate"], /required option '--spec/],
    [["gate", "--spec"], /argument missing/],
    [["gate", "--spec", "s", "--agent", "A", "more"], /too many arguments/],
    [["gate", "--spec", "s", "--agent", "A", "--dry"], /unknown option '--dry'/],
    [["gate", "--spec", "-", "--agent", "A"], /starts with a dash/],
    [["gate", "--spec=-x", "--agent", "A"], /starts with a dash/],
    [["gate", "--spec", "", "--agent", "A"], /empty/],
    [["gate", "--spec", "s", "--spec", "t", "--agent", "A"], /given twice/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", "1"], /X,Y/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", "1,2,3"], /X,Y/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", "1e2,5"], /X,Y/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", "0x10,5"], /X,Y/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", "80abc,5"], /X,Y/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", " 1,5"], /X,Y/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", "-1,5"], /X,Y/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", "NaN,5"], /X,Y/],
    [["gate", "--spec", "s", "--agent", "A", "--cursor", "99999999999999999999,5"], /X,Y/],
    [["trace"], /Usage: capuchin trace/],
    [["trace", "verify"], /missing required argument/],
    [["trace", "verify", "--", "-x"], /starts with a dash/],
    [["trace", "verify", "a", "b"], /too many arguments/],
    [["trace", "replay", "d"], /not in this version/],
    [["lock", "--check"], /capuchin lock is not in this version/],
    [["mcp", "--spec", "s"], /capuchin mcp is not in this version/],
  ];
  it.each(refused)("%j is answered with exit 2 on standard error", async (argv, message) => {
    const ran = await runCli(argv);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toMatch(message);
  });

  it("never sends what it was given to the terminal unescaped", async () => {
    for (const argv of [["\u001b[2J"], ["trace", "--\u009b31m"], ["trace", "show", "/no\u202ewhere"]]) {
      const { stderr } = await runCli(argv);
      expect(stderr).toMatch(/\\u\{/);
      expect(stderr).not.toMatch(/[^\n\x20-\x7e]/);
    }
  });
});

describe("help and version", () => {
  it.each([
    [["--help"]],
    [["help"]],
    [["gate", "--help"]],
    [["help", "gate"]],
    [["trace", "show", "--help"]],
  ])("%j prints help on standard output and exits 0", async (argv) => {
    const ran = await runCli(argv);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^Usage: capuchin/);
  });

  it("prints the version of the package", async () => {
    expect((await runCli(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("prints help on standard error and exits 2 when no command is named", async () => {
    const ran = await runCli([]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^Usage: capuchin/);
  });
});
