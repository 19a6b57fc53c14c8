// (a) `capuchin check` on the examples, all proved, and on agents that must be refused.
import { capuchin } from "../capuchin.js";
import { explain, mark } from "../terminal.js";

export function checkExamples(): void {
  mark(capuchin("check", "-p", "examples/tsconfig.json") === 0, "every example is proved");
  explain("Now agents that must not pass, one for each thing that the checker refuses.");
  const code = capuchin("check", "-p", "examples/rejected/tsconfig.json");
  mark(code === 1, "every one of them is refused");
}
