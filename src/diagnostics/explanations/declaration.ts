// Explanations of the codes about a declaration: the decorator's options, its target, the spec it becomes.
import type { Explanation } from "./explanation.js";

const DECLARATION = "docs/checker.md, declarations";

function reader(options: string, before = ""): string {
  return `import { computer, computerUse } from "capuchin";
${before}
@computerUse(${options})
export class Reader {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
`;
}

export const DECLARATION_EXPLANATIONS = {
  CU6017: {
    cause: "Without a capability nobody can say what the agent may touch, and there is no safe default.",
    wrong: reader("{ width: 1280, height: 800 }"),
    right: reader('{ width: 1280, height: 800, cap: "computer.screen" }'),
    fix: "Declare `cap`. Begin with `computer.screen`, add a word when the checker asks for it.",
    source: DECLARATION,
  },
  CU6018: {
    cause: "A capability is words of a closed vocabulary joined by `+`. A word outside it grants nothing.",
    wrong: reader('{ cap: "computer.scren" }'),
    right: reader('{ cap: "computer.screen" }'),
    fix: "Write one of the words that the message or the compiler's error lists.",
    source: "docs/checker.md, declarations",
  },
  CU6019: {
    cause: "The viewport's sides are whole pixels from 1 to 16384. Other sizes are refused, never clamped.",
    wrong: reader('{ width: 1280.5, cap: "computer.screen" }'),
    right: reader('{ width: 1280, cap: "computer.screen" }'),
    fix: "Give a whole number within the limits; any constant expression will do.",
    source: DECLARATION,
  },
  CU6020: {
    cause:
      "An agent is a concrete class with a name: the run makes an object of it and looks it up by that name.",
    wrong: `import { computerUse } from "capuchin";

@computerUse({ cap: "computer.screen" })
export abstract class Reader {}
`,
    right: reader('{ cap: "computer.screen" }'),
    fix: "Decorate the concrete class; give an anonymous one a name or the option `name`.",
    source: DECLARATION,
  },
  CU6021: {
    cause:
      "The build proves what it can read. A value that is only known when the program runs proves nothing.",
    wrong: reader('{ width: WIDTH, cap: "computer.screen" }', "\nlet WIDTH = 1280;\n"),
    right: reader('{ width: WIDTH, cap: "computer.screen" }', "\nconst WIDTH = 1280;\n"),
    fix: "Follow the chain to the last line and make that value constant: literals, `const`, enums, functions that are a single return.",
    source: "docs/checker.md, constant expressions",
  },
  CU6022: {
    cause: "A misspelt option would otherwise pass as none, and the limit that was meant would not hold.",
    wrong: reader('{ cap: "computer.screen", maxTurn: 10 }'),
    right: reader('{ cap: "computer.screen", maxTurns: 10 }'),
    fix: "Write the option that the message suggests, or remove it.",
    source: DECLARATION,
  },
  CU6023: {
    cause: "A limit outside its range, or bounds outside the viewport, cannot be what was meant.",
    wrong: reader('{ cap: "computer.screen", maxTurns: 0 }'),
    right: reader('{ cap: "computer.screen", maxTurns: 30 }'),
    fix: "Give a value within the range in the message.",
    source: DECLARATION,
  },
  CU6024: {
    cause:
      "The spec and the run know an agent by its name; two of one name could each run with the other's words.",
    wrong: `${reader('{ cap: "computer.screen" }')}
@computerUse({ cap: "computer.screen", name: "Reader" })
export class Other {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
`,
    right: `${reader('{ cap: "computer.screen" }')}
@computerUse({ cap: "computer.screen", name: "Other" })
export class Other {
  async run(goal: string) {
    return computer.run(this, goal);
  }
}
`,
    fix: "Give one of them another name with the option `name`; decorate a class once.",
    source: DECLARATION,
  },
} as const satisfies Record<string, Explanation>;
