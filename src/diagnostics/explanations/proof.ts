// Explanations of the codes about what an agent's code reaches, and about the comments that excuse them.
import type { Explanation } from "./explanation.js";

const PROMISE = "docs/checker.md, what is proved";

function agent(body: string, options = '{ cap: "computer.screen" }', before = ""): string {
  return `import { computer, computerUse } from "capuchin";
${before}
@computerUse(${options})
export class Reader {
  async run(goal: string) {
${body}    return computer.run(this, goal);
  }
}
`;
}

const CLICK = "    await computer.click(this, { x: 1, y: 2 });\n";
const BOTH = '{ cap: "computer.screen + computer.input.pointer" }';
const TYPED = "\nasync function look(agent: Reader) {\n  await computer.screenshot(agent);\n}\n";

export const PROOF_EXPLANATIONS = {
  CU6030: {
    cause:
      "The agent's code leads to a function of the run API whose word the agent does not declare. Every mention counts: in helpers, callbacks, dead branches and behind run-time checks.",
    wrong: agent(CLICK),
    right: agent(CLICK, BOTH),
    fix: "Declare the word if the agent may do this; else delete the call, wherever the path in the message leads.",
    source: PROMISE,
  },
  CU6031: {
    cause: "The first argument says which agent answers for a call. An untyped one says nothing.",
    wrong: agent("    await look(this);\n", undefined, TYPED.replace("Reader", "any")),
    right: agent("    await look(this);\n", undefined, TYPED),
    fix: "Give the argument the type of the agent's class.",
    source: PROMISE,
  },
  CU6032: {
    cause: "Once the handle has lost its type, nothing can say what is called on it.",
    wrong: agent("    console.log(computer);\n"),
    right: agent('    console.log("computer");\n'),
    fix: "Keep the type (`typeof computer`) in every slot that takes the handle, or call the function here.",
    source: PROMISE,
  },
  CU6033: {
    cause: "Code that is made or chosen while the program runs cannot be read when it is built.",
    wrong: agent('    new Function("return 1")();\n'),
    right: agent("    (() => 1)();\n"),
    fix: "Write the code out, and import modules by literal names.",
    source: PROMISE,
  },
  CU6034: {
    cause: "Only the types of a package are seen. What it does with the handle must be said by its summary.",
    wrong: {
      "agent.ts": agent("    look(computer);\n", undefined, 'import { look } from "looker";\n'),
      "node_modules/looker/package.json": '{ "name": "looker", "version": "1.0.0", "types": "index.d.ts" }',
      "node_modules/looker/index.d.ts":
        'import type { Computer } from "capuchin";\nexport declare function look(api: Computer): void;\n',
    },
    right: {
      "agent.ts": agent("    look(computer);\n", undefined, 'import { look } from "looker";\n'),
      "node_modules/looker/package.json": '{ "name": "looker", "version": "1.0.0", "types": "index.d.ts" }',
      "node_modules/looker/index.d.ts":
        'import type { Computer } from "capuchin";\nexport declare function look(api: Computer): void;\n',
      "node_modules/looker/capuchin.summary.json":
        '{ "version": 1, "exports": { "look": { "needs": ["computer.screen"] } } }',
    },
    fix: "Use a version that ships capuchin.summary.json, or do it in your own code.",
    source: PROMISE,
  },
  CU6035: {
    cause:
      "While a module is loaded no run is active, so the call can only fail, and no agent answers for it.",
    wrong: `${agent("")}
await computer.screenshot(new Reader());
`,
    right: `${agent("").replace("computerUse }", "computerUse, launch }")}
await launch(Reader, { goal: "look", derive: true });
`,
    fix: "Call the API in an agent's members and start it with launch(AgentClass, …).",
    source: PROMISE,
  },
  CU6036: {
    cause: "A child that may do more than its parent would widen what the parent may do.",
    wrong: `${agent(
      "    await computer.spawn(this, Child, goal);\n",
      '{ cap: "computer.screen + computer.spawn" }',
    )}
@computerUse({ cap: "computer.screen + computer.input" })
export class Child {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
`,
    right: `${agent(
      "    await computer.spawn(this, Child, goal);\n",
      '{ cap: "computer.screen + computer.spawn" }',
    )}
@computerUse({ cap: "computer.screen" })
export class Child {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
`,
    fix: "Narrow the child's cap, or widen the parent's if it may do this itself.",
    source: PROMISE,
  },
  CU6039: {
    cause: "A word that nothing needs is authority that only an accident can use.",
    wrong: agent("", '{ cap: "computer.screen + computer.windows" }'),
    right: agent(""),
    fix: "Remove the word; declare it again when something needs it.",
    source: "docs/checker.md, least privilege",
  },
  CU6040: {
    cause: "Whoever reads the report must be able to see why a finding was accepted.",
    wrong: agent(`    // capuchin-ignore-next-line CU6030\n${CLICK}`),
    right: agent(`    // capuchin-ignore-next-line CU6030: only in the demo, reviewed\n${CLICK}`),
    fix: "Write the reason after the code and a colon.",
    source: "docs/checker.md, suppressions",
  },
  CU6041: {
    cause: "A suppression that matches nothing hides the next finding that appears on its line.",
    wrong: agent(`    // capuchin-ignore-next-line CU6030: needed once\n${CLICK}`, BOTH),
    right: agent(CLICK, BOTH),
    fix: "Delete the comment.",
    source: "docs/checker.md, suppressions",
  },
  CU6042: {
    cause:
      "A suppression names one code that can be suppressed; everything else would hide more than was reviewed.",
    wrong: agent(`    // capuchin-ignore-next-line *: all fine\n${CLICK}`),
    right: agent(`    // capuchin-ignore-next-line CU6030: reviewed\n${CLICK}`),
    fix: "Name the one code. Whole files are left out in package.json, `capuchin.exclude`, with a reason.",
    source: "docs/checker.md, suppressions",
  },
  CU6050: {
    cause: "What cannot be read cannot be proved, and neither can what imports it.",
    wrong: agent("    const half = (;\n"),
    right: agent(""),
    fix: "Correct the syntax at the place that is shown.",
    source: "docs/checker.md, the grammar",
  },
  CU6051: {
    cause: "A check that finds no project or no agent proves nothing; it must not look like a success.",
    wrong: "export class Reader {}\n",
    right: agent(""),
    fix: "Name the right tsconfig with -p, include the agents' files, and decorate the agents.",
    source: "docs/checker.md, projects",
  },
  CU6052: {
    cause:
      "The run enforces the spec on disk. One that is older than the sources enforces what was once true.",
    wrong: { "agent.ts": agent(CLICK, BOTH), "computer-use.json": "{}\n" },
    right: { "agent.ts": agent(CLICK, BOTH) },
    fix: "Run `capuchin build` and commit what it writes.",
    source: "docs/checker.md, the spec",
  },
} as const satisfies Record<string, Explanation>;
