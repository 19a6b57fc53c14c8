// Turns, time and tokens of a run, over all of its loops. Actions and events are the gate's to count. A reply whose
// token numbers cannot be believed is charged by estimate, so that a lying server cannot switch the budget off.
import type { Clock } from "../../base/clock.js";
import type { Usage } from "../../contract/journal-records.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";
import { Repeats } from "./repeats.js";
import type { RequestMeasure } from "./request.js";

export interface BudgetLimits {
  readonly maxTurns: number;
  readonly maxSeconds?: number | undefined;
  readonly maxTokens?: number | undefined;
}

export interface Exhausted {
  readonly outcome: "turn_limit" | "budget";
  readonly code: RunCodeName;
  readonly message: string;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

/** A request that costs nothing there cannot be. */
function canBeTrue(usage: Usage): boolean {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens > 0;
}

export class Budget {
  /** Failed requests that were asked again. */
  readonly repeats = new Repeats();
  readonly #limits: BudgetLimits;
  readonly #clock: Clock;
  readonly #start: number;
  #turns = 0;
  #tokens = 0;
  #usage = NO_USAGE;

  constructor(limits: BudgetLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#start = clock.monotonic();
  }

  get turns(): number {
    return this.#turns;
  }

  get maxTurns(): number {
    return this.#limits.maxTurns;
  }

  /** What the server said it used, as far as it can be believed. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Milliseconds left of the run's wall time; undefined when it has no limit. */
  remainingMs(): number | undefined {
    const { maxSeconds } = this.#limits;
    if (maxSeconds === undefined) return undefined;
    return Math.max(0, maxSeconds * 1000 - (this.#clock.monotonic() - this.#start));
  }

  /** Why no further request may be sent; undefined while one may. */
  exhausted(): Exhausted | undefined {
    const { maxTurns, maxTokens } = this.#limits;
    if (this.remainingMs() === 0) return this.outOfTime();
    if (maxTokens !== undefined && this.#tokens >= maxTokens) {
      return {
        outcome: "budget",
        code: "E_QUOTA",
        message: `the run has used ${this.#tokens} tokens of ${maxTokens}: raise maxTokens`,
      };
    }
    if (this.#turns >= maxTurns) {
      return {
        outcome: "turn_limit",
        code: "E_TURNS",
        message: `the goal was not reached within ${maxTurns} turns: raise maxTurns or split the goal`,
      };
    }
    return undefined;
  }

  outOfTime(): Exhausted {
    return {
      outcome: "budget",
      code: "E_QUOTA",
      message: `the run took longer than ${this.#limits.maxSeconds} seconds: raise maxSeconds`,
    };
  }

  /** Takes a turn and returns its number, from 1. */
  takeTurn(): number {
    this.#turns += 1;
    return this.#turns;
  }

  /** Charges what the server says; where that is missing or cannot be true, our own count and the longest reply. */
  charge(usage: Usage | undefined, { tokens }: RequestMeasure, maxReplyTokens: number): void {
    if (usage === undefined || !canBeTrue(usage)) {
      this.#tokens += tokens.text + tokens.images + tokens.tool + maxReplyTokens;
      return;
    }
    this.#usage = addUsage(this.#usage, usage);
    this.#tokens += usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  }
}
