// Reads the `.cases` files under test/fixtures/checker: many small projects in one text.
//
//   === ID title | CU6051          a case; codes after the bar are findings without a line
//   --- path                       a file of its project
//   --- options                    a.ts whose agent A is declared with these options, one variant a line
//   --- member                     a.ts whose agent A has a member with this body
//   --- before                     what stands in a.ts before the class, in the next `options` or `member`

export interface Case {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly projectCodes: readonly string[];
}

const IMPORT = 'import { computer, computerUse } from "capuchin";\n';
const RUN = "  async run(goal: string) { return computer.run(this, goal); }\n";
const OPTIONS = '{ width: 1280, height: 800, cap: "computer.screen" }';

function agentFile(before: string, options: string, body: string, mark = ""): string {
  const member = body === "" ? "" : `  async act() {\n${body}  }\n`;
  return `${IMPORT}${before}@computerUse(${options})${mark}\nexport class A {\n${RUN}${member}}\n`;
}

function splitMark(line: string): [string, string] {
  const at = line.indexOf("// ~ ");
  return at < 0 ? [line, ""] : [line.slice(0, at).trimEnd(), ` ${line.slice(at)}`];
}

/** The cases of a text, in order; an `options` section gives one case a line. */
export function readCases(text: string): Case[] {
  const cases: Case[] = [];
  for (const block of text.split(/^=== /m).slice(1)) {
    const [head = "", ...rest] = block.split("\n");
    const [title = "", codes = ""] = head.split("|");
    const projectCodes = codes.match(/CU\d{4}/g) ?? [];
    const files: Record<string, string> = {};
    let before = "";
    const variants: string[] = [];
    for (const section of rest.join("\n").split(/^--- /m).slice(1)) {
      const end = section.indexOf("\n");
      const name = section.slice(0, end).trim();
      const body = section.slice(end + 1).replace(/\n+$/, "\n");
      if (name === "before") before = body;
      else if (name === "member") files["a.ts"] = agentFile(before, OPTIONS, body);
      else if (name === "options") variants.push(...body.split("\n").filter((line) => line.trim() !== ""));
      else files[name] = body;
    }
    if (variants.length === 0) cases.push({ id: title.trim(), files, projectCodes });
    for (const variant of variants) {
      const [options, mark] = splitMark(variant);
      cases.push({
        id: `${title.trim()}: ${options}`,
        files: { ...files, "a.ts": agentFile(before, options, "", mark) },
        projectCodes,
      });
    }
  }
  return cases;
}
