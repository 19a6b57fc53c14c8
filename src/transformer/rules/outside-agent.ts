// CU6035: an API function that the loading of a module calls, where no agent stands. Code that an agent reaches
// too is judged by that agent.
import { createFinding, type Finding } from "../finding.js";
import type { ApiLeaf, Leaf } from "../reach/leaf.js";
import type { RuleContext } from "./context.js";

function isLoadTime(leaf: Leaf, context: RuleContext): leaf is ApiLeaf {
  if (leaf.kind !== "api") return false;
  const owners = context.reach.owners.ownersOf(leaf.place);
  if (owners.loads) {
    if (owners.immediate && owners.statement) return true;
    if (!leaf.call) return false;
    return owners.immediate || owners.statement || !context.reach.reachedByAgents.has(leaf);
  }
  const reached = leaf.call !== undefined && context.reach.loading.reached.has(leaf);
  return reached && !context.reach.reachedByAgents.has(leaf);
}

/** The mentions that run, or are handed out, when a module is loaded. */
export function findOutsideLeaves(context: RuleContext): ReadonlySet<ApiLeaf> {
  return new Set(context.reach.graph.leaves.filter((leaf) => isLoadTime(leaf, context)) as ApiLeaf[]);
}

/** CU6035 for each of them. */
export function reportOutside(leaves: ReadonlySet<ApiLeaf>): Finding[] {
  return [...leaves].map((leaf) =>
    createFinding("CU6035", { function: leaf.function }, leaf.call ?? leaf.place),
  );
}
