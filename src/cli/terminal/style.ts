// What a terminal may be sent. Colour: FORCE_COLOR decides where it is set, then NO_COLOR, then whether a terminal that
// is not dumb reads. A line that is drawn over: only on such a terminal, whatever the two variables say.
import type { Output } from "../io.js";

type Environment = Readonly<Record<string, string | undefined>>;

const OFF = new Set(["0", "false"]);

function isCapable(output: Output, env: Environment): boolean {
  return output.isTerminal && env["TERM"] !== "dumb";
}

/** Whether a text may hold colours. */
export function usesColour(output: Output, env: Environment): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return !OFF.has(forced);
  if (env["NO_COLOR"]) return false;
  return isCapable(output, env);
}

/** Whether a line may be drawn over and erased. */
export function canRedraw(output: Output, env: Environment): boolean {
  return isCapable(output, env);
}
