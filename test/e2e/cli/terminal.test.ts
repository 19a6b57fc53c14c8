// What reaches a terminal, byte by byte: nothing of a model, a screen, a program or a file acts on it; a line that is
// drawn over leaves nothing behind; a pipe gets plain lines.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Screen } from "../../cli/terminal/screen.js";
import { distFolder } from "../../tools/built.js";
import { runInTerminal } from "./in-terminal.js";
import { AGENT, PACKAGE, Project, tsconfig, turn } from "./project.js";

const MAIN = join(distFolder, "cli", "main.js");

/** Clipboard, link, title, device control, application and privacy strings, 8-bit forms, bidi, zero-width. */
const HOSTILE =
  "\u001b]52;c;ZXZpbA==\u0007 \u001b]8;;http://evil\u0007ok\u001b]8;;\u0007 \u001bPq\u001b\\ \u001b_a\u001b\\ \u001b^p\u001b\\ \u001bXs\u001b\\ \u009b2J \u009d0;t\u009c \u202egnp\u200b\u2028\r\b";
const ESCAPED = "\\u{1b}]52;c;ZXZpbA==\\u{7}";

const RUN = ["run", "src/agent.ts", "--goal", "g", "--desktop", "fake", "--model", "script:script.json"];

function project(script: unknown, files: Record<string, string> = {}): Project {
  return new Project({
    "package.json": PACKAGE,
    "tsconfig.json": tsconfig(),
    "src/agent.ts": AGENT,
    "script.json": JSON.stringify(script),
    ...files,
  });
}

const HOSTILE_SCRIPT = [
  turn(HOSTILE, ["left_click", { coordinate: [10, 10] }], [`${HOSTILE}x`, {}]),
  turn(`bye ${HOSTILE}`),
];

/** Printable text and line feeds only: what a log, a pager or a terminal cannot be moved by. */
function expectHarmless(text: string): void {
  expect(text.replace(/[\x20-\x7e\n]/g, "").replace(/[–×…“”─‹›·]/g, "")).toBe("");
}

describe("text of others", () => {
  it("C-002 of a model is escaped in progress, result, JSON and the listing of the trace", async () => {
    const at = project(HOSTILE_SCRIPT);
    const ran = await at.run([...RUN, "--trace", "trace"]);
    expectHarmless(ran.stdout + ran.stderr);
    expect(ran.stderr).toContain(ESCAPED);
    const shown = await at.run(["trace", "show", "trace"]);
    expectHarmless(shown.stdout + shown.stderr);
    expect(shown.stdout).toMatch(/intact/);
    const json = await at.run([...RUN, "--json"]);
    expectHarmless(json.stdout + json.stderr);
    // The twin: a program that reads the document gets every character.
    const calm = project([turn(HOSTILE)]);
    const { stdout } = await calm.run([...RUN, "--json"]);
    expectHarmless(stdout);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "completed", text: HOSTILE });
  });

  it("C-002 of a source file, of an error and of a file's name is escaped", async () => {
    const at = project([], {
      "src/agent.ts": `${AGENT}\nthrow new Error(${JSON.stringify(HOSTILE)});\n`,
      "src/other\u202e.ts": `import { computerUse } from "capuchin";\n@computerUse({ cap: "computer.scren" }) export class B {} // ${HOSTILE.replace(/[\r\u2028]/g, "")}\n`,
    });
    const checked = await at.run(["check"]);
    expect(checked.code).toBe(1);
    expectHarmless(checked.stdout + checked.stderr);
    expect(checked.stdout).toContain("other\\u{202e}.ts");
    at.write("src/other\u202e.ts", "export {};\n");
    const ran = await at.run(RUN);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expectHarmless(ran.stderr);
    expect(ran.stderr).toContain(ESCAPED);
  });

  it("C-002 of a program on the virtual display is escaped, line by line", async () => {
    const at = project([turn("bye")], {
      "noisy.sh": `#!/bin/sh\nprintf 'out \\033]52;c;ZXZpbA==\\007\\n'\nprintf 'err \\033[2J\\233' >&2\nexec xterm -e sleep 60\n`,
    });
    const words = RUN.map((word) => (word === "fake" ? "virtual" : word));
    const ran = await at.run([...words, "--app", "sh noisy.sh"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`out ${ESCAPED}\n`);
    expect(ran.stderr).toMatch(/err \\u\{1b\}\[2J/);
    expectHarmless(ran.stderr.replaceAll("\ufffd", ""));
  });
});

