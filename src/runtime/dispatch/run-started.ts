// How a trace begins: the entry that is enforced is kept, and the first record says what the run is and what is kept
// of it.
import { canonicalJson } from "../../base/canonical-json.js";
import { digestJson } from "../../base/digest.js";
import { GENERATOR } from "../../base/version.js";
import type { AgentEntry } from "../../contract/agent-spec.js";
import { boundedText, withheldText } from "../control/recorded.js";
import type { RedactedJournal } from "../control/redacted-journal.js";

export interface RunStart {
  readonly runId: string;
  readonly entry: AgentEntry;
  readonly derived: boolean;
  readonly goal: string;
  readonly capability: string;
  readonly desktop: string;
  readonly model: string;
  readonly tool: AgentEntry["tool"];
}

/** Writes the first record. @throws CapuchinError E_AUDIT */
export async function startTrace(journal: RedactedJournal, start: RunStart): Promise<void> {
  const { runId, entry, derived, goal, capability, desktop, model, tool } = start;
  const text = canonicalJson(entry);
  // With a secret masked it would be another entry.
  const keepsEntry = !journal.redactor.finds(text);
  if (keepsEntry) await journal.keepDocument(text);
  await journal.append("run_started", {
    runId,
    generator: GENERATOR,
    agent: entry.agent,
    goal: withheldText(goal),
    capability,
    entryDigest: digestJson(entry),
    derived,
    desktop,
    model: boundedText(model, 300),
    tool,
    keeps: {
      entry: keepsEntry,
      words: journal.keepsWords ? "kept" : "withheld",
      frames: journal.keepsFrames ? "kept" : "digest-only",
    },
  });
}
