// The error classes, by consequence. Every error that leaves the package has a stable code, says whether trying
// again can help, and keeps its cause. Messages hold no secret and no unescaped text from outside.
import type { RunCodeName } from "./run-codes.js";

/** An error of the run, with a code of the run table. */
export class CapuchinError extends Error {
  override readonly name: string = "CapuchinError";
  readonly code: RunCodeName;
  /** Whether the same call may succeed later without anything being changed. */
  readonly retryable: boolean;

  constructor(code: RunCodeName, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The run API was called where no run is active for the agent; `launch` starts one. */
export class NoRunError extends CapuchinError {
  override readonly name = "NoRunError";

  constructor(called: string) {
    super(
      "E_STATE",
      `computer.${called} was called outside a run: start one with launch(AgentClass, { goal, … }) and call it from the agent's methods`,
    );
  }
}

/** The agent's class does not declare the word that an API function needs. */
export class MissingCapError extends CapuchinError {
  override readonly name = "MissingCapError";

  constructor(agent: string, called: string, needs: readonly string[]) {
    super(
      "E_GRANT",
      `${agent} does not declare ${needs.join(" and ")}, which computer.${called} needs: add it to cap`,
    );
  }
}

/** What a refusal is about, coarser than its code. */
export type ViolationKind =
  | "permission"
  | "out_of_bounds"
  | "denied_key"
  | "denied_text"
  | "rate_limited"
  | "unknown_key"
  | "malformed"
  | "limit"
  | "state";

/** An action that the cap forbids. Under `onViolation: "abort"` it ends the run. */
export class SandboxViolation extends CapuchinError {
  override readonly name = "SandboxViolation";
  readonly kind: ViolationKind;

  constructor(kind: ViolationKind, code: RunCodeName, message: string) {
    super(code, message);
    this.kind = kind;
  }
}

/** The spec, the options or the command line are wrong: nothing was started. */
export class ConfigurationError extends CapuchinError {
  override readonly name = "ConfigurationError";
}

/** A failure of our own: never an answer about the checked or controlled thing. */
export class InternalError extends Error {
  override readonly name = "InternalError";
}

/** A driver could not carry out an action. `events` tells how many input events had been sent before. */
export class DriverError extends CapuchinError {
  override readonly name = "DriverError";
  readonly events: number;

  constructor(code: RunCodeName, message: string, events: number, options: { cause?: unknown } = {}) {
    super(code, message, options);
    this.events = events;
  }
}
