// What a run has used of its budgets. One object a run, never shared between runs; charged in the same synchronous
// step as the check, so that no two calls can both take the last unit.
import type { CapPolicy } from "./policy.js";
import { type Refusal, refuse } from "./refusal.js";

export interface Usage {
  actions: number;
  events: number;
}

export function newUsage(): Usage {
  return { actions: 0, events: 0 };
}

/** Whether one action of so many events still fits. */
export function checkQuota(policy: CapPolicy, usage: Usage, events: number): Refusal | undefined {
  if (policy.maxActions !== undefined && usage.actions >= policy.maxActions) {
    return refuse(
      "E_QUOTA",
      `this would be action ${usage.actions + 1} of ${policy.maxActions} allowed in a run`,
    );
  }
  if (usage.events + events > policy.maxEvents) {
    return refuse(
      "E_QUOTA",
      `${events} more events would make ${usage.events + events} of ${policy.maxEvents} allowed in a run`,
    );
  }
  return undefined;
}

export function charge(usage: Usage, events: number): void {
  usage.actions += 1;
  usage.events += events;
}
