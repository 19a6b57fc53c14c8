import { describe, expect, it } from "vitest";
import { BUILD_CODE_LIST } from "../../src/diagnostics/build-codes.js";
import { RUN_CODE_LIST } from "../../src/diagnostics/run-codes.js";
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
    [["run", "--goal", "x"], /missing required argument 'module'/],
    [["run", "a.ts"], /required option '--goal/],
    [["run", "a.ts", "--goal", " "], /empty/],
    [["run", "a.ts", "b.ts", "--goal", "x"], /too many arguments/],
    [["run", "a.ts", "--goal", "x", "--max-turns", "0"], /whole number from 1 to 10000/],
    [["run", "a.ts", "--goal", "x", "--max-turns", "-1"], /whole number/],
    [["run", "a.ts", "--goal", "x", "--max-turns", "1.5"], /whole number/],
    [["run", "a.ts", "--goal", "x", "--max-turns", "3abc"], /whole number/],
    [["run", "a.ts", "--goal", "x", "--max-turns", "1e400"], /whole number/],
    [["run", "a.ts", "--goal", "x", "--max-turns", "Infinity"], /whole number/],
    [["run", "a.ts", "--goal", "x", "--max-turns", "10001"], /whole number/],
    [["run", "a.ts", "--goal", "x", "--model", "gpt"], /anthropic:ID/],
    [["run", "a.ts", "--goal", "x", "--model", "script:"], /script:FILE/],
    [["run", "a.ts", "--goal", "x", "--model", "anthropic:"], /anthropic:ID/],
    [["run", "a.ts", "--goal", "x", "--desktop", "real"], /virtual or fake or host/],
    [["run", "a.ts", "--goal", "x", "--desktop", "Virtual"], /did you mean virtual/],
    [["run", "a.ts", "--goal", "x", "--driver", "robotjs"], /x11 or nut/],
    [["run", "a.ts", "--goal", "x", "--unproved"], /--desktop host --driver nut/],
    [["run", "a.ts", "--goal", "x", "--driver", "nut", "--unproved"], /--desktop host --driver nut/],
    [["run", "a.ts", "--goal", "x", "--app", "a; b"], /shell/],
    [["run", "a.ts", "--goal", "x", "--app", "a", "--desktop", "fake"], /does not go with/],
    [["run", "a.ts", "--goal", "x", "--app", "a", "--desktop", "host"], /does not go with/],
    [["run", "a.ts", "--goal", "x", "--driver", "x11", "--desktop", "fake"], /does not go with/],
    [["run", "a.ts", "--goal", "x", "--stream", "--model", "replay:x"], /does not go with/],
    [["run", "a.ts", "--goal", "x", "--state", "d"], /--state is not in this version/],
    [["run", "a.ts", "--goal", "x", "--trace", "-"], /starts with a dash/],
    [["run", "a.ts", "--goal", "x", "--verbose"], /unknown option/],
    [["run", "--", "-a.ts", "--goal", "x"], /./],
    [["build", "--out", "-"], /starts with a dash/],
    [["build", "--out="], /empty/],
    [["build", "--summary"], /--summary is not in this version/],
    [["explain", "CU9999"], /no code/],
    [["explain", "toString"], /no code/],
    [["explain", "CU6017", "CU6018"], /too many arguments/],
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

describe("an API key on the command line", () => {
  const secret = "sk-ant-api03-CANARY-0123456789";
  it.each([
    [["run", "a.ts", "--goal", "x", `--api-key=${secret}`]],
    [["run", "a.ts", "--goal", "x", "--api-key", secret]],
    [["run", "a.ts", "--goal", "x", "--model", secret]],
    [["run", "a.ts", "--goal", "x", "--model", `anthropic:${secret}`]],
    [["run", "a.ts", "--goal", "x", `--agent=--${secret}`]],
    [["run", "a.ts", "--goal", `log in with ${secret}`]],
    [["explain", secret]],
    [[secret]],
  ])("is refused and never printed: %#", async (argv) => {
    const ran = await runCli(argv);
    expect(ran.code).toBe(2);
    expect(ran.stdout + ran.stderr).not.toContain("CANARY");
    expect(ran.stderr).toMatch(/an argument holds an API key/);
  });

  it("is that of the environment too, as a part of a goal; a short one may stand there by chance", async () => {
    const argv = ["run", "missing.ts", "--goal", "say hunter2-hunter2 aloud"];
    const whole = await runCli(argv, { env: { ANTHROPIC_API_KEY: "hunter2-hunter2" } });
    expect(whole.stderr).toMatch(/an argument holds an API key/);
    const short = await runCli(argv, { env: { ANTHROPIC_API_KEY: "say" } });
    expect(short.stderr).toMatch(/missing\.ts/);
    expect([whole.code, short.code]).toEqual([2, 2]);
  });

  it("is not printed when it is that of the environment, whatever it looks like", async () => {
    const ran = await runCli(["run", "a.ts", "--goal", "x", "--model", "hunter2-CANARY"], {
      env: { ANTHROPIC_API_KEY: "hunter2-CANARY" },
    });
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain("CANARY");
  });
});

describe("explain", () => {
  it("answers for codes of the build and of a run, and for Mighty's numbers", async () => {
    const own = await runCli(["explain", "CU6017"]);
    expect(own).toMatchObject({ code: 0, stderr: "" });
    expect(own.stdout).toContain("no capability declared");
    expect((await runCli(["explain", "MT6017"])).stdout).toBe(own.stdout);
    expect((await runCli(["explain", "E_BOUNDS"])).stdout).toContain("onViolation");
  });

  it("lists every code when none is named", async () => {
    const { stdout } = await runCli(["explain"]);
    for (const code of [...BUILD_CODE_LIST, ...RUN_CODE_LIST]) expect(stdout).toContain(`${code} `);
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
