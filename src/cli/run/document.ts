// A run's result as the command line reports it: one document for every way a run can end, and its exit code.
import type { Usage } from "../../contract/journal-records.js";
import { CapuchinError, ConfigurationError } from "../../diagnostics/errors.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";
import type { RunResult } from "../../runtime/runs/run-result.js";
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE } from "../io.js";

export interface RunDocument {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
  /** What the agent's method returned, where JSON can say it. */
  readonly value?: unknown;
  /** The model's last words: untrusted, which `tainted` says. */
  readonly text?: string;
  readonly tainted?: true;
  readonly turns: number;
  readonly actions: number;
  readonly usage: Usage;
  readonly trace: string;
  /** Count and last hash of the trace: kept elsewhere, they show a later cut. */
  readonly anchor?: { readonly records: number; readonly head: string };
}

export interface RunEnd {
  readonly document: RunDocument;
  readonly exitCode: number;
  /** How long it took, for people; no part of the document. */
  readonly elapsedMs?: number;
}

const NOTHING_USED: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Errors that say that what was given does not fit, rather than that the run failed. */
const CONFIGURATION: ReadonlySet<string> = new Set<RunCodeName>([
  "E_SPEC",
  "E_SPEC_DRIFT",
  "E_SPEC_SIG",
  "E_CAP_WIDEN",
  "E_ENV_DRIFT",
]);

function jsonValue(value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The document of a run that was started. `environmentFailed`: the display could not be opened at all. */
export function documentOf(result: RunResult, environmentFailed: boolean): RunEnd {
  const { turns, actions, usage, trace } = result;
  if (result.outcome === "completed") {
    const value = jsonValue(result.value);
    const text = result.text.parse({ safeParse: (given) => ({ success: true, data: String(given) }) });
    const document: RunDocument = {
      outcome: result.outcome,
      ...(value === undefined ? {} : { value }),
      text,
      tainted: true,
      turns,
      actions,
      usage,
      trace,
    };
    return { document, exitCode: EXIT_OK };
  }
  const { code } = result.error;
  // A trace that could not even be begun is a matter of where it was to go.
  const noTrace = code === "E_AUDIT" && trace === "none";
  return {
    document: { outcome: result.outcome, error: { ...result.error }, turns, actions, usage, trace },
    exitCode: environmentFailed || noTrace || CONFIGURATION.has(code) ? EXIT_USAGE : EXIT_FAILED,
  };
}

/** The document of a run that could not be started. */
export function documentOfFailure(
  outcome: "failed" | "stopped",
  error: { readonly code: RunCodeName; readonly message: string },
  exitCode: number,
): RunEnd {
  return {
    document: {
      outcome,
      error: { ...error, retryable: false },
      turns: 0,
      actions: 0,
      usage: NOTHING_USED,
      trace: "none",
    },
    exitCode,
  };
}

/** The document for what was thrown before the run; undefined for a fault of our own, which is no result. */
export function documentOfError(error: unknown): RunEnd | undefined {
  if (!(error instanceof CapuchinError) && !isForeignCapuchinError(error)) return undefined;
  const { code, message } = error;
  const isConfiguration = error instanceof ConfigurationError || error.name === "ConfigurationError";
  return documentOfFailure("failed", { code, message }, isConfiguration ? EXIT_USAGE : EXIT_FAILED);
}

/** An error of another copy of this package, which `instanceof` does not know. */
function isForeignCapuchinError(error: unknown): error is Error & { readonly code: RunCodeName } {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("E_")
  );
}
