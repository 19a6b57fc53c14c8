// CU6033 for each piece of dynamic code that an agent's code leads to, and for computed members of the handle
// wherever they stand. CU6031 where an agent's code leads to something whose type cannot be found.
import { createFinding, type Finding } from "../finding.js";
import { firstHopsTo, pathTo } from "../reach/explore.js";
import type { DynamicLeaf } from "../reach/leaf.js";
import type { RuleContext } from "./context.js";

function advice(leaf: DynamicLeaf): string {
  return leaf.construct.includes("handle")
    ? "name the function, or give the key a type of literal names"
    : "write the code out, or import it by a literal name";
}

/** The findings about dynamic code. */
export function findUnprovableCode(context: RuleContext): Finding[] {
  const found: Finding[] = [];
  for (const { agent, roots, exploration } of context.reach.agents) {
    for (const reached of exploration.reached.values()) {
      const { leaf } = reached;
      if (leaf.kind !== "dynamic" && leaf.kind !== "unresolved") continue;
      const path = pathTo(reached, context.places);
      const firstHops = firstHopsTo(leaf, context.reach.graph, exploration, roots, context.places);
      const details = { agent: agent.id, path, firstHops };
      if (leaf.kind === "unresolved") {
        const params = { function: "*", reason: leaf.reason, advice: "correct the import or the type" };
        found.push(createFinding("CU6031", params, leaf.place, details));
        continue;
      }
      const params = { subject: agent.id, construct: leaf.construct, advice: advice(leaf) };
      found.push(createFinding("CU6033", params, leaf.place, details));
    }
  }
  for (const leaf of context.dynamic.onHandle) {
    if (context.reach.reachedByAgents.has(leaf)) continue;
    const subject = "code outside every agent";
    found.push(
      createFinding("CU6033", { subject, construct: leaf.construct, advice: advice(leaf) }, leaf.place),
    );
  }
  return found;
}
