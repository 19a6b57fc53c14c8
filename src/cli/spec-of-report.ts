// The spec that a clean report amounts to.
import { GENERATOR } from "../base/version.js";
import { agentEntrySchema, type Spec, sealSpec } from "../contract/agent-spec.js";
import type { Report } from "../contract/report.js";

/** Seals the agents of a report without errors. @throws when an agent is not proved: the report was not clean. */
export function specOfReport(report: Report): Spec {
  return sealSpec(
    GENERATOR,
    report.agents.map((agent) => agentEntrySchema.parse(agent)),
  );
}