describe("the progress of a run", () => {
  const SCRIPT = [
    turn(HOSTILE, ["left_click", { coordinate: [10, 10] }], ["wait", { duration: 1.2 }]),
    turn("bye"),
  ];

  it("C-002 on a terminal only draws over its last line, which is gone in the end", async () => {
    const at = project(SCRIPT);
    for (const columns of [80, 34]) {
      const { code, sent } = await runInTerminal([process.execPath, MAIN, ...RUN], {
        cwd: at.folder,
        columns,
      });
      expect(code).toBe(0);
      // A line drawn over ends where the next erasing begins: what is left between them was seen and is gone.
      const drawn = [
        ...sent.matchAll(
          /(?:^|\r\u001b\[K|\n)(?:\u001b\[2m)?([^\r\n\u001b]*)(?:\u001b\[0m)?(?=\r\u001b\[K)/g,
        ),
      ];
      expect(drawn.length).toBeGreaterThan(4);
      for (const [, text = ""] of drawn) expect([...text].length).toBeLessThan(columns);
      const screen = new Screen(1000);
      // The screen knows nothing but text, erasing to the end of the line and colours: anything else throws.
      screen.write(sent.replaceAll("\r\n", "\n"));
      const lines = screen.lines;
      expect(lines.at(-1)).toMatch(/^trace .*: \d+ records, head sha256:/);
      expect(lines).toContain("turn 1 of at most 30");
      expect(lines.filter((line) => /^turn \d+\/30/.test(line))).toEqual([]);
      expect(lines.some((line) => line.includes(ESCAPED))).toBe(true);
    }
  });

  it("respects NO_COLOR, TERM=dumb and FORCE_COLOR", async () => {
    const at = project([turn("bye")]);
    const inTerminal = (env: Record<string, string>) =>
      runInTerminal([process.execPath, MAIN, ...RUN], { cwd: at.folder, columns: 80, env });
    const plain = (await inTerminal({ NO_COLOR: "1" })).sent;
    expect(plain).toContain("\r\u001b[K");
    expect(plain).not.toMatch(/\u001b\[[0-9;]*m/);
    expect((await inTerminal({ TERM: "dumb" })).sent).not.toContain("\u001b");
    const forced = await at.run(RUN, { FORCE_COLOR: "1" });
    expect(forced.stderr).toMatch(/\u001b\[1mturn 1\u001b\[0m/);
    expect(forced.stderr).not.toMatch(/\r|\u001b\[K/);
  });

  it("leaves standard output to the result", async () => {
    const ran = await project(SCRIPT).run(RUN);
    expect(ran.stdout).toMatch(/^completed \(2 turns, 2 actions, [0-9:]+\)\n/);
    expect(ran.stderr).toMatch(/turn 1 of at most 30\n/);
    expectHarmless(ran.stdout + ran.stderr);
  });
});

describe("the progress of a check and a build", () => {
  it("is gone before the report, and no part of it", async () => {
    const at = project([]);
    for (const words of [["check"], ["build"]]) {
      const { code, sent } = await runInTerminal([process.execPath, MAIN, ...words], {
        cwd: at.folder,
        columns: 80,
        env: { NO_COLOR: "1" },
      });
      expect(code).toBe(0);
      expect(sent).toContain("reading the project");
      const screen = new Screen(1000);
      screen.write(sent.replaceAll("\r\n", "\n"));
      expect(screen.lines.join("\n")).not.toContain("reading the project");
    }
    const piped = await at.run(["check"]);
    expect(piped.stderr).toBe("");
    expect(readFileSync(at.path("computer-use.json"), "utf8")).toContain("Operator");
  });
});
