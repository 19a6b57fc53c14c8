// First and last record of a dispatcher that was given no journal: its trace is then whole by itself. `launch`, which
// runs more than loops, writes these records for its own runs.
import type { AgentEntry } from "../../contract/agent-spec.js";
import type { Usage } from "../../contract/journal-records.js";
import { boundedText } from "../control/recorded.js";
import type { RedactedJournal } from "../control/redacted-journal.js";
import type { Ending } from "./dispatch-result.js";
import { startTrace } from "./run-started.js";

export interface OwnTraceOptions {
  readonly journal: RedactedJournal;
  readonly entry: AgentEntry;
  readonly tool: AgentEntry["tool"];
  readonly runId: string;
  readonly capability: string;
  readonly desktop: string;
  readonly model: string;
}

export class OwnTrace {
  readonly #options: OwnTraceOptions;
  #ending: Ending | undefined;
  #started = false;

  constructor(options: OwnTraceOptions) {
    this.#options = options;
  }

  async start(goal: string): Promise<void> {
    const { journal, ...about } = this.#options;
    this.#started = true;
    await startTrace(journal, { ...about, derived: false, goal });
  }

  /** Remembers how the latest loop ended. */
  note(end: Ending): void {
    this.#ending = end;
  }

  async end(totals: {
    readonly turns: number;
    readonly actions: number;
    readonly events: number;
    readonly usage: Usage;
  }): Promise<void> {
    if (!this.#started) return;
    const end = this.#ending;
    await this.#options.journal.append("run_ended", {
      outcome: end?.outcome ?? "stopped",
      ...(end === undefined || end.outcome === "completed"
        ? {}
        : { code: end.error.code, message: boundedText(end.error.message) }),
      ...totals,
    });
  }
}
