// The run codes: one table. `next` says what happens after it, `effect` whether events may have reached the
// display, `toModel` the fixed phrase that the model or a peer may read; the full text goes to the trace only.

/**
 * What happens next: `refuse` the action and go on or abort by `onViolation`; `stop` the run; `ask` a person;
 * `retry` within bounds.
 */
export type Consequence = "refuse" | "stop" | "ask" | "retry";

interface RunCode {
  readonly next: Consequence;
  readonly effect: "none" | "possible";
  readonly title: string;
  readonly toModel: string;
}

export const RUN_CODES = {
  E_SCHEMA: {
    next: "refuse",
    effect: "none",
    title: "not a well-formed action",
    toModel: "The action is malformed.",
  },
  E_UNKNOWN_TOOL: {
    next: "refuse",
    effect: "none",
    title: "no such tool",
    toModel: "There is no such tool.",
  },
  E_UNKNOWN_ACTION: {
    next: "refuse",
    effect: "none",
    title: "no such action",
    toModel: "There is no such action.",
  },
  E_GRANT: {
    next: "refuse",
    effect: "none",
    title: "a capability word is missing",
    toModel: "This agent may not do that.",
  },
  E_BOUNDS: {
    next: "refuse",
    effect: "none",
    title: "outside the allowed region",
    toModel: "The target is outside the allowed region.",
  },
  E_BOUNDS_FOCUS: {
    next: "refuse",
    effect: "none",
    title: "focus outside the allowed region",
    toModel: "The focus is outside the allowed region.",
  },
  E_KEY_DENIED: {
    next: "refuse",
    effect: "none",
    title: "key on the deny-list",
    toModel: "That key is denied.",
  },
  E_KEY_UNKNOWN: {
    next: "refuse",
    effect: "none",
    title: "key not in the key table",
    toModel: "That key is unknown; use names such as ctrl+s, Return, Page_Down.",
  },
  E_KEY_UNSUPPORTED: {
    next: "refuse",
    effect: "none",
    title: "key that no driver presses faithfully",
    toModel: "That key is not supported.",
  },
  E_TEXT_DENIED: {
    next: "refuse",
    effect: "none",
    title: "text holds a forbidden character",
    toModel: "The text holds a character that may not be typed.",
  },
  E_TEXT_UNSUPPORTED: {
    next: "refuse",
    effect: "none",
    title: "text that cannot be typed exactly",
    toModel: "The text cannot be typed exactly on this display.",
  },
  E_LIMIT: {
    next: "refuse",
    effect: "none",
    title: "one action is too big",
    toModel: "The action is over a limit.",
  },
  E_QUOTA: {
    next: "stop",
    effect: "none",
    title: "the run's budget is spent",
    toModel: "The budget of this run is spent.",
  },
  E_TURNS: {
    next: "stop",
    effect: "none",
    title: "too many turns",
    toModel: "The turns of this run are spent.",
  },
  E_STATE: {
    next: "refuse",
    effect: "none",
    title: "not possible in this state",
    toModel: "That is not possible now.",
  },
  E_CAP_FORGED: { next: "stop", effect: "none", title: "not a genuine cap", toModel: "Refused." },
  E_CAP_FOREIGN: {
    next: "stop",
    effect: "none",
    title: "cap of another copy of the package",
    toModel: "Refused.",
  },
  E_CAP_WIDEN: { next: "stop", effect: "none", title: "attenuation that widens", toModel: "Refused." },
  E_REVOKED: { next: "stop", effect: "none", title: "authority was revoked", toModel: "Refused." },
  E_SPEC: { next: "stop", effect: "none", title: "bad spec", toModel: "Refused." },
  E_SPEC_DRIFT: { next: "stop", effect: "none", title: "differs from what was checked", toModel: "Refused." },
  E_SPEC_SIG: { next: "stop", effect: "none", title: "bad signature", toModel: "Refused." },
  E_LEASE: {
    next: "stop",
    effect: "none",
    title: "no valid lease",
    toModel: "The display is not available.",
  },
  E_APPROVAL: { next: "ask", effect: "none", title: "not approved", toModel: "The action was not approved." },
  E_REPLAY: {
    next: "refuse",
    effect: "none",
    title: "already used",
    toModel: "That action was already answered.",
  },
  E_CONFLICT: {
    next: "refuse",
    effect: "none",
    title: "same id, other content",
    toModel: "That action conflicts with an earlier one.",
  },
  E_STALE: {
    next: "refuse",
    effect: "none",
    title: "the screen is not what it was",
    toModel: "The screen has changed; look again.",
  },
  E_INDETERMINATE: {
    next: "stop",
    effect: "possible",
    title: "may or may not have happened",
    toModel: "It is not known whether the action happened.",
  },
  E_ENV_DRIFT: {
    next: "stop",
    effect: "none",
    title: "the environment is not what was checked",
    toModel: "The display has changed.",
  },
  E_AUDIT: { next: "stop", effect: "none", title: "the trace cannot be kept", toModel: "Refused." },
  E_BACKEND: { next: "stop", effect: "possible", title: "the driver failed", toModel: "The display failed." },
  E_PROTOCOL: {
    next: "retry",
    effect: "none",
    title: "the model's reply is malformed",
    toModel: "The reply was malformed.",
  },
  E_DISPLAY_LOST: {
    next: "stop",
    effect: "possible",
    title: "the display is gone",
    toModel: "The display is gone.",
  },
  E_STUCK: {
    next: "stop",
    effect: "none",
    title: "the same action over and over, without effect",
    toModel: "The same action had no effect many times.",
  },
  E_UNSUPPORTED: {
    next: "refuse",
    effect: "none",
    title: "not supported here",
    toModel: "That is not supported.",
  },
  E_CONFIG: { next: "stop", effect: "none", title: "a setting cannot be used", toModel: "Refused." },
  E_INTERNAL: { next: "stop", effect: "possible", title: "a fault of capuchin itself", toModel: "Refused." },
} as const satisfies Record<string, RunCode>;

/**
 * The codes of errors and refusals in a run. They are for life; `capuchin explain CODE` says what to do about each.
 */
export type RunCodeName = keyof typeof RUN_CODES;

export const RUN_CODE_LIST = Object.keys(RUN_CODES) as readonly RunCodeName[];

/** Whether a text names a run code; own keys only. */
export function isRunCode(name: string): name is RunCodeName {
  return Object.hasOwn(RUN_CODES, name);
}
