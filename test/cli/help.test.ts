import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.js";
import { FakeIo, runCli } from "./fake-io.js";

const COMMANDS = /^ {2}([a-z]+)(?: |$)/;

function section(help: string, title: string): readonly string[] {
  const lines = help.split("\n");
  const start = lines.indexOf(title);
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.indexOf("");
  return end === -1 ? rest : rest.slice(0, end);
}

/** Every command there is, as the helps list them. */
async function commandPaths(path: readonly string[] = []): Promise<readonly (readonly string[])[]> {
  const { stdout } = await runCli([...path, "--help"]);
  const names = section(stdout, "Commands:").flatMap((line) => COMMANDS.exec(line)?.[1] ?? []);
  const below = await Promise.all(
    names.filter((name) => name !== "help").map((name) => commandPaths([...path, name])),
  );
  return [path, ...below.flat()];
}

const PATHS = await commandPaths();

describe("the help of every command", () => {
  it("is found by walking", () => {
    const known = PATHS.map((path) => path.join(" "));
    expect(known).toEqual(
      expect.arrayContaining(["check", "build", "explain", "run", "gate", "trace verify"]),
    );
  });

  it.each(PATHS.map((path) => [path.join(" ") || "capuchin", path] as const))(
    "%s: purpose, arguments and flags described, examples, exit codes, within 100 columns",
    async (_name, path) => {
      const { code, stdout, stderr } = await runCli([...path, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
      expect(stdout.split("\n")[2], "its purpose").toMatch(/^\S.{15,}/);
      for (const title of ["Arguments:", "Options:", "Commands:"]) {
        for (const line of section(stdout, title)) expect(line, line).toMatch(/^ {2,}\S.* {2}\S|^ {10,}\S/);
      }
      const examples = section(stdout, "Examples:");
      expect(examples.length).toBeGreaterThan(0);
      for (const line of examples) expect(line).toContain(["capuchin", ...path].join(" "));
      // A command that serves until it is told to end has no 0.
      const codes = section(stdout, "Exit codes:").map((line) => line.trim().split(" ")[0]);
      expect(codes).toContain("2");
      expect(codes.length).toBeGreaterThan(1);
      expect((await runCli(["help", ...path])).stdout).toBe(stdout);
    },
  );

  it("fits a narrow terminal as well", async () => {
    const io = new FakeIo("/");
    io.stdout.isTerminal = true;
    io.stdout.columns = 70;
    expect(await runCommandLine(["help", "run"], io)).toBe(0);
    const flags = io.stdout.text.split("\nExamples:")[0] ?? "";
    for (const line of flags.split("\n")) expect(line.length, line).toBeLessThanOrEqual(70);
  });

  it("looks like this", async () => {
    expect((await runCli(["gate", "--help"])).stdout).toBe(`Usage: capuchin gate [options]

dry run: tool_use blocks in (JSON lines), verdicts out; nothing is executed

Options:
  --spec <file>   the spec that capuchin build wrote; required
  --agent <name>  the agent whose declaration judges; not needed where the spec has only one
  --cursor <x,y>  where the pointer is at the start; unknown without it
  -h, --help      show help

Examples:
  capuchin gate --spec computer-use.json --agent FormFiller < calls.jsonl
  echo '{"name":"computer","input":{"action":"key","text":"ctrl+w"}}' | capuchin gate --spec S

Exit codes:
  0    every line is answered, whatever the verdicts
  1    whoever read the verdicts went away
  2    usage or configuration, or a fault of capuchin itself
`);
  });
});

describe("a word that is none", () => {
  it.each([
    [["gat"], /unknown command 'gat'\n\(Did you mean gate\?\)\n\(capuchin --help lists what it takes\)\n$/],
    [["frobnicate"], /unknown command 'frobnicate'\n\(capuchin --help/],
    [["trace", "shwo", "d"], /unknown command 'shwo'\n\(Did you mean show\?\)\n\(capuchin trace --help/],
    [
      ["run", "a.ts", "--gaol", "x"],
      /unknown option '--gaol'\n\(Did you mean --goal\?\)\n\(capuchin run --help/,
    ],
    [["run", "a.ts"], /'--goal <text>' not specified\n\(capuchin run --help lists what it takes\)\n$/],
    [["help", "bogus"], /capuchin has no command "bogus"; it has check, /],
    [["help", "trace", "shwo"], /capuchin trace has no command "shwo"; did you mean show\?/],
    [["help", "\u001b[2J"], /has no command "\\u\{1b\}/],
  ])("%j is told with what may be meant and where to read on", async (argv, message) => {
    const ran = await runCli(argv);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });
});
