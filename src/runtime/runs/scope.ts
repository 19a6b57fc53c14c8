// Which run a call belongs to. The scope follows the agent's own asynchronous flow, so that two agents in one
// process never mix; it is bound to one instance and closed when the run ends.
import { AsyncLocalStorage } from "node:async_hooks";
import type { AbortSignalLike } from "../../base/abort.js";
import { API_FUNCTIONS, type ApiFunctionName } from "../../contract/api-functions.js";
import { findDeclaration } from "../../decorators/index.js";
import { CapuchinError, MissingCapError, NoRunError } from "../../diagnostics/errors.js";
import type { ComputerCap } from "../cap/computer-cap.js";
import type { ActionPort } from "../control/action-port.js";
import type { Tainted } from "./tainted.js";

/** Options of `computer.run`. */
export interface LoopOptions {
  /** Added to the framework's own system prompt. */
  readonly system?: string;
  /** Tokens of one reply. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly signal?: AbortSignalLike;
}

export interface RunScope {
  readonly agent: object;
  readonly agentName: string;
  /** API functions that the build proved; undefined for a derived spec. */
  readonly uses: ReadonlySet<ApiFunctionName> | undefined;
  readonly cap: ComputerCap;
  /** The door to the display; opened on first use. */
  readonly door: () => Promise<ActionPort>;
  readonly loop: (goal: string, options: LoopOptions) => Promise<Tainted<string>>;
  readonly taint: <T>(value: T) => Tainted<T>;
  readonly signal: AbortSignal;
  closed: boolean;
}

const storage = new AsyncLocalStorage<RunScope>();

/** Runs the agent's code inside its scope. */
export function inScope<T>(scope: RunScope, work: () => Promise<T>): Promise<T> {
  return storage.run(scope, work);
}

function classNameOf(agent: object): string {
  const made: unknown = agent.constructor;
  return typeof made === "function" && made.name !== "" ? made.name : "this object";
}

/**
 * The scope in which an API function may be called for this agent.
 * @throws NoRunError outside a run, MissingCapError without the word, CapuchinError E_STATE for another agent's
 *   instance, E_SPEC_DRIFT for a function that the build did not prove.
 */
export function requireScope(agent: unknown, called: ApiFunctionName): RunScope {
  const scope = storage.getStore();
  if (!scope || scope.closed) throw new NoRunError(called);
  if (typeof agent !== "object" || agent === null) {
    throw new CapuchinError(
      "E_SCHEMA",
      `computer.${called} takes the agent first: computer.${called}(this, …)`,
    );
  }
  const { needs } = API_FUNCTIONS[called];
  if (agent !== scope.agent) {
    const declared = findDeclaration(agent.constructor);
    if (!declared)
      throw new MissingCapError(classNameOf(agent), called, needs.length > 0 ? needs : ["a cap"]);
    throw new CapuchinError(
      "E_STATE",
      `this run belongs to ${scope.agentName}; another agent acts in a run of its own, by computer.spawn or launch`,
    );
  }
  if (!needs.every((word) => scope.cap.allows(word)))
    throw new MissingCapError(scope.agentName, called, needs);
  if (scope.uses && !scope.uses.has(called)) {
    throw new CapuchinError(
      "E_SPEC_DRIFT",
      `computer.${called} is not among the uses that the build proved for ${scope.agentName}; run capuchin build`,
    );
  }
  return scope;
}
