// How a check says no: a code, the kind of violation, and a reason for the operator. Checks return refusals and
// never throw; whether a refusal ends the run is decided above.
import { SandboxViolation, type ViolationKind } from "../../diagnostics/errors.js";
import type { RunCodeName } from "../../diagnostics/run-codes.js";

export interface Refusal {
  readonly ok: false;
  readonly code: RunCodeName;
  readonly kind: ViolationKind;
  readonly reason: string;
}

/** The codes by which the cap itself forbids something; the others are malformed or impossible actions. */
const KINDS = {
  E_GRANT: { kind: "permission", violation: true },
  E_BOUNDS: { kind: "out_of_bounds", violation: true },
  E_KEY_DENIED: { kind: "denied_key", violation: true },
  E_TEXT_DENIED: { kind: "denied_text", violation: true },
  E_QUOTA: { kind: "rate_limited", violation: true },
  E_KEY_UNKNOWN: { kind: "unknown_key", violation: false },
  E_KEY_UNSUPPORTED: { kind: "unknown_key", violation: false },
  E_LIMIT: { kind: "limit", violation: false },
  E_SCHEMA: { kind: "malformed", violation: false },
  E_STATE: { kind: "state", violation: false },
  E_UNSUPPORTED: { kind: "state", violation: false },
} as const satisfies Partial<Record<RunCodeName, { kind: ViolationKind; violation: boolean }>>;

export type RefusalCode = keyof typeof KINDS;

export function refuse(code: RefusalCode, reason: string): Refusal {
  return { ok: false, code, kind: KINDS[code].kind, reason };
}

/** Whether a code is a violation of the cap, which ends a run under `onViolation: "abort"`. */
export function isViolation(code: RunCodeName): boolean {
  return Object.hasOwn(KINDS, code) && KINDS[code as RefusalCode].violation;
}

export function violationOf(refusal: Refusal): SandboxViolation {
  return new SandboxViolation(refusal.kind, refusal.code, refusal.reason);
}
